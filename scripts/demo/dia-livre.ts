/** Um dia em que a demonstração pode reservar sem esbarrar em nada, nem numa demonstração anterior. */
import type { HostMcp } from '../../agente/host-mcp.ts';
import { novoTraceparent } from '../../comum/traceparent.ts';

const PRIMEIRO = Date.UTC(2030, 0, 7);
const UM_DIA_MS = 24 * 60 * 60 * 1000;

/** Um intervalo de uma hora, em ISO 8601. */
export interface Horario {
  readonly inicio: string;
  readonly fim: string;
}

/** A hora cheia `hora` (0 a 22) do dia AAAA-MM-DD, em -03:00, até a seguinte. */
export function horario(dia: string, hora: number): Horario {
  const em = (h: number): string => `${dia}T${String(h).padStart(2, '0')}:00:00-03:00`;
  return { inicio: em(hora), fim: em(hora + 1) };
}

/**
 * Pergunta ao servidor, dia a dia, até achar um com todas as salas livres em todas as horas.
 * @returns o dia, AAAA-MM-DD.
 */
export async function procurarDiaLivre(
  host: HostMcp,
  salas: readonly string[],
  horas: readonly number[],
): Promise<string> {
  for (let instante = PRIMEIRO; ; instante += UM_DIA_MS) {
    const dia = new Date(instante).toISOString().slice(0, 10);
    if (await todasLivres(host, dia, salas, horas)) return dia;
  }
}

async function todasLivres(
  host: HostMcp,
  dia: string,
  salas: readonly string[],
  horas: readonly number[],
): Promise<boolean> {
  for (const hora of horas) {
    for (const sala of salas) {
      const argumentos = { sala, ...horario(dia, hora) };
      const resultado = await host.chamar(
        { ferramenta: 'consultar_disponibilidade', argumentos },
        novoTraceparent(),
      );
      const { livre } = ('structuredContent' in resultado ? resultado.structuredContent : {}) as {
        livre?: unknown;
      };
      if (livre === undefined) throw new Error(`O servidor MCP não disse se a ${sala} está livre`);
      if (!livre) return false;
    }
  }
  return true;
}
