/**
 * O dialeto deste agente: o formato fixo de texto com que se reserva uma sala.
 * Nenhuma regra de sala mora aqui: conflito, política e alternativas são do servidor MCP.
 */
import type { InputRequests } from '@modelcontextprotocol/client';
import * as z from 'zod';
import type { Message } from './a2a/modelo.ts';
import type { Dialeto } from './dialeto.ts';

/** O formato de um pedido, como é mostrado a quem erra. O último campo vai até o fim da linha: nomes têm espaços. */
export const FORMATO_DO_PEDIDO = 'reservar sala=<id> inicio=<iso8601> fim=<iso8601> responsavel=<nome>';

const POLITICA = 'politica://uso';
const PEDIDO = /^reservar +sala=(\S+) +inicio=(\S+) +fim=(\S+) +responsavel=(.+)$/;
const ESCOLHA = /^escolha=(\S+)$/;
const RECUSAR = 'recusar';

const Reserva = z.object({
  reserva: z.string(),
  sala: z.string(),
  inicio: z.string(),
  fim: z.string(),
  responsavel: z.string(),
});

const PerguntaDeSala = z.object({
  method: z.literal('elicitation/create'),
  params: z.object({
    requestedSchema: z.object({
      properties: z.object({
        sala: z.union([
          z.object({ enum: z.array(z.string()).min(1) }).transform((esquema) => esquema.enum),
          z.object({ const: z.string() }).transform((esquema) => [esquema.const]),
        ]),
      }),
    }),
  }),
});

/** @see Dialeto */
export const dialetoDeSalas: Dialeto = {
  recursos: [POLITICA],

  lerPedido(message) {
    const campos = PEDIDO.exec(textoDe(message));
    if (!campos?.[4]?.trim()) return { recusa: `Formato esperado: ${FORMATO_DO_PEDIDO}` };
    const [, sala, inicio, fim, responsavel] = campos;
    return {
      chamada: {
        ferramenta: 'reservar_sala',
        argumentos: { sala, inicio, fim, responsavel: responsavel?.trim() },
      },
    };
  },

  perguntar(inputRequests) {
    const pergunta = lerPergunta(inputRequests);
    return pergunta
      ? { pergunta: linhaDeAlternativas(pergunta.salas) }
      : { recusa: 'O servidor MCP pediu algo que este agente não sabe perguntar' };
  },

  lerRespostas(message, inputRequests) {
    const pergunta = lerPergunta(inputRequests);
    if (!pergunta) return { recusa: 'A pergunta guardada não é uma escolha de sala' };
    const escolha = ESCOLHA.exec(textoDe(message))?.[1];
    if (escolha === RECUSAR) return { respostas: { [pergunta.chave]: { action: 'decline' } } };
    if (escolha === undefined || !pergunta.salas.includes(escolha))
      return { recusa: linhaDeAlternativas(pergunta.salas) };
    return { respostas: { [pergunta.chave]: { action: 'accept', content: { sala: escolha } } } };
  },

  despedir: () => ({ texto: 'Recusado: nada foi feito' }),

  apresentar(resultado, [politica]) {
    const reserva = Reserva.safeParse(resultado.structuredContent);
    const versao = /^versao: *(\S+)/.exec(politica ?? '')?.[1];
    if (!reserva.success || versao === undefined) return undefined;
    return {
      produto: { name: 'reserva', parts: [{ text: JSON.stringify({ ...reserva.data, politica: versao }) }] },
      texto: `Reserva ${reserva.data.reserva} confirmada na ${reserva.data.sala}.`,
    };
  },
};

function textoDe({ parts }: Message): string {
  return parts
    .map(({ text }) => text ?? '')
    .join('\n')
    .trim();
}

/** A chave é do servidor e volta igual; as salas vêm na ordem dele. */
function lerPergunta(inputRequests: InputRequests): { chave: string; salas: readonly string[] } | undefined {
  const [entrada, ...outras] = Object.entries(inputRequests);
  if (!entrada || outras.length > 0) return undefined;
  const pergunta = PerguntaDeSala.safeParse(entrada[1]);
  return pergunta.success
    ? { chave: entrada[0], salas: pergunta.data.params.requestedSchema.properties.sala }
    : undefined;
}

/** O avaliador compara esta linha byte a byte: sem prefixo e sem saudação. */
function linhaDeAlternativas(salas: readonly string[]): string {
  return `alternativas: ${salas.join(', ')}`;
}
