/** O binding JSON-RPC 2.0 sobre HTTP (spec §9): um POST, o método no corpo, sempre HTTP 200 para erros do protocolo. */
import type { Context } from 'hono';
import { lerJson } from '../../comum/corpo.ts';
import type { Atendimento } from './atendimento.ts';
import {
  conteudoNaoSuportado,
  type ErroA2A,
  jsonInvalido,
  metodoDesconhecido,
  requestInvalido,
} from './erros.ts';
import type { NomeDeOperacao, Operacoes } from './operacoes.ts';
import { responderEventos } from './sse.ts';
import { conferirVersao } from './versao.ts';

type Id = string | number | null;

/** Atende um request em JSON-RPC. Toda falha vira uma resposta JSON-RPC com o `id` de quem perguntou. */
export async function atenderJsonRpc(
  c: Context,
  operacoes: Operacoes,
  atendimento: Atendimento,
): Promise<Response> {
  let id: Id = null;
  try {
    if (!ehJson(c.req.header('content-type'))) {
      throw conteudoNaoSuportado(c.req.header('content-type') ?? '', ['application/json']);
    }
    const corpo = await lerJson(c.req.raw, atendimento.limiteDoCorpo);
    if ('falha' in corpo) {
      const erro = corpo.falha === 'grande' ? requestInvalido(corpo.motivo) : jsonInvalido(corpo.motivo);
      return emErro(atendimento.traduzir(erro), null, corpo.falha === 'grande' ? 413 : 200);
    }
    id = lerId(corpo.valor);
    const { method, params } = lerRequest(corpo.valor);
    atendimento.anotar({ metodo: method, id });
    conferirVersao(c.req.raw);
    if (!Object.hasOwn(operacoes, method)) throw metodoDesconhecido();
    const resultado = await operacoes[method as NomeDeOperacao](params, atendimento.chamada);
    if ('json' in resultado) return Response.json({ jsonrpc: '2.0', id, result: resultado.json });
    return responderEventos(c, resultado.stream, (result) => ({ jsonrpc: '2.0', id, result }));
  } catch (erro) {
    return emErro(atendimento.traduzir(erro), id, 200);
  }
}

/** Uma resposta de erro JSON-RPC. `data` só existe quando há detalhes. */
export function emErro(erro: ErroA2A, id: Id, http: number): Response {
  const data = erro.detalhes.length > 0 ? { data: erro.detalhes } : {};
  const error = { code: erro.codigo, message: erro.message, ...data };
  return Response.json({ jsonrpc: '2.0', id, error }, { status: http });
}

/** `application/json`, ou o tipo próprio da A2A (spec §14.1.1). */
export function ehJson(contentType: string | undefined): boolean {
  return /^application\/(a2a\+)?json\s*(;|$)/i.test(contentType ?? '');
}

/** O `id` volta com o tipo exato que veio; um número que o JSON já arredondou não voltaria igual. */
function lerId(corpo: unknown): Id {
  const id =
    typeof corpo === 'object' && corpo !== null && Object.hasOwn(corpo, 'id')
      ? (corpo as { id: unknown }).id
      : null;
  return typeof id === 'string' || (typeof id === 'number' && Math.abs(id) <= Number.MAX_SAFE_INTEGER)
    ? id
    : null;
}

function lerRequest(corpo: unknown): { method: string; params: unknown } {
  if (Array.isArray(corpo)) throw requestInvalido('A A2A não usa lotes: mande um request por POST');
  if (typeof corpo !== 'object' || corpo === null)
    throw requestInvalido('O corpo deve ser um objeto JSON-RPC 2.0');
  const { jsonrpc, method, params } = corpo as Record<string, unknown>;
  if (jsonrpc !== '2.0') throw requestInvalido('jsonrpc deve ser "2.0"');
  if (typeof method !== 'string' || method === '') throw requestInvalido('method deve ser um texto');
  if (lerId(corpo) === null) throw requestInvalido('id é obrigatório: um texto ou um número inteiro seguro');
  return { method, params };
}
