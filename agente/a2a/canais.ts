/** Quem acompanha cada Task ao vivo: todos veem os mesmos eventos, na mesma ordem (spec §3.5.2). */
import type { StreamResponse } from './modelo.ts';

/** As assinaturas abertas, por Task. */
export class Canais {
  readonly #assinaturas = new Map<string, Set<Assinatura>>();

  /** Passa a guardar os eventos da Task a partir de agora, mesmo antes de alguém iterar. */
  assinar(taskId: string): Assinatura {
    const daTask = this.#assinaturas.get(taskId) ?? new Set();
    const assinatura = new Assinatura(() => {
      daTask.delete(assinatura);
      if (daTask.size === 0) this.#assinaturas.delete(taskId);
    });
    this.#assinaturas.set(taskId, daTask.add(assinatura));
    return assinatura;
  }

  /** Entrega um evento a todas as assinaturas da Task. */
  publicar(taskId: string, evento: StreamResponse): void {
    for (const assinatura of this.#assinaturas.get(taskId) ?? []) assinatura.receber(evento);
  }

  /** Encerra todas as assinaturas da Task, depois dos eventos já publicados. */
  fechar(taskId: string): void {
    for (const assinatura of this.#assinaturas.get(taskId) ?? []) assinatura.encerrar();
    this.#assinaturas.delete(taskId);
  }
}

/**
 * Os eventos de uma Task, na ordem, até ela terminar ou quem itera sair do laço.
 * Não é um gerador porque quem espera o próximo evento precisa poder desistir sem que ele chegue.
 */
export class Assinatura implements AsyncIterableIterator<StreamResponse, undefined> {
  readonly #eventos: StreamResponse[] = [];
  readonly #aoSair: () => void;
  #encerrada = false;
  #esperando: ((passo: IteratorResult<StreamResponse, undefined>) => void) | undefined;

  constructor(aoSair: () => void) {
    this.#aoSair = aoSair;
  }

  receber(evento: StreamResponse): void {
    if (this.#esperando) this.#acordar({ value: evento, done: false });
    else this.#eventos.push(evento);
  }

  encerrar(): void {
    this.#encerrada = true;
    this.#acordar({ value: undefined, done: true });
  }

  async next(): Promise<IteratorResult<StreamResponse, undefined>> {
    const evento = this.#eventos.shift();
    if (evento) return { value: evento, done: false };
    if (this.#encerrada) return { value: undefined, done: true };
    return new Promise((acordar) => {
      this.#esperando = acordar;
    });
  }

  async return(): Promise<IteratorResult<StreamResponse, undefined>> {
    this.#aoSair();
    this.#eventos.length = 0;
    this.encerrar();
    return { value: undefined, done: true };
  }

  [Symbol.asyncIterator](): this {
    return this;
  }

  #acordar(passo: IteratorResult<StreamResponse, undefined>): void {
    this.#esperando?.(passo);
    this.#esperando = undefined;
  }
}
