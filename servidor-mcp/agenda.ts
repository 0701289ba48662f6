/**
 * A agenda: quem ocupa qual sala, quando, e quais perguntas já foram respondidas.
 * A interface é assíncrona para que outra agenda (um Durable Object, por exemplo) entre no lugar desta, em memória.
 */
import { ErroDeConfiguracao } from '../comum/ambiente.ts';
import { lerInstante } from './instante.ts';
import type { Intervalo } from './politica.ts';

/** Uma reserva, na forma de dados/reservas.json: os instantes ficam como foram escritos. */
export interface Reserva {
  readonly id: string;
  readonly sala: string;
  readonly inicio: string;
  readonly fim: string;
  readonly responsavel: string;
}

/** O que se pede à agenda: uma reserva ainda sem id. */
export type NovaReserva = Omit<Reserva, 'id'> & { readonly intervalo: Intervalo };

/** A resposta a uma pergunta selada num requestState. */
export interface Uso {
  /** Id do pedido original: todas as perguntas feitas sobre ele o repetem. */
  readonly pedido: string;
  /** O que foi respondido: o id de uma sala, ou `undefined` para a recusa. */
  readonly sala: string | undefined;
  /** Até quando alguma pergunta sobre o pedido ainda pode ser apresentada, em ms desde 1970. */
  readonly lembrarAte: number;
}

/** A sala não está livre. */
export interface Ocupada {
  readonly tipo: 'ocupada';
}

/** O que a agenda fez. Só `reservada` e `recusada` consomem o pedido; `ocupada` deixa responder de novo. */
export type Desfecho =
  | { readonly tipo: 'reservada'; readonly reserva: Reserva }
  | Ocupada
  | { readonly tipo: 'recusada' }
  | { readonly tipo: 'respondida-de-outro-modo'; readonly vale: Conclusao };

/** Um desfecho que consome o pedido, e que a mesma resposta repetida devolve outra vez. */
export type Conclusao = Extract<Desfecho, { readonly tipo: 'reservada' | 'recusada' }>;

/** As operações de que as ferramentas precisam. Cada uma é atômica. */
export interface Agenda {
  /** As reservas da sala que se sobrepõem ao intervalo, por ordem de início. */
  conflitos(sala: string, intervalo: Intervalo): Promise<readonly Reserva[]>;
  /** As primeiras `maximo` salas da lista que estão livres no intervalo, na ordem da lista. */
  livres(salas: readonly string[], intervalo: Intervalo, maximo: number): Promise<readonly string[]>;
  /** Reserva se estiver livre. Com `uso`, a mesma resposta outra vez devolve a mesma reserva, sem criar outra. */
  reservar(nova: NovaReserva, uso?: Uso): Promise<Desfecho>;
  /** Registra que o pedido foi recusado. */
  recusar(uso: Uso): Promise<Desfecho>;
  /** Como o pedido foi concluído; `undefined` se ainda não foi. */
  conclusao(pedido: string): Promise<Conclusao | undefined>;
}

/** Limite de pedidos concluídos lembrados; passado ele, o mais antigo é esquecido. */
const MAXIMO_DE_USOS = 100_000;

interface Ocupacao extends Intervalo {
  readonly reserva: Reserva;
}

/**
 * Cria a agenda em memória.
 * @param iniciais reservas que já existem; a próxima recebe o número seguinte ao maior id.
 * @param agora relógio, em ms desde 1970.
 * @throws {ErroDeConfiguracao} se uma reserva inicial tiver instante inválido ou se sobrepuser a outra da mesma sala.
 */
