/**
 * O dialeto de qualquer servidor MCP: o cliente A2A fala em Parts `data`, e nada aqui sabe de que assunto se trata.
 *
 * Pedido: `{"ferramenta": "...", "argumentos": {...}}`. Pausa: `{"pedidos": {"<chave>": {"mensagem", "esquema"}}}`.
 * Resposta: `{"respostas": {"<chave>": {"action": "accept" | "decline" | "cancel", "content": {...}}}}`.
 */
import type { ElicitResult, InputRequest, InputRequests } from '@modelcontextprotocol/client';
import * as z from 'zod';
import type { Message, Part } from '../../agente/a2a/modelo.ts';
import type { Dialeto, Recusa } from '../../agente/dialeto.ts';
import { emParts } from './conteudo.ts';
import {
  comPadroes,
  conferir,
  descreverCampos,
  type Formulario,
  lerFormulario,
  type Problema,
  sabeConferir,
} from './formulario.ts';

const JSON_MEDIA = 'application/json';
const FORMATO_DO_PEDIDO = '{"ferramenta": "<nome>", "argumentos": {...}}';
const FORMATO_DA_RESPOSTA =
  '{"respostas": {"<chave>": {"action": "accept", "content": {...}}}}; action também pode ser decline ou cancel';

// Estritos: um campo com o nome errado viraria uma chamada sem ele.
const PedidoDeFerramenta = z.strictObject({
  ferramenta: z.string().min(1),
  argumentos: z.record(z.string(), z.unknown()).default({}),
});
const RespostasDoCliente = z.strictObject({
  respostas: z.record(
    z.string(),
    z.strictObject({
      action: z.enum(['accept', 'decline', 'cancel']),
      content: z.record(z.string(), z.unknown()).optional(),
    }),
  ),
});

/** @see Dialeto */
export const dialetoDeFerramentas: Dialeto = {
  recursos: [],

  lerPedido(message) {
    const pedido = PedidoDeFerramenta.safeParse(unicaPartData(message));
    return pedido.success
      ? { chamada: pedido.data }
      : {
          recusa: `Mande uma Part data, e uma só: ${FORMATO_DO_PEDIDO}. As ferramentas são as skills do card`,
        };
  },

  perguntar(inputRequests) {
    const formularios = lerFormularios(inputRequests);
    return 'recusa' in formularios ? formularios : { pergunta: comoPergunta(formularios) };
  },

  lerRespostas(message, inputRequests) {
    const formularios = lerFormularios(inputRequests);
    if ('recusa' in formularios) return formularios;
    const lidas = RespostasDoCliente.safeParse(unicaPartData(message));
    if (!lidas.success) {
      const motivo = `Responda com uma Part data, e uma só: ${FORMATO_DA_RESPOSTA}`;
      return { recusa: comoPergunta(formularios, [motivo]) };
    }
    const { respostas } = lidas.data;
    const desconhecidas = Object.keys(respostas).filter((chave) => !formularios.has(chave));
    const problemas = desconhecidas.map((chave) => `${chave}: não foi perguntado`);
    const aceitas: Record<string, ElicitResult> = {};
    for (const [chave, formulario] of formularios) {
      const resposta = Object.hasOwn(respostas, chave) ? respostas[chave] : undefined;
      if (resposta?.action === 'accept') {
        const content = comPadroes(resposta.content ?? {}, formulario);
        problemas.push(...conferir(content, formulario).map((problema) => comoTexto(chave, problema)));
        aceitas[chave] = { action: 'accept', content: content as NonNullable<ElicitResult['content']> };
      } else if (resposta) aceitas[chave] = { action: resposta.action };
      else problemas.push(`${chave}: falta responder`);
    }
    return problemas.length > 0 ? { recusa: comoPergunta(formularios, problemas) } : { respostas: aceitas };
  },

  despedir(resultado) {
    const parts = emParts(resultado);
    const textos = parts.flatMap(({ text, filename }) =>
      text !== undefined && filename === undefined ? [text] : [],
    );
    const texto = ['Você não quis responder, e o servidor MCP concluiu assim:', ...textos].join('\n');
    // O que não cabe numa frase é um produto, mesmo de uma Task cancelada.
    return textos.length === parts.length ? { texto } : { texto, produto: { name: 'resultado', parts } };
  },

  apresentar(resultado) {
    const parts = emParts(resultado);
    return parts.length > 0
      ? { produto: { name: 'resultado', parts }, texto: 'A ferramenta concluiu.' }
      : { texto: 'A ferramenta concluiu, sem devolver nada.' };
  },
};

type Formularios = ReadonlyMap<string, Formulario>;

/** Só se sabe perguntar por formulário: é a única capacidade que este host declara. */
function lerFormularios(inputRequests: InputRequests): Formularios | Recusa {
  const formularios = new Map<string, Formulario>();
  for (const [chave, pedido] of Object.entries(inputRequests)) {
    const formulario = pedido.method === 'elicitation/create' ? lerFormulario(pedido.params) : undefined;
    if (!formulario) {
      return { recusa: `O servidor MCP pediu ${descreverPedido(pedido)}: a Task não pode continuar` };
    }
    if (chave === '__proto__' || !sabeConferir(formulario)) {
      const motivo = 'um formulário cuja resposta este agente não sabe conferir';
      return { recusa: `O servidor MCP pediu ${motivo} (${chave}): a Task não pode continuar` };
    }
    formularios.set(chave, formulario);
  }
  return formularios;
}

function descreverPedido(pedido: InputRequest): string {
  if (pedido.method !== 'elicitation/create') return `${pedido.method}, que este agente não declara`;
  return pedido.params.mode === 'url'
    ? 'uma elicitation por URL, que este agente não declara'
    : 'um formulário que não é plano';
}

/** A pergunta para uma pessoa (texto) e para um programa (data); com os problemas da resposta anterior na frente. */
function comoPergunta(formularios: Formularios, problemas: readonly string[] = []): readonly Part[] {
  const linhas = problemas.map((problema) => `Não serve: ${problema}`);
  for (const [chave, formulario] of formularios) {
    linhas.push(`${chave}: ${formulario.message}`);
    linhas.push(...descreverCampos(formulario).map((campo) => `  ${campo}`));
  }
  linhas.push(`Responda nesta Task com uma Part data: ${FORMATO_DA_RESPOSTA}`);
  const pedidos = Array.from(formularios, ([chave, { message, requestedSchema }]) => [
    chave,
    { mensagem: message, esquema: requestedSchema },
  ]);
  return [
    { text: linhas.join('\n') },
    { data: { pedidos: Object.fromEntries(pedidos) }, mediaType: JSON_MEDIA },
  ];
}

function comoTexto(chave: string, { campo, motivo }: Problema): string {
  return campo === undefined ? `${chave}: ${motivo}` : `${chave}.${campo}: ${motivo}`;
}

function unicaPartData({ parts }: Message): unknown {
  const comDados = parts.filter(({ data }) => data !== undefined);
  return comDados.length === 1 ? comDados[0]?.data : undefined;
}
