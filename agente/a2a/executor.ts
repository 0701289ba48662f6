/**
 * O contrato entre o núcleo A2A e quem faz o trabalho: um gerador assíncrono que recebe uma mensagem e
 * produz atualizações da Task. É tudo o que um agente precisa escrever; estado, histórico, concorrência,
 * cancelamento e transporte são do núcleo.
 *
 * @example
 * const eco: Executor<never> = async function* ({ message }) {
 *   yield working();
 *   yield artifact({ name: 'eco', parts: message.parts });
 *   yield completed();
 * };
 */
import type { Artifact, Message, Part, Struct, Task } from './modelo.ts';

/** Uma mensagem e o que veio com ela. */
export interface Entrada {
  /** A mensagem a trabalhar. */
  readonly message: Message;
  /** Os tipos de mídia que o cliente sabe ler; vazio se ele não disse. */
  readonly acceptedOutputModes: readonly string[];
  /** O `metadata` do pedido (o da mensagem está nela). */
  readonly metadata: Struct | undefined;
  /** Os headers do request HTTP que trouxe a mensagem. */
  readonly headers: Headers;
}

/** O que o executor recebe. */
export interface ContextoDaTask<P> extends Entrada {
  readonly taskId: string;
  readonly contextId: string;
  /** A Task como ficou depois de receber a mensagem, com todo o histórico. */
  readonly task: Task;
  /** O que foi guardado no `inputRequired` que esta mensagem responde; ausente numa Task nova. */
  readonly pausa: P | undefined;
  /**
   * Dispara num CancelTask, e quando o prazo sem dar notícia se esgota: pare no próximo ponto em que nada foi feito
   * ainda, com `yield canceled()`.
   */
  readonly signal: AbortSignal;
}

/** Uma atualização; `parts` é a mensagem do agente que acompanha o estado. Veja os construtores abaixo. */
export type Atualizacao<P> =
  | {
      readonly tipo: 'working' | 'completed' | 'failed' | 'canceled' | 'rejected';
      readonly parts?: readonly Part[];
    }
  | { readonly tipo: 'inputRequired'; readonly parts: readonly Part[]; readonly pausa: P }
  | {
      readonly tipo: 'artifact';
      readonly artifact: Omit<Artifact, 'artifactId'> & { readonly artifactId?: string };
      readonly append?: boolean;
      readonly lastChunk?: boolean;
    }
  | { readonly tipo: 'message'; readonly parts: readonly Part[] };

/**
 * Um agente. Deve produzir `working()` (ou `message`) antes de qualquer espera, e terminar num estado terminal
 * ou em `inputRequired`: depois dele o gerador é encerrado, e seu `finally` não é esperado. Uma exceção, ou uma
 * atualização malformada (sem `parts`), deixa a Task em FAILED com um texto neutro; `Indisponivel` (erros.ts), e
 * ficar sem dar notícia além do prazo, desfazem a mensagem quando ela respondia a uma pausa.
 */
export type Executor<P> = (contexto: ContextoDaTask<P>) => AsyncGenerator<Atualizacao<P>, void, void>;

/** Texto simples vira uma Part de texto. */
export type Conteudo = string | readonly Part[];

/** A Task está sendo trabalhada. */
export const working = (conteudo?: Conteudo): Atualizacao<never> => comEstado('working', conteudo);
/** A Task terminou bem. */
export const completed = (conteudo?: Conteudo): Atualizacao<never> => comEstado('completed', conteudo);
/** A Task terminou mal; o texto diz por quê. */
export const failed = (conteudo: Conteudo): Atualizacao<never> => comEstado('failed', conteudo);
/** A Task foi desfeita a pedido do cliente. */
export const canceled = (conteudo?: Conteudo): Atualizacao<never> => comEstado('canceled', conteudo);
/** O agente não aceita este trabalho; o texto diz o que aceita. */
export const rejected = (conteudo: Conteudo): Atualizacao<never> => comEstado('rejected', conteudo);

/** A Task pausa à espera do cliente; `pausa` volta no contexto quando ele responder, e nunca sai do processo. */
export const inputRequired = <P>(conteudo: Conteudo, pausa: P): Atualizacao<P> => ({
  tipo: 'inputRequired',
  parts: emParts(conteudo),
  pausa,
});

/**
 * Um produto, inteiro ou um pedaço dele. Sem `artifactId` o núcleo cria um; com `append`, as `parts` se somam
 * às do artifact de mesmo id (spec §4.2.2).
 */
export const artifact = (
  produto: Omit<Artifact, 'artifactId'> & { readonly artifactId?: string },
  pedaco: { readonly append?: boolean; readonly lastChunk?: boolean } = {},
): Atualizacao<never> => ({ tipo: 'artifact', artifact: produto, ...pedaco });

/** Resposta direta, sem Task: só vale como primeira atualização de uma mensagem sem `taskId` (spec §3.1.1). */
export const resposta = (conteudo: Conteudo): Atualizacao<never> => ({
  tipo: 'message',
  parts: emParts(conteudo),
});

function comEstado(
  tipo: 'working' | 'completed' | 'failed' | 'canceled' | 'rejected',
  conteudo: Conteudo | undefined,
): Atualizacao<never> {
  return conteudo === undefined ? { tipo } : { tipo, parts: emParts(conteudo) };
}

function emParts(conteudo: Conteudo): readonly Part[] {
  return typeof conteudo === 'string' ? [{ text: conteudo }] : conteudo;
}
