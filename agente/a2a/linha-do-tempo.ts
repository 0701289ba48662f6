/** Uma lista de Tasks na ordem da última mudança de estado (spec §3.1.4), que sabe quantas há antes de cada instante. */

/** O lugar de uma Task: o instante (ms) da última mudança e, entre as do mesmo instante, a ordem em que mudaram. */
export interface Lugar {
  readonly instante: number;
  readonly sequencia: number;
}

/** Mover os itens de um bloco custa menos de um microssegundo, e 50.000 Tasks dão uns cem blocos. */
const ITENS_POR_BLOCO = 512;

/**
 * Itens ordenados por `Lugar`, em blocos: entrar, sair e contar mexem num bloco só, tenha a lista mil ou um milhão.
 * Quase tudo entra pelo fim; sai do começo (o mais velho), do fim (o que mudou de estado) ou do meio (uma pausa respondida).
 */
export class LinhaDoTempo<T extends Lugar> {
  /** Nenhum bloco é vazio. */
  #blocos: T[][] = [];
  #tamanho = 0;

  get tamanho(): number {
    return this.#tamanho;
  }

  /** O mais velho. */
  get primeiro(): T | undefined {
    return this.#blocos[0]?.[0];
  }

  por(item: T): void {
    this.#tamanho++;
    const b = Math.min(this.#blocoDe(item), this.#blocos.length - 1);
    const bloco = this.#blocos[b];
    if (!bloco || (bloco.length === ITENS_POR_BLOCO && vemAntes(bloco.at(-1), item))) {
      // Um `push` numa lista vazia separa espaço para dezesseis, e quase toda lista (a de um contexto) tem um item só.
      if (bloco) this.#blocos.push([item]);
      else this.#blocos = [[item]];
      return;
    }
    const posicao = quantosAntesDe(bloco, item);
    if (posicao === bloco.length) bloco.push(item);
    else bloco.splice(posicao, 0, item);
    if (bloco.length > ITENS_POR_BLOCO) this.#blocos.splice(b + 1, 0, bloco.splice(ITENS_POR_BLOCO / 2));
  }

  tirar(item: T): void {
    const b = this.#blocoDe(item);
    const bloco = this.#blocos[b] ?? [];
    const posicao = quantosAntesDe(bloco, item);
    if (bloco[posicao] !== item) return;
    this.#tamanho--;
    bloco.splice(posicao, 1);
    if (bloco.length === 0) this.#blocos.splice(b, 1);
  }

  /** Quantos itens vêm antes deste lugar, esteja ele ocupado ou não. */
  quantosAntesDe(lugar: Lugar): number {
    const b = this.#blocoDe(lugar);
    let antes = quantosAntesDe(this.#blocos[b] ?? [], lugar);
    for (let i = 0; i < b; i++) antes += this.#blocos[i]?.length ?? 0;
    return antes;
  }

  /** Os itens entre duas posições (a do fim não entra), do mais recente para o mais antigo. */
  deTrasParaFrente(inicio: number, fim: number): T[] {
    const itens: T[] = [];
    let depois = this.#tamanho;
    for (let b = this.#blocos.length - 1; b >= 0 && depois > inicio; b--) {
      const bloco = this.#blocos[b] ?? [];
      depois -= bloco.length;
      itens.push(...bloco.slice(Math.max(inicio - depois, 0), Math.max(fim - depois, 0)).reverse());
    }
    return itens;
  }

  /** O primeiro bloco que termina neste lugar ou depois; um além do último, se todos terminam antes. */
  #blocoDe(lugar: Lugar): number {
    return buscar(this.#blocos.length, (b) => vemAntes(this.#blocos[b]?.at(-1), lugar));
  }
}

function quantosAntesDe<T extends Lugar>(bloco: readonly T[], lugar: Lugar): number {
  return buscar(bloco.length, (i) => vemAntes(bloco[i], lugar));
}

/** Busca binária: quantas posições, do começo, satisfazem `antes`. */
function buscar(quantas: number, antes: (posicao: number) => boolean): number {
  let inicio = 0;
  let fim = quantas;
  while (inicio < fim) {
    const meio = (inicio + fim) >>> 1;
    if (antes(meio)) inicio = meio + 1;
    else fim = meio;
  }
  return inicio;
}

function vemAntes(item: Lugar | undefined, lugar: Lugar): boolean {
  if (!item) return false;
  return (
    item.instante < lugar.instante || (item.instante === lugar.instante && item.sequencia < lugar.sequencia)
  );
}
