/** Os dois serviços de verdade, na mesma memória: sem processos, dá para criar um par novo a cada rodada do validador. */
import { readFileSync } from 'node:fs';
import { criarAgente } from '../agente/app.ts';
import type { Manipulador } from '../comum/manipulador.ts';
import type { Reserva } from '../servidor-mcp/agenda.ts';
import { criarServidorMcp } from '../servidor-mcp/app.ts';
import type { Sala } from '../servidor-mcp/salas.ts';

/** Os dois handlers, e o que o agente guardou sem mostrar a ninguém. */
export interface Servicos {
  readonly mcp: Manipulador;
  readonly agente: Manipulador;
  /** O último requestState que o servidor MCP deu ao agente. */
  ultimoEstado(): string | undefined;
}

const ler = (arquivo: string): string =>
  readFileSync(new URL(`../dados/${arquivo}`, import.meta.url), 'utf8');
const SALAS = JSON.parse(ler('salas.json')) as readonly Sala[];
const RESERVAS = JSON.parse(ler('reservas.json')) as readonly Reserva[];
const POLITICA = ler('politica-de-uso.md');
const calado = (): void => undefined;

/** Cria os dois, com as reservas iniciais e nenhuma Task. */
export function criarServicos(): Servicos {
  let ultimo: string | undefined;
  const mcp = criarServidorMcp({
    salas: SALAS,
    reservas: RESERVAS,
    politica: POLITICA,
    segredos: ['um segredo que so os testes usam, e que nao protege nada'],
    log: calado,
  });
  const agente = criarAgente({
    urlPublica: 'http://localhost',
    urlDoMcp: 'http://localhost/mcp',
    tempoLimiteMs: 5_000,
    escrever: calado,
    fetch: async (url, init) => {
      const resposta = await mcp.fetch(new Request(url, init));
      const corpo = await resposta.text();
      ultimo = /"requestState":"([^"]+)"/.exec(corpo)?.[1] ?? ultimo;
      return new Response(corpo, resposta);
    },
  });
  return { mcp, agente, ultimoEstado: () => ultimo };
}
