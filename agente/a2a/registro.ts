/** O que o agente guarda de uma Task: a parte pública, e ao lado dela o que nunca sai do processo. */
import type { Task, TaskState } from './modelo.ts';

/**
 * Uma Task guardada. Só `task` é serializada para clientes.
 * @template P o que o executor precisa para retomar a Task depois de uma pausa.
 */
export interface Registro<P> {
  readonly task: Task;
  /** Presente enquanto a Task espera o cliente. */
  readonly pausa?: P | undefined;
  /**
   * Uma resposta a esta pausa saiu, e não se sabe se foi executada. Repeti-la esclarece; cancelar agora poderia dizer
   * que nada foi feito quando foi.
   */
  readonly emDuvida?: boolean | undefined;
  /** Presente enquanto uma mensagem é trabalhada. */
  readonly trabalho?: Trabalho<P> | undefined;
  /** Cresce de um em um a cada gravação: é o que faz exatamente uma de duas mensagens simultâneas valer. */
  readonly versao: number;
}

/** Quem está trabalhando a Task agora, e como desfazer. */
export interface Trabalho<P> {
  readonly id: string;
  /** Depois deste instante (ms) sem gravar nada, considera-se que o processo que trabalhava morreu. */
  readonly vivoAte: number;
  /** A Task pausada, como era antes da mensagem em curso. */
  readonly anterior?: Pick<Registro<P>, 'task' | 'pausa' | 'emDuvida'> | undefined;
  /** Um CancelTask chegou, por outro processo, enquanto se trabalhava. */
  readonly cancelar?: boolean;
}

/** Os filtros e a página de uma listagem (spec §3.1.4). */
export interface Listagem {
  readonly contextId?: string | undefined;
  readonly status?: TaskState | undefined;
  /** Instante em ms; entram as Tasks com `status.timestamp` igual ou posterior. */
  readonly statusTimestampAfter?: number | undefined;
  readonly pageSize: number;
  /** O `proximo` da página anterior. */
  readonly pageToken?: string | undefined;
}

/** Uma página, da Task mudada há menos tempo para a mudada há mais; `proximo` é vazio na última. */
export interface Pagina {
  readonly tasks: readonly Task[];
  readonly proximo: string;
  readonly total: number;
}

/** Onde as Tasks moram. Assíncrona para caber tanto um Map quanto um armazenamento remoto. */
export interface TaskStore<P> {
  get(taskId: string): Promise<Registro<P> | undefined>;
  /**
   * Grava `registro` se o guardado estiver na versão anterior (`registro.versao - 1`; inexistente conta como 0).
   * @returns se gravou. `false` quer dizer que outra mensagem passou na frente: releia.
   */
  put(registro: Registro<P>): Promise<boolean>;
  /** @returns a página, ou `undefined` se o `pageToken` não foi emitido por este armazém. */
  list(listagem: Listagem): Promise<Pagina | undefined>;
}
