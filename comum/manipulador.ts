/** A forma comum dos dois processos: um handler de fetch, que qualquer runtime com Request e Response sabe montar. */

/** O que um runtime pode oferecer além do request. */
export interface ContextoDeExecucao {
  /** Mantém o runtime vivo até a promessa terminar, depois de a resposta ter saído. */
  waitUntil?(trabalho: Promise<unknown>): void;
}

/** Um servidor HTTP inteiro, como função de Request em Response. */
export interface Manipulador {
  fetch(request: Request, contexto?: ContextoDeExecucao): Promise<Response>;
}
