/** O TaskStore padrão: um Map com teto. Nada cresce sem limite, e uma Task pausada não some antes da hora. */
import { Indisponivel, operacaoNaoSuportada } from './erros.ts';
import { Indice } from './indice.ts';
import { LinhaDoTempo, type Lugar } from './linha-do-tempo.ts';
import { interrompido, terminal } from './modelo.ts';
import type { Listagem, Pagina, Registro, TaskStore } from './registro.ts';

/** Até quando cada Task fica guardada. */
export interface LimitesDeTasks {
  /** Quantas Tasks terminadas, no máximo. */
  readonly terminadas: number;
  /** Por quanto tempo (ms) uma Task terminada fica. */
  readonly idadeMs: number;
  /** Por quanto tempo (ms) uma Task pausada espera. Tem de passar da validade de qualquer requestState. */
  readonly pausaMs: number;
  /**
   * Quanto conteúdo ao todo, em caracteres, por alto. Passando disso saem as terminadas mais velhas e, se só restam
   * pausadas, nenhuma Task nova começa: o cliente manda corpos de até 1 MiB, e a memória não pode ser dele. Responder
   * a uma Task pausada continua podendo: quem encheu a memória não pode custar a pausa dos outros.
   */
  readonly caracteres: number;
  /** Quanto conteúdo uma Task pode ter, em caracteres, para ainda aceitar uma mensagem. */
  readonly caracteresPorTask: number;
  /** Quanto conteúdo uma página de listagem leva, em caracteres; uma Task maior que isso vai sozinha. */
  readonly caracteresPorPagina: number;
}

export const LIMITES_PADRAO: LimitesDeTasks = {
  terminadas: 10_000,
  idadeMs: 24 * 60 * 60 * 1000,
  pausaMs: 60 * 60 * 1000,
  caracteres: 128 * 1024 * 1024,
  caracteresPorTask: 2 * 1024 * 1024,
  caracteresPorPagina: 4 * 1024 * 1024,
};

interface Guardada<P> extends Lugar {
  registro: Registro<P>;
  tamanho: number;
}

export class ArmazemEmMemoria<P> implements TaskStore<P> {
  readonly #guardadas = new Map<string, Guardada<P>>();
  readonly #indice = new Indice<Guardada<P>>();
  readonly #terminadas = new LinhaDoTempo<Guardada<P>>();
  readonly #pausadas = new LinhaDoTempo<Guardada<P>>();
  readonly #limites: LimitesDeTasks;
  readonly #agora: () => number;
  #sequencia = 0;
  #caracteres = 0;

  /**
   * @param agora relógio, em ms.
   * @param limites os que faltarem valem o padrão.
   */
  constructor(agora: () => number, limites: Partial<LimitesDeTasks> = {}) {
    this.#agora = agora;
    this.#limites = { ...LIMITES_PADRAO, ...limites };
  }

  async get(taskId: string): Promise<Registro<P> | undefined> {
    this.#descartarVelhas();
    return this.#guardadas.get(taskId)?.registro;
  }