export function criarAgendaEmMemoria(iniciais: readonly Reserva[], agora: () => number): Agenda {
  // Por sala, em ordem de início. Como não há sobreposição, a ordem de fim é a mesma: uma busca binária basta.
  const porSala = new Map<string, Ocupacao[]>();
  const usos = new Map<string, { readonly uso: Uso; readonly conclusao: Conclusao }>();
  let ultimoNumero = 0;

  const livre = (sala: string, intervalo: Intervalo): boolean => {
    const lista = porSala.get(sala);
    if (!lista) return true;
    const vizinha = lista[primeiraQueTerminaDepois(lista, intervalo.inicio)];
    return vizinha === undefined || vizinha.inicio >= intervalo.fim;
  };

  const guardar = (reserva: Reserva, { inicio, fim }: Intervalo): void => {
    const lista = porSala.get(reserva.sala) ?? [];
    lista.splice(primeiraQueTerminaDepois(lista, inicio), 0, { reserva, inicio, fim });
    porSala.set(reserva.sala, lista);
  };

  const usar = (uso: Uso | undefined, agir: () => Conclusao | Ocupada): Desfecho => {
    if (!uso) return agir();
    const anterior = usos.get(uso.pedido);
    if (anterior) {
      const { conclusao } = anterior;
      return anterior.uso.sala === uso.sala
        ? conclusao
        : { tipo: 'respondida-de-outro-modo', vale: conclusao };
    }
    const desfecho = agir();
    if (desfecho.tipo !== 'ocupada') {
      esquecerVencidos(usos, agora());
      usos.set(uso.pedido, { uso, conclusao: desfecho });
    }
    return desfecho;
  };

  for (const reserva of iniciais) {
    const inicio = lerInstante(reserva.inicio);
    const fim = lerInstante(reserva.fim);
    if (inicio === undefined || fim === undefined || fim <= inicio) {
      throw new ErroDeConfiguracao(`A reserva ${reserva.id} tem um intervalo inválido`);
    }
    if (!livre(reserva.sala, { inicio, fim })) {
      throw new ErroDeConfiguracao(`A reserva ${reserva.id} se sobrepõe a outra em ${reserva.sala}`);
    }
    guardar(reserva, { inicio, fim });
    ultimoNumero = Math.max(ultimoNumero, Number(/^res-(\d+)$/.exec(reserva.id)?.[1] ?? 0));
  }

  return {
    async conflitos(sala, { inicio, fim }) {
      const lista = porSala.get(sala) ?? [];
      const conflitos: Reserva[] = [];
      for (let i = primeiraQueTerminaDepois(lista, inicio); i < lista.length; i++) {
        const ocupacao = lista[i] as Ocupacao;
        if (ocupacao.inicio >= fim) break;
        conflitos.push(ocupacao.reserva);
      }
      return conflitos;
    },

    async livres(salas, intervalo, maximo) {
      const achadas: string[] = [];
      for (const sala of salas) {
        if (achadas.length === maximo) break;
        if (livre(sala, intervalo)) achadas.push(sala);
      }
      return achadas;
    },

    async reservar({ intervalo, ...dados }, uso) {
      return usar(uso, () => {
        if (!livre(dados.sala, intervalo)) return { tipo: 'ocupada' };
        const reserva = { id: `res-${String(++ultimoNumero).padStart(4, '0')}`, ...dados };
        guardar(reserva, intervalo);
        return { tipo: 'reservada', reserva };
      });
    },

    async recusar(uso) {
      return usar(uso, () => ({ tipo: 'recusada' }));
    },

    async conclusao(pedido) {
      return usos.get(pedido)?.conclusao;
    },
  };
}

/** Índice da primeira ocupação com `fim` depois de `instante`: a primeira que pode conflitar com quem começa ali. */
function primeiraQueTerminaDepois(lista: readonly Ocupacao[], instante: number): number {
  let baixo = 0;
  let alto = lista.length;
  while (baixo < alto) {
    const meio = (baixo + alto) >>> 1;
    if ((lista[meio] as Ocupacao).fim > instante) alto = meio;
    else baixo = meio + 1;
  }
  return baixo;
}

/**
 * Um Map anda por ordem de inserção, que é quase a de vencimento: parar no primeiro que ainda vale basta.
 * No limite esquece o mais antigo em vez de recusar os novos: quem o reapresentasse só conseguiria o que um pedido
 * novo já lhe daria, enquanto recusar deixaria um único cliente parar os outros.
 */
function esquecerVencidos(usos: Map<string, { readonly uso: Uso }>, agora: number): void {
  for (const [pedido, { uso }] of usos) {
    if (uso.lembrarAte > agora && usos.size < MAXIMO_DE_USOS) break;
    usos.delete(pedido);
  }
}
