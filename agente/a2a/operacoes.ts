/** As operações da A2A 1.0 (spec §3.1), iguais para todos os bindings: parâmetros crus entram, resultado sai. */
import * as z from 'zod';
import type { Andamento, Desfecho, OpcoesDoNucleo } from './andamento.ts';
import type { Assinatura } from './canais.ts';
import type { AgentCard } from './card.ts';
import {
  cardEstendidoNaoConfigurado,
  conteudoNaoSuportado,
  operacaoNaoSuportada,
  parametrosInvalidos,
  parametrosInvalidosDoZod,
  pushNaoSuportado,
} from './erros.ts';
import {
  CancelTaskRequest,
  GetTaskRequest,
  interrompido,
  ListTasksRequest,
  type Message,
  type Part,
  SendMessageRequest,
  type StreamResponse,
  SubscribeToTaskRequest,
  type Task,
  terminal,
} from './modelo.ts';
import { Motor } from './motor.ts';

/** O que acompanha cada chamada. */
export interface Chamada {
  readonly headers: Headers;
  /** Entrega ao runtime um trabalho que continua depois da resposta. */
  readonly waitUntil: (trabalho: Promise<unknown>) => void;
}

/** O resultado de uma operação: um objeto, ou um stream de eventos. */
export type Resultado = { readonly json: unknown } | { readonly stream: AsyncIterable<StreamResponse> };

type Operacao = (params: unknown, chamada: Chamada) => Promise<Resultado>;

/** Os nomes das operações, como no proto e no JSON-RPC (spec §5.3). */
export type NomeDeOperacao =
  | 'SendMessage'
  | 'SendStreamingMessage'
  | 'GetTask'
  | 'ListTasks'
  | 'CancelTask'
  | 'SubscribeToTask'
  | 'CreateTaskPushNotificationConfig'
  | 'GetTaskPushNotificationConfig'
  | 'ListTaskPushNotificationConfigs'
  | 'DeleteTaskPushNotificationConfig'
  | 'GetExtendedAgentCard';

export type Operacoes = Readonly<Record<NomeDeOperacao, Operacao>>;

/**
 * Monta as operações de um agente. Todas lançam só `ErroA2A` por culpa do cliente.
 * @param card decide o que existe: sem `streaming`, os dois métodos de stream respondem -32004, e assim por diante.
 */
export function criarOperacoes<P>(card: AgentCard, opcoes: OpcoesDoNucleo<P>): Operacoes {
  const motor = new Motor(opcoes);
  const streaming = card.capabilities.streaming === true;
  const aceitos = new Set(
    [card.defaultInputModes, ...card.skills.map(({ inputModes }) => inputModes ?? [])].flat(),
  );

  async function receber(params: unknown, { headers }: Chamada): Promise<[Andamento<P>, SendMessageRequest]> {
    const pedido = validar(SendMessageRequest, params);
    const { message, configuration } = pedido;
    if (configuration?.taskPushNotificationConfig !== undefined) throw pushNaoSuportado();
    conferirMidia(message.parts, aceitos);
    if (message.taskId === undefined) return [motor.abrir(message, headers), pedido];
    const { task } = await motor.ler(message.taskId);
    if (message.contextId !== undefined && message.contextId !== task.contextId) {
      throw parametrosInvalidos([
        { field: 'message.contextId', description: 'não é o contextId desta Task' },
      ]);
    }
    return [await motor.retomar(message.taskId, message, headers), pedido];
  }

  const push: Operacao = async () => {
    throw pushNaoSuportado();
  };

  return {
    async SendMessage(params, chamada) {
      const [andamento, { configuration }] = await receber(params, chamada);
      andamento.comecar();
      chamada.waitUntil(andamento.fim.catch(() => undefined));
      const desfecho = await (configuration?.returnImmediately ? andamento.aberta : andamento.fim);
      return { json: emResposta(desfecho, configuration?.historyLength) };
    },

    async SendStreamingMessage(params, chamada) {
      if (!streaming) throw semStreaming();
      const [andamento, { configuration }] = await receber(params, chamada);
      const eventos = motor.assinar(andamento.taskId);
      andamento.comecar();
      chamada.waitUntil(andamento.fim.catch(() => eventos.encerrar()));
      const desfecho = await andamento.aberta;
      return { stream: acompanharTurno(emResposta(desfecho, configuration?.historyLength), eventos) };
    },

    async GetTask(params) {
      const { id, historyLength } = validar(GetTaskRequest, params);
      const { task } = await motor.ler(id);
      return { json: comHistorico(task, historyLength) };
    },

    async ListTasks(params) {
      const { historyLength, includeArtifacts, ...listagem } = validar(ListTasksRequest, params);
      const pagina = await opcoes.armazem.list(listagem);
      if (!pagina) {
        throw parametrosInvalidos([{ field: 'pageToken', description: 'não foi emitido por este agente' }]);
      }
      const tasks = pagina.tasks.map((task) => {
        const { artifacts, ...resto } = comHistorico(task, historyLength);
        return includeArtifacts ? { ...resto, artifacts } : resto;
      });
      return {
        json: { tasks, nextPageToken: pagina.proximo, pageSize: listagem.pageSize, totalSize: pagina.total },
      };
    },

    async CancelTask(params) {
      const { id } = validar(CancelTaskRequest, params);
      return { json: await motor.cancelar(id) };
    },

    async SubscribeToTask(params) {
      if (!streaming) throw semStreaming();
      const { id } = validar(SubscribeToTaskRequest, params);
      // Assina antes de ler: um evento entre as duas coisas chega repetido no instantâneo, mas nunca se perde.
      const eventos = motor.assinar(id);
      try {
        const { task } = await motor.ler(id);
        const { state } = task.status;
        if (terminal(state))
          throw operacaoNaoSuportada(`A Task já terminou em ${state}: use GetTask`, { taskId: id, state });
        return { stream: precedidos({ task }, eventos) };
      } catch (erro) {
        await eventos.return();
        throw erro;
      }
    },

    CreateTaskPushNotificationConfig: push,
    GetTaskPushNotificationConfig: push,
    ListTaskPushNotificationConfigs: push,
    DeleteTaskPushNotificationConfig: push,

    async GetExtendedAgentCard() {
      throw card.capabilities.extendedAgentCard
        ? cardEstendidoNaoConfigurado()
        : operacaoNaoSuportada('Este agente não tem card estendido: o público é tudo');
    },
  };
}

