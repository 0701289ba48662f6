/** O TaskStore padrão: um Map com teto. Nada cresce sem limite, e uma Task pausada não some antes da hora. */
import { interrompido, type Task, terminal } from './modelo.ts';
import type { Listagem, Pagina, Registro, TaskStore } from './registro.ts';

/** Até quando cada Task fica guardada. */
export interface LimitesDeTasks {
  /** Quantas Tasks terminadas, no máximo. */
  readonly terminadas: number;
  /** Por quanto tempo (ms) uma Task terminada fica. */
  readonly idadeMs: number;
  /** Por quanto tempo (ms) uma Task pausada espera. Tem de passar da validade de qualquer requestState. */
  readonly pausaMs: number;
}

export const LIMITES_PADRAO: LimitesDeTasks = {
  terminadas: 10_000,
  idadeMs: 24 * 60 * 60 * 1000,
  pausaMs: 60 * 60 * 1000,
};

export class ArmazemEmMemoria<P> implements TaskStore<P> {
  readonly #guardadas = new Map<string, Guardada<P>>();
  readonly #todas = new LinhaDoTempo<P>();
  readonly #porContexto = new Map<string, LinhaDoTempo<P>>();
  // Um Map itera na ordem de inserção, e estas só recebem Tasks "a partir de agora": a primeira é a mais velha.
  readonly #terminadas = new Map<string, number>();
  readonly #pausadas = new Map<string, number>();
  readonly #limites: LimitesDeTasks;
  readonly #agora: () => number;
  #sequencia = 0;

  /** @param agora relógio, em ms. */
  constructor(agora: () => number, limites: LimitesDeTasks = LIMITES_PADRAO) {
    this.#agora = agora;
    this.#limites = limites;
  }

  async get(taskId: string): Promise<Registro<P> | undefined> {
    this.#descartarVelhas();
    return this.#guardadas.get(taskId)?.registro;
  }

  async put(registro: Registro<P>): Promise<boolean> {
    const { id } = registro.task;
    const anterior = this.#guardadas.get(id);
    if ((anterior?.registro.versao ?? 0) !== registro.versao - 1) return false;
    if (anterior && anterior.registro.task.status === registro.task.status) {
      anterior.registro = registro;
    } else {
      if (anterior) this.#tirarDaLinha(anterior);
      const guardada = { registro, sequencia: ++this.#sequencia };
      this.#guardadas.set(id, guardada);
      this.#todas.acrescentar(guardada);
      this.#linhaDoContexto(registro.task.contextId).acrescentar(guardada);
    }
    this.#anotarIdade(registro);
    this.#descartarVelhas();
    return true;
  }

  async list({
    contextId,
    status,
    statusTimestampAfter,
    pageSize,
    pageToken,
  }: Listagem): Promise<Pagina | undefined> {
    this.#descartarVelhas();
    const antesDe = pageToken === undefined ? Number.POSITIVE_INFINITY : lerToken(pageToken);
    if (antesDe === undefined) return undefined;
    const linha = contextId === undefined ? this.#todas : this.#porContexto.get(contextId);
    if (!linha) return { tasks: [], proximo: '', total: 0 };
    const filtrada = status !== undefined || statusTimestampAfter !== undefined;
    const serve = (task: Task): boolean =>
      (status === undefined || task.status.state === status) && !maisVelhaQue(task, statusTimestampAfter);
    const tasks: Task[] = [];
    let ultima = 0;
    let temMais = false;
    for (const { registro, sequencia } of linha.deTrasParaFrente(antesDe)) {
      if (maisVelhaQue(registro.task, statusTimestampAfter)) break;
      if (!serve(registro.task)) continue;
      temMais = tasks.length === pageSize;
      if (temMais) break;
      tasks.push(registro.task);
      ultima = sequencia;
    }
    const total = filtrada ? linha.contar(serve) : linha.tamanho;
    return { tasks, proximo: temMais ? `s${ultima.toString(36)}` : '', total };
  }

  #linhaDoContexto(contextId: string): LinhaDoTempo<P> {
    const linha = this.#porContexto.get(contextId) ?? new LinhaDoTempo<P>();
    this.#porContexto.set(contextId, linha);
    return linha;
  }

