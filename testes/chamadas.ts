/** Chamadas aos dois processos por HTTP, como as faz um cliente qualquer. */
import assert from 'node:assert/strict';
import type { Task } from '../agente/a2a/modelo.ts';
import type { Reserva } from '../servidor-mcp/agenda.ts';
import { instante, type RespostaRpc, SALAS } from './bancada.ts';

let proximoId = 1;

/** Cada chamada na sua conexão: a de uma anterior podia estar sendo fechada pelo servidor bem na hora de reusá-la. */
const SOZINHA = { connection: 'close' };

/** Uma chamada JSON-RPC ao agente, com a resposta como veio. */
export async function a2a(url: string, method: string, params: unknown): Promise<RespostaRpc> {
  const resposta = await fetch(url, {
    method: 'POST',
    headers: { ...SOZINHA, 'content-type': 'application/json', 'a2a-version': '1.0' },
    body: JSON.stringify({ jsonrpc: '2.0', id: proximoId++, method, params }),
  });
  return (await resposta.json()) as RespostaRpc;
}

/** Um SendMessage de texto; com `taskId`, uma continuação. */
export function enviar(
  url: string,
  text: string,
  taskId?: string,
  configuration: Record<string, unknown> = {},
): Promise<RespostaRpc> {
  return a2a(url, 'SendMessage', {
    message: {
      messageId: crypto.randomUUID(),
      role: 'ROLE_USER',
      parts: [{ text }],
      ...(taskId && { taskId }),
    },
    configuration,
  });
}

/** A Task, como o GetTask a dá. */
export async function lerTask(url: string, id: string): Promise<Task> {
  const { result, error } = await a2a(url, 'GetTask', { id });
  assert.ok(result, error?.message);
  return result as unknown as Task;
}

/** Quantas Tasks o agente guarda. */
export async function contarTasks(url: string): Promise<number> {
  const { result } = await a2a(url, 'ListTasks', { pageSize: 1 });
  return result?.totalSize as number;
}

/** O corpo e os headers de um request MCP bem formado. */
export function requestMcp(
  method: string,
  params: Record<string, unknown>,
): { readonly headers: Record<string, string>; readonly corpo: Record<string, unknown> } {
  return {
    headers: {
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      'mcp-protocol-version': '2026-07-28',
      'mcp-method': method,
      ...(typeof params.name === 'string' && { 'mcp-name': params.name }),
    },
    corpo: {
      jsonrpc: '2.0',
      id: proximoId++,
      method,
      params: {
        ...params,
        _meta: {
          'io.modelcontextprotocol/protocolVersion': '2026-07-28',
          'io.modelcontextprotocol/clientCapabilities': { elicitation: { form: {} } },
        },
      },
    },
  };
}

/** Chama uma ferramenta e exige um resultado. */
export async function ferramenta(
  url: string,
  name: string,
  args: Record<string, unknown>,
): Promise<NonNullable<RespostaRpc['result']>> {
  const { headers, corpo } = requestMcp('tools/call', { name, arguments: args });
  const resposta = await fetch(url, {
    method: 'POST',
    headers: { ...SOZINHA, ...headers },
    body: JSON.stringify(corpo),
  });
  const { result, error } = (await resposta.json()) as RespostaRpc;
  assert.ok(result, error?.message);
  return result;
}

/** As reservas de todas as salas nos dias dados (AAAA-MM-DD), em qualquer hora permitida. */
export async function lerReservas(url: string, dias: readonly string[]): Promise<Reserva[]> {
  const perguntas = dias.flatMap((dia) =>
    SALAS.flatMap(({ id: sala }) =>
      [8, 10, 12, 14, 16, 18].map((hora) => ({
        sala,
        inicio: instante(dia, hora),
        fim: instante(dia, hora + 2),
      })),
    ),
  );
  const achadas = new Map<string, Reserva>();
  await Promise.all(
    perguntas.map(async (pergunta) => {
      const { structuredContent } = await ferramenta(url, 'consultar_disponibilidade', pergunta);
      const { conflitos } = structuredContent as { conflitos: Omit<Reserva, 'sala'>[] };
      for (const reserva of conflitos) achadas.set(reserva.id, { ...reserva, sala: pergunta.sala });
    }),
  );
  return [...achadas.values()];
}
