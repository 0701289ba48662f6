/** O que se confere num request antes do SDK, onde ele responde outra coisa que não o que a spec manda. */
import {
  CLIENT_CAPABILITIES_META_KEY,
  PROTOCOL_VERSION_META_KEY,
  ProtocolErrorCode,
} from '@modelcontextprotocol/server';
import type { ErroJsonRpc } from './jsonrpc.ts';

/** As revisões do protocolo que este servidor fala. */
const VERSOES: readonly string[] = ['2026-07-28'];

const LISTAS = new Set(['tools/list', 'resources/list', 'resources/templates/list']);

const OBRIGATORIOS = [PROTOCOL_VERSION_META_KEY, CLIENT_CAPABILITIES_META_KEY];

/**
 * Confere os campos obrigatórios de `_meta` (MCP 2026-07-28, basic, `_meta`). O SDK confere o resto (tipos, versão,
 * headers), mas sem a versão no corpo e no header ele responde -32022, e a spec manda -32602.
 * @param metodo o método do request.
 * @param params os `params` como vieram.
 * @returns o erro a responder com HTTP 400, ou `undefined` se os campos estão lá.
 */
export function erroDeEnvelope(metodo: string, params: unknown): ErroJsonRpc | undefined {
  const meta = campo(params, '_meta');
  const faltam = OBRIGATORIOS.filter((chave) => campo(meta, chave) === undefined);
  if (faltam.length === 0) return undefined;
  if (metodo === 'initialize' && faltam.includes(PROTOCOL_VERSION_META_KEY)) {
    // Um cliente antigo não tem como adivinhar o que aconteceu: a resposta lhe diz que versões existem aqui.
    const pedida = campo(params, 'protocolVersion');
    return {
      code: ProtocolErrorCode.UnsupportedProtocolVersion,
      message: 'Unsupported protocol version',
      data: { supported: VERSOES, ...(typeof pedida === 'string' && { requested: pedida }) },
    };
  }
  return {
    code: ProtocolErrorCode.InvalidParams,
    message: `Faltam campos obrigatórios em _meta: ${faltam.join(', ')}`,
    data: { envelope: { missing: faltam } },
  };
}

/**
 * Confere os dois parâmetros que o SDK, se vierem com o tipo errado, trata como falha dele (-32603, com o texto do erro).
 * @returns o erro -32602, ou `undefined`.
 */
export function erroDeParametros(metodo: string, params: unknown): ErroJsonRpc | undefined {
  if (LISTAS.has(metodo) && campo(params, 'cursor') !== undefined) {
    // server/utilities/pagination: um cursor que o servidor não emitiu é inválido, e nenhuma lista aqui é paginada.
    return { code: ProtocolErrorCode.InvalidParams, message: 'Cursor inválido' };
  }
  if (metodo === 'resources/read' && typeof campo(params, 'uri') !== 'string') {
    return { code: ProtocolErrorCode.InvalidParams, message: 'uri deve ser um texto' };
  }
  return undefined;
}

function campo(valor: unknown, nome: string): unknown {
  return typeof valor === 'object' && valor !== null ? (valor as Record<string, unknown>)[nome] : undefined;
}