  /** @throws {ErroA2A} se um trabalho começaria além dos limites de conteúdo; nada é gravado. */
  async put(registro: Registro<P>): Promise<boolean> {
    const { task } = registro;
    const tamanho = contarCaracteres(task);
    const cresce = (): number => tamanho - (this.#guardadas.get(task.id)?.tamanho ?? 0);
    this.#descartarVelhas(cresce());
    const anterior = this.#guardadas.get(task.id);
    if ((anterior?.registro.versao ?? 0) !== registro.versao - 1) return false;
    const comeca = registro.trabalho !== undefined && anterior?.registro.trabalho === undefined;
    if (comeca && anterior && tamanho > this.#limites.caracteresPorTask) {
      throw operacaoNaoSuportada('Esta Task já guarda conteúdo demais: cancele-a e abra outra', {
        taskId: task.id,
      });
    }
    if (comeca && !anterior && this.#caracteres + cresce() > this.#limites.caracteres) {
      throw new Indisponivel('O agente está com Tasks demais em aberto: tente de novo daqui a pouco');
    }
    this.#caracteres += cresce();
    if (anterior?.registro.task.status === task.status) {
      anterior.registro = registro;
      anterior.tamanho = tamanho;
      return true;
    }
    const instante = Date.parse(task.status.timestamp);
    const guardada = { registro, tamanho, instante, sequencia: ++this.#sequencia };
    this.#guardadas.set(task.id, guardada);
    this.#por(guardada);
    if (anterior) this.#tirar(anterior);
    this.#descartarVelhas();
    return true;
  }

  async list(listagem: Listagem): Promise<Pagina | undefined> {
    this.#descartarVelhas();
    const { contextId, status, statusTimestampAfter, pageSize, pageToken } = listagem;
    const antesDe = pageToken === undefined ? undefined : lerToken(pageToken);
    if (pageToken !== undefined && !antesDe) return undefined;
    const linha = this.#indice.linha(contextId, status);
    if (!linha) return { tasks: [], proximo: '', total: 0 };
    const desde =
      statusTimestampAfter === undefined
        ? 0
        : linha.quantosAntesDe({ instante: statusTimestampAfter, sequencia: 0 });
    const fim = antesDe ? linha.quantosAntesDe(antesDe) : linha.tamanho;
    const inicio = Math.max(desde, fim - pageSize);
    const guardadas = ate(this.#limites.caracteresPorPagina, linha.deTrasParaFrente(inicio, fim));
    const ultima = guardadas.at(-1);
    return {
      tasks: guardadas.map(({ registro }) => registro.task),
      proximo: ultima && fim - guardadas.length > desde ? escreverToken(ultima) : '',
      total: linha.tamanho - desde,
    };
  }

  #por(guardada: Guardada<P>): void {
    const { task } = guardada.registro;
    this.#indice.por(guardada, task);
    if (terminal(task.status.state)) this.#terminadas.por(guardada);
    else if (interrompido(task.status.state)) this.#pausadas.por(guardada);
  }

  #tirar(guardada: Guardada<P>): void {
    this.#indice.tirar(guardada, guardada.registro.task);
    this.#terminadas.tirar(guardada);
    this.#pausadas.tirar(guardada);
  }

  /** @param chegando quantos caracteres estão para entrar. */
  #descartarVelhas(chegando = 0): void {
    const agora = this.#agora();
    const { terminadas, idadeMs, pausaMs, caracteres } = this.#limites;
    for (let velha = this.#terminadas.primeiro; velha; velha = this.#terminadas.primeiro) {
      const cabe = this.#terminadas.tamanho <= terminadas && this.#caracteres + chegando <= caracteres;
      if (cabe && agora - velha.instante <= idadeMs) break;
      this.#descartar(velha);
    }
    for (let velha = this.#pausadas.primeiro; velha; velha = this.#pausadas.primeiro) {
      if (agora - velha.instante <= pausaMs) break;
      this.#descartar(velha);
    }
  }

  #descartar(guardada: Guardada<P>): void {
    this.#tirar(guardada);
    this.#caracteres -= guardada.tamanho;
    this.#guardadas.delete(guardada.registro.task.id);
  }
}

const POR_CAMPO = 16;

function contarCaracteres(valor: unknown): number {
  if (typeof valor === 'string') return valor.length + POR_CAMPO;
  if (typeof valor !== 'object' || valor === null) return POR_CAMPO;
  let total = POR_CAMPO;
  for (const campo of Object.values(valor)) total += contarCaracteres(campo);
  return total;
}

/** Um lugar da listagem, como o cliente o devolve em `pageToken`. */
export function escreverToken({ instante, sequencia }: Lugar): string {
  return `${instante.toString(36)}.${sequencia.toString(36)}`;
}

/** @returns o lugar, ou `undefined` se o texto não tem a forma de um `pageToken`. */
export function lerToken(token: string): Lugar | undefined {
  const [, instante, sequencia] = /^(-?[0-9a-z]{1,10})\.([0-9a-z]{1,10})$/.exec(token) ?? [];
  if (instante === undefined || sequencia === undefined) return undefined;
  return { instante: Number.parseInt(instante, 36), sequencia: Number.parseInt(sequencia, 36) };
}

/** As primeiras que cabem no teto, e pelo menos uma. */
function ate<G extends { readonly tamanho: number }>(teto: number, guardadas: readonly G[]): readonly G[] {
  let soma = 0;
  const cabem = guardadas.findIndex(({ tamanho }, i) => {
    soma += tamanho;
    return i > 0 && soma > teto;
  });
  return cabem === -1 ? guardadas : guardadas.slice(0, cabem);
}
