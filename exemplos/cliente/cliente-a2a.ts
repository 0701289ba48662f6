/**
 * Um cliente A2A 1.0 mínimo, sobre JSON-RPC: o bastante para ver o que vai no fio (spec §9).
 * Para produção há o `@a2a-js/sdk`; ele faz o mesmo, mas esconde a forma das mensagens, que aqui é a lição.
 */
import { type AgentCard, type AgentInterface, CAMINHO_DO_CARD } from '../../agente/a2a/card.ts';
import type { Message, Part, StreamResponse, Task } from '../../agente/a2a/modelo.ts';
import { VERSAO_DA_A2A } from '../../agente/a2a/versao.ts';
import { lerEventos } from './sse.ts';

/** Como se chega ao agente: o `fetch` do runtime ou, em memória, o handler do próprio agente. */
export type Buscar = (request: Request) => Promise<Response>;

/** Um erro que o agente devolveu, com o nome que a spec lhe dá (§5.4). */
export class ErroDoAgente extends Error {
  override name = 'ErroDoAgente';
  readonly codigo: number;
  /** Por exemplo `TASK_NOT_FOUND`; ausente nos erros que são só do JSON-RPC. */
  readonly motivo: string | undefined;
  constructor({ code, message, data }: ErroJsonRpc) {
    super(message);
    this.codigo = code;
    this.motivo = data?.find(({ reason }) => reason !== undefined)?.reason;
  }
}

/** A Task a que uma mensagem pertence; sem ela, a mensagem abre uma. */
export interface Destino {
  readonly taskId?: string | undefined;
}

/** Um agente descoberto. Tudo o que se sabe dele está no card: a URL, o binding, as skills. */
export interface ClienteA2A {
  readonly card: AgentCard;
  readonly interface: AgentInterface;
  /** SendMessage: espera a Task terminar ou pausar. @throws {ErroDoAgente} */
  enviar(parts: readonly Part[], destino?: Destino): Promise<Task>;
  /** SendStreamingMessage: cada evento, na ordem. @throws {ErroDoAgente} */
  acompanhar(parts: readonly Part[], destino?: Destino): AsyncGenerator<StreamResponse>;
  /** GetTask. @throws {ErroDoAgente} */
  lerTask(id: string): Promise<Task>;
}

/**
 * Descobre um agente: lê o card e escolhe a primeira interface JSON-RPC da versão 1.0 (spec §8.3).
 * @param base onde o card é publicado, sem barra no fim.
 * @throws {Error} se não há card ali, ou se o agente não fala JSON-RPC 1.0.
 */
export async function conectar(base: string, buscar: Buscar = fetch): Promise<ClienteA2A> {
  const resposta = await buscar(new Request(`${base}${CAMINHO_DO_CARD}`));
  if (!resposta.ok) throw new Error(`Não há card em ${base}${CAMINHO_DO_CARD} (HTTP ${resposta.status})`);
  const card = (await resposta.json()) as AgentCard;
  const escolhida = card.supportedInterfaces.find(
    ({ protocolBinding, protocolVersion }) =>
      protocolBinding === 'JSONRPC' && protocolVersion === VERSAO_DA_A2A,
  );
  if (!escolhida) throw new Error(`${card.name} não fala JSON-RPC ${VERSAO_DA_A2A}`);

  const pedir = (method: string, params: unknown): Promise<Response> =>
    buscar(
      new Request(escolhida.url, {
        method: 'POST',
        // Sem A2A-Version um servidor lê o request como 0.3 (spec §3.6.2).
        headers: { 'content-type': 'application/json', 'a2a-version': VERSAO_DA_A2A },
        body: JSON.stringify({ jsonrpc: '2.0', id: crypto.randomUUID(), method, params }),
      }),
    );
  const chamar = async <R>(method: string, params: unknown): Promise<R> =>
    abrir<R>((await (await pedir(method, params)).json()) as RespostaJsonRpc);

  return {
    card,
    interface: escolhida,

    async enviar(parts, destino) {
      const result = await chamar<{ task?: Task }>('SendMessage', { message: mensagem(parts, destino) });
      if (!result.task) throw new Error('O agente respondeu com uma Message, sem abrir Task');
      return result.task;
    },

    async *acompanhar(parts, destino) {
      const resposta = await pedir('SendStreamingMessage', { message: mensagem(parts, destino) });
      if (!resposta.headers.get('content-type')?.startsWith('text/event-stream')) {
        // Um erro que acontece antes do primeiro evento vem como resposta comum.
        yield abrir<StreamResponse>((await resposta.json()) as RespostaJsonRpc);
        return;
      }
      for await (const dados of lerEventos(resposta)) {
        yield abrir<StreamResponse>(JSON.parse(dados) as RespostaJsonRpc);
      }
    },

    lerTask: (id) => chamar<Task>('GetTask', { id }),
  };
}

interface ErroJsonRpc {
  readonly code: number;
  readonly message: string;
  readonly data?: readonly { readonly reason?: string }[];
}

type RespostaJsonRpc = { readonly result?: unknown; readonly error?: ErroJsonRpc };

function abrir<R>({ result, error }: RespostaJsonRpc): R {
  if (error) throw new ErroDoAgente(error);
  return result as R;
}

function mensagem(parts: readonly Part[], { taskId }: Destino = {}): Message {
  return { messageId: crypto.randomUUID(), role: 'ROLE_USER', parts, ...(taskId && { taskId }) };
}
