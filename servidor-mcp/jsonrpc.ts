/** O que a borda HTTP precisa saber de JSON-RPC 2.0: reconhecer um request e responder um erro. */

/** O objeto `error` de uma resposta. */
export interface ErroJsonRpc {
  readonly code: number;
  readonly message: string;
  readonly data?: unknown;
}

/** Um request bem formado: tem método e um id que pode ser ecoado. */
export interface RequestJsonRpc {
  readonly id: string | number;
  readonly method: string;
  readonly params?: unknown;
}

/** Reconhece um request pela forma. Notificações, respostas, lotes e o resto não são requests. */
export function ehRequest(corpo: unknown): corpo is RequestJsonRpc {
  if (typeof corpo !== 'object' || corpo === null) return false;
  const { jsonrpc, id, method } = corpo as Record<string, unknown>;
  return (
    jsonrpc === '2.0' && typeof method === 'string' && (typeof id === 'string' || typeof id === 'number')
  );
}

/**
 * Monta a resposta de erro.
 * @param id o id do request, ou `null` quando não se chegou a conhecê-lo.
 */
export function respostaDeErro(
  status: number,
  erro: ErroJsonRpc,
  id: string | number | null = null,
): Response {
  return Response.json({ jsonrpc: '2.0', id, error: erro }, { status });
}
