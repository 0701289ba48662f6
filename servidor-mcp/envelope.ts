/** A conferência dos campos obrigatórios de `_meta` (MCP 2026-07-28, basic, `_meta`), antes do SDK. */
import {
  CLIENT_CAPABILITIES_META_KEY,
  PROTOCOL_VERSION_META_KEY,
  ProtocolErrorCode,
} from '@modelcontextprotocol/server';
import type { ErroJsonRpc } from './jsonrpc.ts';

/** As revisões do protocolo que este servidor fala. */
const VERSOES: readonly string[] = ['2026-07-28'];

const OBRIGATORIOS = [PROTOCOL_VERSION_META_KEY, CLIENT_CAPABILITIES_META_KEY];

/**
 * Confere um request. O SDK confere o resto (tipos, versão, headers), mas sem a versão no corpo e no header ele
 * responde -32022, e a spec manda -32602.
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

function campo(valor: unknown, nome: string): unknown {
  return typeof valor === 'object' && valor !== null && Object.hasOwn(valor, nome)
    ? (valor as Record<string, unknown>)[nome]
    : undefined;
}
