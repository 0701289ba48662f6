/** Um cliente mínimo para cada binding, com a mesma forma: os mesmos casos correm nos dois. */
import assert from 'node:assert/strict';
import type { Message, StreamResponse, Task } from '../../agente/a2a/modelo.ts';
import type { NomeDeOperacao } from '../../agente/a2a/operacoes.ts';

/** Os parâmetros de uma operação, como o teste os quer: certos ou errados. */
export type Params = Readonly<Record<string, unknown>>;

/** O que veio de volta quando não deu certo, com o que os dois bindings têm em comum. */
export class Falha extends Error {
  /** O código JSON-RPC, ou o status HTTP repetido no corpo. */
  readonly codigo: number;
  readonly http: number;
  /** O nome do google.rpc.Code; só no HTTP+JSON. */
  readonly status: string | undefined;
  readonly detalhes: readonly Params[];

  constructor(http: number, corpo: { code: number; message: string; status?: string; detalhes: unknown }) {
    super(corpo.message);
    assert.ok(corpo.detalhes === undefined || Array.isArray(corpo.detalhes), 'os detalhes são uma lista');
    this.http = http;
    this.codigo = corpo.code;
    this.status = corpo.status;
    this.detalhes = (corpo.detalhes ?? []) as readonly Params[];
  }
}

/** Um dos dois bindings. */
export interface Cliente {
  readonly nome: string;
  /** @throws {Falha} se a resposta for um erro do protocolo. */
  chamar(operacao: NomeDeOperacao, params: Params, headers?: Record<string, string>): Promise<unknown>;
  /** Abre um stream. @throws {Falha} se a resposta não for um. */
  acompanhar(operacao: NomeDeOperacao, params: Params, signal?: AbortSignal): Promise<Eventos>;
}

/** Os eventos de um stream SSE, na ordem. */
export type Eventos = AsyncGenerator<StreamResponse, void, void>;

/** Os dois clientes do agente nesta URL, que pode só ser conhecida depois. */
export const clientes = (url: () => string): readonly [Cliente, Cliente] => [
  {
    nome: 'JSON-RPC',
    async chamar(method, params, headers = {}) {
      const resposta = await postar(`${url()}/a2a`, { jsonrpc: '2.0', id: 7, method, params }, headers);
      assert.equal(resposta.status, 200);
      return desembrulhar(await resposta.json());
    },
    async acompanhar(method, params, signal) {
      const corpo = { jsonrpc: '2.0', id: 7, method, params };
      const resposta = await postar(`${url()}/a2a`, corpo, {}, signal);
      assert.equal(resposta.status, 200);
      if (!ehStream(resposta)) return desembrulhar(await resposta.json()) as never;
      return lerSse(resposta, (evento) => desembrulhar(evento) as StreamResponse);
    },
  },
  {
    nome: 'HTTP+JSON',
    async chamar(operacao, params, headers = {}) {
      const resposta = await pedirRecurso(url(), operacao, params, headers);
      return lerRecurso(resposta);
    },
    async acompanhar(operacao, params, signal) {
      const resposta = await pedirRecurso(url(), operacao, params, {}, signal);
      if (!ehStream(resposta)) return (await lerRecurso(resposta)) as never;
      return lerSse(resposta, (evento) => evento as StreamResponse);
    },
  },
];

/** Uma mensagem válida; o prefixo do id diz ao agente de prova o que fazer. */
export function mensagem(prefixo: string, mudancas: Params = {}): Params & { readonly messageId: string } {
  const messageId = `${prefixo}-${crypto.randomUUID()}`;
  return { messageId, role: 'ROLE_USER', parts: [{ text: 'oi' }], ...mudancas };
}

/** Um SendMessage que dá numa Task. */
export async function enviar(
  cliente: Cliente,
  message: Params,
  configuration: Params = {},
  headers: Record<string, string> = {},
): Promise<Task> {
  const params = { message, configuration };
  const resultado = (await cliente.chamar('SendMessage', params, headers)) as {
    task?: Task;
    message?: Message;
  };
  assert.ok(resultado.task, `esperava uma Task, veio ${JSON.stringify(resultado)}`);
  return resultado.task;
}

/** A Task, como o GetTask a dá. */
export async function ler(cliente: Cliente, id: string, params: Params = {}): Promise<Task> {
  return (await cliente.chamar('GetTask', { id, ...params })) as Task;
}

