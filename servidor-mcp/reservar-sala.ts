/**
 * A ferramenta `reservar_sala` e o seu ciclo de perguntas (MCP 2026-07-28, basic/patterns/mrtr): num conflito a resposta
 * é uma pergunta com um requestState, e nada fica guardado aqui; a resposta do usuário chega num request novo.
 */
import {
  type CallToolResult,
  type InputRequiredResult,
  inputRequired,
  inputResponse,
  type ServerContext,
} from '@modelcontextprotocol/server';
import * as z from 'zod';
import type { Agenda, Conclusao, Desfecho } from './agenda.ts';
import { concluido, erroDeExecucao, type Ferramenta } from './ferramenta.ts';
import { ArgumentosDeReserva, conferirPedido, type PedidoDeReserva } from './pedido.ts';
import type { Intervalo } from './politica.ts';
import { type Cadastro, MAXIMO_DE_ALTERNATIVAS, type Sala } from './salas.ts';
import type { EstadoSelado, Selo } from './selo.ts';

/** O nome com que a ferramenta aparece, também selado no requestState. */
export const RESERVAR_SALA = 'reservar_sala';

const CHAVE = 'escolha';

const Saida = z.object({
  reservado: z
    .boolean()
    .describe('Se uma reserva foi feita. Só então os outros campos, menos motivo, existem'),
  reserva: z.string().describe('Id da reserva').optional(),
  sala: z.string().optional(),
  inicio: z.string().optional(),
  fim: z.string().optional(),
  responsavel: z.string().optional(),
  politica: z.string().describe('Versão da política de uso aplicada').optional(),
  motivo: z.string().describe('Por que nada foi reservado').optional(),
});

/** De que a ferramenta precisa. */
export interface PartesDaReserva {
  readonly cadastro: Cadastro;
  readonly agenda: Agenda;
  readonly selo: Selo;
  readonly versaoDaPolitica: string;
  /** Validade de um requestState, e o relógio (ms desde 1970) que a mede. */
  readonly ttlSegundos: number;
  readonly agora: () => number;
}

/** O que uma pergunta refeita ainda pode viver depois de concluído o pedido: cobre a que estava sendo selada. */
const FOLGA_MS = 60_000;

/** Cria a ferramenta que reserva uma sala ou, se ela estiver ocupada, pergunta qual alternativa usar. */
export function reservarSala(partes: PartesDaReserva): Ferramenta<typeof ArgumentosDeReserva, typeof Saida> {
  const { cadastro, agenda, selo, versaoDaPolitica, ttlSegundos, agora } = partes;

  async function executar(
    recebidos: PedidoDeReserva,
    { mcpReq }: ServerContext,
  ): Promise<CallToolResult | InputRequiredResult> {
    const estado = mcpReq.requestState<EstadoSelado | undefined>();
    // Numa retomada só valem os argumentos selados; quem abriu o selo já os comparou com os recebidos.
    const pedido = estado?.argumentos ?? recebidos;
    const conferido = conferirPedido(cadastro, pedido);
    if ('erro' in conferido) return erroDeExecucao(conferido.erro);
    const { sala, intervalo } = conferido;

    const desfecho = estado
      ? await retomar(estado, intervalo, mcpReq.inputResponses)
      : await agenda.reservar({ ...pedido, intervalo });
    switch (desfecho?.tipo) {
      case 'reservada': {
        const { id, ...reserva } = desfecho.reserva;
        return concluido({ reserva: id, reservado: true, ...reserva, politica: versaoDaPolitica });
      }
      case 'recusada':
        return concluido({ reservado: false, motivo: 'recusado' });
      case 'respondida-de-outro-modo':
        return erroDeExecucao(jaConcluido(desfecho.vale));
      case 'ocupada':
      case undefined:
        return perguntar(pedido, sala, intervalo, estado?.pedido ?? crypto.randomUUID());
    }
  }

  /** Aplica a resposta do usuário. Sem resposta que valha (ausente, de outra chave, fora da lista), devolve `undefined`. */
  async function retomar(
    { pedido, argumentos, chave, alternativas }: EstadoSelado,
    intervalo: Intervalo,
    respostas: ServerContext['mcpReq']['inputResponses'],
  ): Promise<Desfecho | undefined> {
    const lembrarAte = agora() + ttlSegundos * 1000 + FOLGA_MS;
    const resposta = inputResponse(respostas, chave);
    if (resposta.kind === 'elicit') {
      if (resposta.action !== 'accept') return agenda.recusar({ pedido, sala: undefined, lembrarAte });
      const sala = resposta.content?.sala;
      if (typeof sala === 'string' && alternativas.includes(sala) && cadastro.sala(sala)) {
        return agenda.reservar({ ...argumentos, sala, intervalo }, { pedido, sala, lembrarAte });
      }
    }
    // Perguntar de novo sobre um pedido concluído daria um requestState novo, e com ele uma segunda reserva.
    const vale = await agenda.conclusao(pedido);
    return vale && { tipo: 'respondida-de-outro-modo', vale };
  }

  async function perguntar(
    argumentos: PedidoDeReserva,
    sala: Sala,
    intervalo: Intervalo,
    pedido: string,
  ): Promise<CallToolResult | InputRequiredResult> {
    const alternativas = await agenda.livres(cadastro.substitutas(sala), intervalo, MAXIMO_DE_ALTERNATIVAS);
    if (alternativas.length === 0) return erroDeExecucao('Sem alternativas disponiveis no intervalo');
    return inputRequired({
      inputRequests: {
        [CHAVE]: inputRequired.elicit({
          message: 'A sala pedida esta ocupada nesse intervalo. Escolha uma alternativa.',
          requestedSchema: {
            type: 'object',
            properties: { sala: { type: 'string', enum: [...alternativas] } },
            required: ['sala'],
          },
        }),
      },
      requestState: await selo.selar({
        pedido,
        ferramenta: RESERVAR_SALA,
        argumentos,
        chave: CHAVE,
        alternativas,
      }),
    });
  }

  return {
    nome: RESERVAR_SALA,
    titulo: 'Reservar sala',
    descricao: 'Reserva uma sala. Se o intervalo estiver ocupado, pergunta qual alternativa usar.',
    entrada: ArgumentosDeReserva,
    saida: Saida,
    anotacoes: { readOnlyHint: false, destructiveHint: false, idempotentHint: false, openWorldHint: false },
    executar,
  };
}

/** Quem perdeu a resposta e agora responde outra coisa precisa saber o que já vale. */
function jaConcluido(vale: Conclusao): string {
  return vale.tipo === 'reservada'
    ? `Este pedido ja foi respondido: vale a reserva ${vale.reserva.id} na ${vale.reserva.sala}, e nada mudou agora`
    : 'Este pedido ja foi recusado: nada foi reservado';
}
