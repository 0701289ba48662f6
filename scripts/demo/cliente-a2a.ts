/** O mínimo de um cliente A2A: manda texto, lê a Task. */
import type { Task } from '../../agente/a2a/modelo.ts';

/** Como se chega a um agente: o `fetch` global, ou um handler em memória. */
export type Enviar = (request: Request) => Promise<Response>;

/**
 * Manda uma mensagem de texto.
 * @param traceparent vai no header; o agente o propaga a cada request MCP que fizer por causa dela.
 * @param taskId a Task que a mensagem continua; sem ele, abre outra.
 * @throws {Error} com a mensagem do agente, se ele responder um erro.
 */
export async function enviarMensagem(
  enviar: Enviar,
  url: string,
  texto: string,
  traceparent: string,
  taskId?: string,
): Promise<Task> {
  const message = {
    messageId: crypto.randomUUID(),
    role: 'ROLE_USER',
    parts: [{ text: texto }],
    ...(taskId && { taskId }),
  };
  const resposta = await enviar(
    new Request(`${url}/a2a`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'a2a-version': '1.0', traceparent },
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'SendMessage', params: { message } }),
    }),
  );
  const { result, error } = (await resposta.json()) as {
    result?: { task: Task };
    error?: { code: number; message: string };
  };
  if (!result) throw new Error(`O agente respondeu um erro: ${error?.code} ${error?.message}`);
  return result.task;
}
