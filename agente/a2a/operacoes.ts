/** As operações da A2A 1.0 (spec §3.1), iguais para todos os bindings: parâmetros crus entram, resultado sai. */
import * as z from 'zod';
import type { Andamento, Desfecho, OpcoesDoNucleo } from './andamento.ts';
import type { AgentCard, AgentExtension } from './card.ts';
import {
  cardEstendidoNaoConfigurado,
  conteudoNaoSuportado,
  extensaoExigida,
  operacaoNaoSuportada,
  parametrosInvalidos,
  parametrosInvalidosDoZod,
  pushNaoSuportado,
} from './erros.ts';
import {
  CancelTaskRequest,
  GetTaskRequest,
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
export type Resultado =
  | { readonly json: unknown }
  | { readonly stream: AsyncIterableIterator<StreamResponse, undefined> };

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
  const exigidas = (card.capabilities.extensions ?? []).filter(({ required }) => required);
  const aceitos = new Set(
    [card.defaultInputModes, ...card.skills.map(({ inputModes }) => inputModes ?? [])]
      .flat()
      .map(semParametros),
  );

  async function receber(params: unknown, { headers }: Chamada): Promise<[Andamento<P>, SendMessageRequest]> {
    const pedido = validar(SendMessageRequest, params);
    const { message, configuration, metadata } = pedido;
    conferirExtensoes(exigidas, headers);
    if (configuration?.taskPushNotificationConfig !== undefined) throw pushNaoSuportado();
    conferirMidia(message.parts, aceitos);
    const acceptedOutputModes = configuration?.acceptedOutputModes ?? [];
    const entrada = { message, acceptedOutputModes, metadata, headers };
    if (message.taskId === undefined) return [motor.abrir(entrada), pedido];
    const { task } = await motor.ler(message.taskId);
    if (message.contextId !== undefined && message.contextId !== task.contextId) {
      throw parametrosInvalidos([
        { field: 'message.contextId', description: 'não é o contextId desta Task' },
      ]);
    }
    return [await motor.retomar(message.taskId, entrada), pedido];
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
      const eventos = motor.assinar(andamento.taskId, 'turno');
      andamento.comecar();
      chamada.waitUntil(andamento.fim.catch(() => eventos.encerrar()));
      try {
        const desfecho = await andamento.aberta;
        eventos.comecarPor(emResposta(desfecho, configuration?.historyLength), 0);
        if ('message' in desfecho) eventos.encerrar();
        return { stream: eventos };
      } catch (erro) {
        await eventos.return();
        throw erro;
      }
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
      // Assina antes de ler, para nada se perder entre as duas coisas; o que a leitura já contar não se repete.
      const eventos = motor.assinar(id, 'task');
      try {
        const { task, versao } = await motor.ler(id);
        const { state } = task.status;
        if (terminal(state))
          throw operacaoNaoSuportada(`A Task já terminou em ${state}: use GetTask`, { taskId: id, state });
        return { stream: eventos.comecarPor({ task }, versao) };
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

const { localeError } = z.locales.pt();
const explicar: z.core.$ZodErrorMap = (queixa) =>
  queixa.input === undefined ? 'é obrigatório' : localeError(queixa);

/** @throws {ErroA2A} -32602 com uma violação por campo. */
function validar<Esquema extends z.ZodType>(esquema: Esquema, params: unknown): z.output<Esquema> {
  const lido = esquema.safeParse(params ?? {}, { error: explicar });
  if (!lido.success) throw parametrosInvalidosDoZod(lido.error);
  return lido.data;
}

/** Quem não declara uma extensão que o card exige não pode mandar mensagens (spec §3.3.4). */
function conferirExtensoes(exigidas: readonly AgentExtension[], headers: Headers): void {
  if (exigidas.length === 0) return;
  const declaradas = (headers.get('a2a-extensions') ?? '').split(',').map((uri) => uri.trim());
  const faltam = exigidas.filter(({ uri }) => !declaradas.includes(uri));
  if (faltam.length > 0) throw extensaoExigida(faltam.map(({ uri }) => uri));
}

function conferirMidia(parts: readonly Part[], aceitos: ReadonlySet<string>): void {
  for (const part of parts) {
    const tipo = semParametros(part.mediaType ?? tipoPresumido(part));
    if (!aceitos.has(tipo)) throw conteudoNaoSuportado(tipo, [...aceitos]);
  }
}

/** Só o tipo decide se o conteúdo serve, e ele não distingue maiúsculas (RFC 9110 §8.3.1). */
function semParametros(mediaType: string): string {
  return mediaType.split(';', 1)[0]?.trim().toLowerCase() ?? '';
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

function semStreaming(): Error {
  return operacaoNaoSuportada('Este agente não faz streaming: use SendMessage e acompanhe com GetTask');
}
