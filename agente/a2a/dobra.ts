/** A dobra: cada atualização do executor vira uma Task nova e o evento que a conta. Funções puras, fora os ids. */
import type { Atualizacao } from './executor.ts';
import type { Artifact, Message, Part, StreamResponse, Task, TaskState } from './modelo.ts';

/** O resultado de dobrar uma atualização. */
export interface Dobra {
  readonly task: Task;
  readonly evento: StreamResponse;
}

const ESTADO_DE = {
  working: 'TASK_STATE_WORKING',
  inputRequired: 'TASK_STATE_INPUT_REQUIRED',
  completed: 'TASK_STATE_COMPLETED',
  failed: 'TASK_STATE_FAILED',
  canceled: 'TASK_STATE_CANCELED',
  rejected: 'TASK_STATE_REJECTED',
} as const satisfies Record<string, TaskState>;

/** Abre uma Task nova, em SUBMITTED, com a mensagem do cliente no histórico. `agora` em ms. */
export function abrirTask(message: Message, agora: number): Task {
  const task: Task = {
    id: crypto.randomUUID(),
    contextId: message.contextId ?? crypto.randomUUID(),
    status: { state: 'TASK_STATE_SUBMITTED', timestamp: instante(agora) },
    artifacts: [],
    history: [],
  };
  return receberMensagem(task, message, 1);
}

/**
 * A mensagem do cliente entra no histórico, ligada à Task.
 * @param maximo quantas mensagens o histórico guarda; passando disso, as mais antigas saem.
 */
export function receberMensagem(task: Task, message: Message, maximo: number): Task {
  // Com `{ ...message, taskId }` o V8 daria a cada mensagem uma forma só dela: duzentos bytes a mais por Task guardada.
  const ligada = Object.assign({}, message, { taskId: task.id, contextId: task.contextId });
  const history = task.history.concat(ligada);
  return { ...task, history: history.slice(-maximo) };
}

/**
 * Dobra uma atualização na Task.
 * @param agora ms; vira o `timestamp` do estado.
 * @returns a Task nova e o evento; `undefined` se nada muda (um `working()` sem mensagem em quem já trabalha).
 * @throws {Error} se a atualização for uma resposta direta (com a Task aberta ela não cabe mais), ou malformada.
 */
export function dobrar(task: Task, atualizacao: Atualizacao<unknown>, agora: number): Dobra | undefined {
  switch (atualizacao.tipo) {
    case 'message':
      throw new Error('resposta direta depois de a Task estar aberta');
    case 'artifact':
      return dobrarArtifact(task, atualizacao);
    default: {
      const state = ESTADO_DE[atualizacao.tipo];
      if (state === task.status.state && !atualizacao.parts) return undefined;
      const message = atualizacao.parts && mensagemDoAgente(task, atualizacao.parts);
      return mudarEstado(task, { state, timestamp: instante(agora), ...(message && { message }) });
    }
  }
}

/** Volta a Task ao que era, com o histórico que tinha; só o `timestamp` é de agora (ms), porque o estado mudou agora. */
export function restaurar(anterior: Task, agora: number): Dobra {
  const status = { ...anterior.status, timestamp: instante(agora) };
  return { ...mudarEstado(anterior, status), task: { ...anterior, status } };
}

/** Muda o estado; a mensagem do agente, se houver, entra também no histórico, uma vez. */
function mudarEstado(task: Task, status: Task['status']): Dobra {
  const history = status.message ? task.history.concat(status.message) : task.history;
  const evento = { statusUpdate: { taskId: task.id, contextId: task.contextId, status } };
  return { task: { ...task, status, history }, evento };
}

/**
 * Uma mensagem do agente, com id próprio; `taskId` só quando há uma Task (spec §4.1.4).
 * @throws {Error} se `parts` estiver vazio.
 */
export function mensagemDoAgente(
  { id, contextId }: { readonly id?: string; readonly contextId: string },
  parts: readonly Part[],
): Message {
  exigirParts(parts);
  return { messageId: crypto.randomUUID(), role: 'ROLE_AGENT', parts, ...(id && { taskId: id }), contextId };
}

function dobrarArtifact(task: Task, atualizacao: Atualizacao<never> & { readonly tipo: 'artifact' }): Dobra {
  const { append, lastChunk } = atualizacao;
  exigirParts(atualizacao.artifact.parts);
  const pedaco: Artifact = { artifactId: crypto.randomUUID(), ...atualizacao.artifact };
  const existente = task.artifacts.find(({ artifactId }) => artifactId === pedaco.artifactId);
  const inteiro =
    append && existente ? { ...existente, parts: existente.parts.concat(pedaco.parts) } : pedaco;
  return {
    task: {
      ...task,
      artifacts: existente
        ? task.artifacts.map((outro) => (outro === existente ? inteiro : outro))
        : task.artifacts.concat(inteiro),
    },
    evento: {
      artifactUpdate: {
        taskId: task.id,
        contextId: task.contextId,
        artifact: pedaco,
        ...(append !== undefined && { append }),
        ...(lastChunk !== undefined && { lastChunk }),
      },
    },
  };
}

/** Mensagens e artifacts têm ao menos uma Part (REQUIRED no proto). */
function exigirParts(parts: readonly Part[]): void {
  if (parts.length === 0) throw new Error('o executor produziu conteúdo sem nenhuma Part');
}

function instante(agora: number): string {
  return new Date(agora).toISOString();
}