/** @throws {ErroA2A} -32602 com uma violação por campo. */
function validar<Esquema extends z.ZodType>(esquema: Esquema, params: unknown): z.output<Esquema> {
  const lido = esquema.safeParse(params ?? {}, { error: z.locales.pt().localeError });
  if (!lido.success) throw parametrosInvalidosDoZod(lido.error);
  return lido.data;
}

function conferirMidia(parts: readonly Part[], aceitos: ReadonlySet<string>): void {
  for (const part of parts) {
    const tipo = (part.mediaType ?? tipoPresumido(part)).split(';', 1)[0]?.trim().toLowerCase() ?? '';
    if (!aceitos.has(tipo)) throw conteudoNaoSuportado(tipo, [...aceitos]);
  }
}

function tipoPresumido(part: Part): string {
  if (part.text !== undefined) return 'text/plain';
  return part.data !== undefined ? 'application/json' : 'application/octet-stream';
}

function emResposta(
  desfecho: Desfecho,
  historyLength: number | undefined,
): { task: Task } | { message: Message } {
  return 'task' in desfecho ? { task: comHistorico(desfecho.task, historyLength) } : desfecho;
}

/** Ausente: tudo. 0: sem o campo. n: as n mensagens mais novas (spec §3.2.4). */
function comHistorico(task: Task, historyLength: number | undefined): Task {
  if (historyLength === undefined) return task;
  if (historyLength > 0) return { ...task, history: task.history.slice(-historyLength) };
  const { history: _omitido, ...resto } = task;
  return resto as Task;
}

/** O stream de um envio acaba quando a Task para: de vez, ou à espera do cliente (spec §3.1.2, §11.7). */
async function* acompanharTurno(
  primeiro: { task: Task } | { message: Message },
  eventos: Assinatura,
): AsyncGenerator<StreamResponse, void> {
  try {
    yield primeiro;
    if ('message' in primeiro) return;
    for await (const evento of eventos) {
      yield evento;
      if ('statusUpdate' in evento && interrompido(evento.statusUpdate.status.state)) return;
    }
  } finally {
    await eventos.return();
  }
}

async function* precedidos(
  primeiro: StreamResponse,
  eventos: Assinatura,
): AsyncGenerator<StreamResponse, void> {
  try {
    yield primeiro;
    yield* eventos;
  } finally {
    await eventos.return();
  }
}

function semStreaming(): Error {
  return operacaoNaoSuportada('Este agente não faz streaming: use SendMessage e acompanhe com GetTask');
}
