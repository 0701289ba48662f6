/** Tasks na ordem da última mudança de estado (spec §3.1.4), com o lugar de cada instante achado por busca binária. */

/** O lugar de uma Task: o instante (ms) da última mudança e, entre as do mesmo instante, a ordem em que mudaram. */
export interface Lugar {
  readonly instante: number;
  readonly sequencia: number;
}

/**
 * Uma lista ordenada por `Lugar`. Quase tudo entra e sai perto do fim, onde um `splice` move poucas posições; por
 * isso uma lista simples basta, e o lugar de cada item diz também quantos vêm antes dele.
 */
export class LinhaDoTempo<T extends Lugar> {
  readonly #itens: T[];

  /** Começa com um item: uma lista vazia que cresce reservaria espaço para muitos, e quase todo contexto tem uma Task. */
  constructor(primeiro: T) {
    this.#itens = [primeiro];
  }

  get tamanho(): number {
    return this.#itens.length;
  }

  por(item: T): void {
    this.#itens.splice(this.quantosAntesDe(item), 0, item);
  }

  tirar(item: T): void {
    const posicao = this.quantosAntesDe(item);
    if (this.#itens[posicao] !== item) return;
    if (posicao === 0) this.#itens.shift();
    else this.#itens.splice(posicao, 1);
  }

  /** Do mais recente para o mais antigo, entre as posições dadas (a do fim não entra). */
  deTrasParaFrente(inicio: number, fim: number): T[] {
    return this.#itens.slice(Math.max(inicio, 0), Math.max(fim, 0)).reverse();
  }

  /** Quantos itens vêm antes deste lugar, esteja ele ocupado ou não. */
  quantosAntesDe(lugar: Lugar): number {
    let inicio = 0;
    let fim = this.#itens.length;
    while (inicio < fim) {
      const meio = (inicio + fim) >>> 1;
      const item = this.#itens[meio] as T;
      if (compararLugares(item, lugar) < 0) inicio = meio + 1;
      else fim = meio;
    }
    return inicio;
  }
}

function compararLugares(a: Lugar, b: Lugar): number {
  return a.instante - b.instante || a.sequencia - b.sequencia;
}