const ENDERECOS: Readonly<Record<NomeDeOperacao, (id: string, config: string) => readonly [string, string]>> =
  {
    SendMessage: () => ['POST', '/message:send'],
    SendStreamingMessage: () => ['POST', '/message:stream'],
    GetTask: (id) => ['GET', `/tasks/${id}`],
    ListTasks: () => ['GET', '/tasks'],
    CancelTask: (id) => ['POST', `/tasks/${id}:cancel`],
    SubscribeToTask: (id) => ['POST', `/tasks/${id}:subscribe`],
    CreateTaskPushNotificationConfig: (id) => ['POST', `/tasks/${id}/pushNotificationConfigs`],
    GetTaskPushNotificationConfig: (id, config) => ['GET', `/tasks/${id}/pushNotificationConfigs/${config}`],
    ListTaskPushNotificationConfigs: (id) => ['GET', `/tasks/${id}/pushNotificationConfigs`],
    DeleteTaskPushNotificationConfig: (id, config) => [
      'DELETE',
      `/tasks/${id}/pushNotificationConfigs/${config}`,
    ],
    GetExtendedAgentCard: () => ['GET', '/extendedAgentCard'],
  };

/** Os parâmetros vão no caminho, e o resto no corpo ou na query, conforme o método. */
function pedirRecurso(
  url: string,
  operacao: NomeDeOperacao,
  params: Params,
  headers: Record<string, string>,
  signal?: AbortSignal,
): Promise<Response> {
  const { id, taskId, ...resto } = params;
  const dePush = operacao.includes('PushNotification');
  const codificar = (valor: unknown): string => encodeURIComponent(String(valor ?? ''));
  const [metodo, caminho] = ENDERECOS[operacao](codificar(dePush ? taskId : id), codificar(id));
  if (metodo === 'POST') {
    const semCorpo = Object.keys(resto).length === 0 && operacao !== 'SendMessage';
    if (semCorpo) return fetch(url + caminho, { method: metodo, headers, signal: signal ?? null });
    return postar(url + caminho, resto, headers, signal);
  }
  const query = Object.entries(resto).map(([campo, valor]) => `${campo}=${codificar(valor)}`);
  return fetch(`${url}${caminho}${query.length > 0 ? `?${query.join('&')}` : ''}`, {
    method: metodo,
    headers,
  });
}

function postar(
  url: string,
  corpo: unknown,
  headers: Record<string, string>,
  signal?: AbortSignal,
): Promise<Response> {
  return fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify(corpo),
    signal: signal ?? null,
  });
}

function desembrulhar(corpo: unknown): unknown {
  const { jsonrpc, id, result, error } = corpo as {
    jsonrpc: string;
    id: unknown;
    result?: unknown;
    error?: { code: number; message: string; data?: unknown };
  };
  assert.equal(jsonrpc, '2.0');
  assert.equal(id, 7);
  if (error) throw new Falha(200, { ...error, detalhes: error.data });
  return result;
}

async function lerRecurso(resposta: Response): Promise<unknown> {
  const corpo = (await resposta.json()) as {
    error?: { code: number; message: string; status: string; details: unknown };
  };
  if (resposta.ok) return corpo;
  assert.ok(corpo.error, JSON.stringify(corpo));
  assert.equal(corpo.error.code, resposta.status);
  throw new Falha(resposta.status, { ...corpo.error, detalhes: corpo.error.details });
}

function ehStream(resposta: Response): boolean {
  return resposta.headers.get('content-type')?.startsWith('text/event-stream') === true;
}

async function* lerSse(resposta: Response, abrir: (evento: unknown) => StreamResponse): Eventos {
  assert.ok(resposta.body);
  let resto = '';
  for await (const texto of resposta.body.pipeThrough(new TextDecoderStream())) {
    const blocos = (resto + texto).split('\n\n');
    resto = blocos.pop() ?? '';
    for (const bloco of blocos) {
      const dados = bloco.split('\n').map((linha) => /^data: (.*)$/.exec(linha)?.[1]);
      assert.equal(dados.length, 1, bloco);
      yield abrir(JSON.parse(dados[0] ?? ''));
    }
  }
  assert.equal(resto, '');
}