  #tirarDaLinha({ registro, sequencia }: Guardada<P>): void {
    const { contextId } = registro.task;
    this.#todas.tirar(sequencia);
    const linha = this.#porContexto.get(contextId);
    linha?.tirar(sequencia);
    if (linha?.tamanho === 0) this.#porContexto.delete(contextId);
  }

  #anotarIdade({ task }: Registro<P>): void {
    this.#pausadas.delete(task.id);
    if (terminal(task.status.state)) this.#terminadas.set(task.id, this.#agora());
    else if (interrompido(task.status.state)) this.#pausadas.set(task.id, this.#agora());
  }

  #descartarVelhas(): void {
    const agora = this.#agora();
    for (const [id, desde] of this.#terminadas) {
      if (this.#terminadas.size <= this.#limites.terminadas && agora - desde <= this.#limites.idadeMs) break;
      this.#terminadas.delete(id);
      this.#descartar(id);
    }
    for (const [id, desde] of this.#pausadas) {
      if (agora - desde <= this.#limites.pausaMs) break;
      this.#pausadas.delete(id);
      this.#descartar(id);
    }
  }

  #descartar(id: string): void {
    const guardada = this.#guardadas.get(id);
    if (guardada) this.#tirarDaLinha(guardada);
    this.#guardadas.delete(id);
  }
}

interface Guardada<P> {
  registro: Registro<P>;
  readonly sequencia: number;
}

/**
 * As Tasks na ordem da última mudança de estado. Só cresce no fim; quem muda de lugar deixa um buraco, e os
 * buracos são recolhidos quando passam da metade: entrar, sair e paginar não dependem de quantas Tasks há.
 */
class LinhaDoTempo<P> {
  #lugares: { readonly sequencia: number; guardada: Guardada<P> | undefined }[] = [];
  tamanho = 0;

  acrescentar(guardada: Guardada<P>): void {
    this.#lugares.push({ sequencia: guardada.sequencia, guardada });
    this.tamanho++;
  }

  tirar(sequencia: number): void {
    const lugar = this.#lugares[this.#primeiroDesde(sequencia)];
    if (lugar?.sequencia !== sequencia || !lugar.guardada) return;
    lugar.guardada = undefined;
    this.tamanho--;
    if (this.#lugares.length > 2 * this.tamanho + 8) {
      this.#lugares = this.#lugares.filter(({ guardada }) => guardada !== undefined);
    }
  }

  /** Da mais recente para a mais antiga, só as de sequência menor que `antesDe`. */
  *deTrasParaFrente(antesDe: number): Generator<Guardada<P>> {
    for (let i = this.#primeiroDesde(antesDe) - 1; i >= 0; i--) {
      const guardada = this.#lugares[i]?.guardada;
      if (guardada) yield guardada;
    }
  }

  contar(serve: (task: Task) => boolean): number {
    let quantas = 0;
    for (const { guardada } of this.#lugares) if (guardada && serve(guardada.registro.task)) quantas++;
    return quantas;
  }

  #primeiroDesde(sequencia: number): number {
    let inicio = 0;
    let fim = this.#lugares.length;
    while (inicio < fim) {
      const meio = (inicio + fim) >>> 1;
      if ((this.#lugares[meio]?.sequencia ?? 0) < sequencia) inicio = meio + 1;
      else fim = meio;
    }
    return inicio;
  }
}

function maisVelhaQue(task: Task, instante: number | undefined): boolean {
  return instante !== undefined && Date.parse(task.status.timestamp) < instante;
}

function lerToken(token: string): number | undefined {
  return /^s[0-9a-z]{1,10}$/.test(token) ? Number.parseInt(token.slice(1), 36) : undefined;
}
