/** O que a tabela tem de provar. */
import type { Inicio } from './inicio.ts';
import { CRESCIMENTO_DA_AGENDA, CRESCIMENTO_DO_ARMAZEM } from './linhas.ts';
import type { Medidas } from './medidas.ts';
import type { Memoria } from './memoria.ts';
import type { Resultados } from './rodadas.ts';

/** Um alvo: `medido` não pode passar de `limite`. */
export interface Alvo {
  readonly alvo: string;
  readonly limite: number;
  readonly medido: number;
  readonly ok: boolean;
}

/** De tudo o que se mediu, os alvos. */
export function conferirAlvos(
  resultados: Resultados,
  medidas: Medidas,
  { inicio, memoria, requestsPorReserva }: { inicio: Inicio; memoria: Memoria; requestsPorReserva: number },
): readonly Alvo[] {
  const alvo = (nome: string, limite: number, medido: number): Alvo => ({
    alvo: nome,
    limite,
    medido,
    // Zero ou menos é uma medida que não se fez.
    ok: medido > 0 && medido <= limite,
  });
  const crescimento = (nome: string, id: string, [menor, , maior]: readonly number[]): Alvo =>
    alvo(`${nome}: de ${menor} para ${maior}`, 1.15, resultados.razao(`${id}-${maior}`, `${id}-${menor}`));
  const memoriaDe = (nome: string, { ociosa, depois }: Memoria['agente']): Alvo => {
    const medida = alvo(
      `${nome}: MB residentes a mais depois de ${memoria.reservas} reservas`,
      120,
      (depois - ociosa) / 1e6,
    );
    // Com menos reservas do que as pedidas, o que se mediu não prova nada.
    return { ...medida, ok: medida.ok && memoria.reservas >= medidas.reservasDaMemoria };
  };

  return [
    alvo(
      'MCP consultar_disponibilidade / SDK como na documentação',
      0.75,
      resultados.razao('mcp-consultar', 'sdk-servidor'),
    ),
    alvo(
      'MCP reservar_sala / SDK como na documentação',
      0.75,
      resultados.razao('mcp-reservar', 'sdk-servidor'),
    ),
    alvo(
      'Reserva A2A, os dois processos / (SDK servidor + SDK cliente + rota Hono)',
      1.5,
      resultados.razao('a2a-reservar', 'sdk-servidor', 'sdk-cliente', 'hono'),
    ),
    alvo('Requests MCP por reserva A2A, com a descoberta em cache', 1, requestsPorReserva),
    ...CRESCIMENTO_DA_AGENDA.map(({ id, nome }) =>
      crescimento(`${nome}, reservas guardadas`, id, medidas.agendas),
    ),
    ...CRESCIMENTO_DO_ARMAZEM.map(({ id, nome }) =>
      crescimento(`${nome}, Tasks guardadas`, id, medidas.armazens),
    ),
    alvo('Log / CPU de uma reserva A2A', 0.05, resultados.razao('log', 'a2a-reservar')),
    alvo('Selar e abrir / HMAC puro dos mesmos bytes', 3, resultados.razao('selo', 'hmac')),
    memoriaDe('Agente', memoria.agente),
    memoriaDe('Servidor MCP', memoria.servidorMcp),
    alvo('Bytes por Task guardada', 4096, memoria.porTask),
    alvo('npm start até a primeira reserva / serviço Hono mínimo', 2.5, inicio.razao),
  ];
}
