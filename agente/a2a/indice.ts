/** As Tasks por contexto e por estado: uma linha do tempo por combinação de filtros, e listar não depende de quantas há. */
import { LinhaDoTempo, type Lugar } from './linha-do-tempo.ts';
import type { Task, TaskState } from './modelo.ts';

export class Indice<T extends Lugar> {
  readonly #todas = new PorEstado<T>();
  readonly #porContexto = new Map<string, PorEstado<T>>();

  por(item: T, { contextId, status: { state } }: Task): void {
    this.#todas.por(item, state);
    const doContexto = this.#porContexto.get(contextId) ?? new PorEstado<T>();
    doContexto.por(item, state);
    if (doContexto.todas.tamanho === 1) this.#porContexto.set(contextId, doContexto);
  }

  /**
   * Quem muda de lugar entra no novo antes de sair do velho: tirar e repor muitas vezes uma mesma chave de um Map
   * grande deixa nele um rastro que cada busca percorre.
   */
  tirar(item: T, { contextId, status: { state } }: Task): void {
    this.#todas.tirar(item, state);
    const doContexto = this.#porContexto.get(contextId);
    doContexto?.tirar(item, state);
    if (doContexto?.todas.tamanho === 0) this.#porContexto.delete(contextId);
  }

  /** As que servem aos filtros; `undefined` se não há nenhuma. */
  linha(contextId: string | undefined, state: TaskState | undefined): LinhaDoTempo<T> | undefined {
    const doContexto = contextId === undefined ? this.#todas : this.#porContexto.get(contextId);
    return state === undefined ? doContexto?.todas : doContexto?.deEstado.get(state);
  }
}

class PorEstado<T extends Lugar> {
  readonly todas = new LinhaDoTempo<T>();
  readonly deEstado = new Map<TaskState, LinhaDoTempo<T>>();

  por(item: T, state: TaskState): void {
    this.todas.por(item);
    const linha = this.deEstado.get(state) ?? new LinhaDoTempo<T>();
    linha.por(item);
    this.deEstado.set(state, linha);
  }

  tirar(item: T, state: TaskState): void {
    this.todas.tirar(item);
    const linha = this.deEstado.get(state);
    linha?.tirar(item);
    if (linha?.tamanho === 0) this.deEstado.delete(state);
  }
}
