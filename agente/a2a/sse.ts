/** Eventos de uma Task como Server-Sent Events (spec §9.4.2, §11.7). */
import type { Context } from 'hono';
import { streamSSE } from 'hono/streaming';
import type { StreamResponse } from './modelo.ts';

/**
 * Responde com um evento SSE por item. Se o cliente vai embora, só a assinatura dele acaba; a Task continua.
 * @param envelopar o que vai em `data`: o evento puro, ou dentro de uma resposta JSON-RPC.
 */
export function responderEventos(
  c: Context,
  eventos: AsyncIterableIterator<StreamResponse, undefined>,
  envelopar: (evento: StreamResponse) => unknown,
): Response {
  if (c.req.method === 'HEAD') {
    // O Hono responde HEAD como GET e joga o corpo fora: ninguém leria os eventos, nem avisaria que foi embora.
    void eventos.return?.();
    return c.body(null, 200, { 'content-type': 'text/event-stream' });
  }
  return streamSSE(c, async (saida) => {
    saida.onAbort(async () => {
      await eventos.return?.();
    });
    for await (const evento of eventos) {
      await saida.writeSSE({ data: JSON.stringify(envelopar(evento)) });
    }
  });
}
