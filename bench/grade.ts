/**
 * Os horários que o bench usa: uma grade de meias horas em que cada sala tem metade ocupada desde o começo,
 * intercalada com a metade livre. Assim toda reserva nova entra no meio da agenda, que é o pior caso, e não no fim.
 */

/** Uma reserva por fazer, nos nomes dos argumentos de `reservar_sala`. */
export interface Horario {
  readonly sala: string;
  readonly inicio: string;
  readonly fim: string;
}

/** A sala dos conflitos. Na mesma meia hora `OUTRA_SALA` está livre, e é uma alternativa a ela. */
const DISPUTADA = 'sala-garagem';
export const OUTRA_SALA = 'sala-fusca';

const SALAS = ['sala-aquario', DISPUTADA, 'sala-mirante', 'sala-porao', OUTRA_SALA];
/** As reservas livres não usam a última: é ela que garante que um conflito tenha sempre uma alternativa. */
const SALAS_LIVRES = SALAS.length - 1;
const POR_DIA = 24;
const MEIA_HORA = 30 * 60_000;
const PRIMEIRO_DIA = Date.UTC(2027, 0, 1, 8);
const DIA = 24 * 60 * 60_000;
/** Longe dos dias que as reservas iniciais e as livres alcançam. */
const PRIMEIRO_DIA_RESERVADO = 20_000;

/** O n-ésimo horário ocupado desde o começo, quando há mais de `n` reservas iniciais. */
export function ocupado(n: number): Horario {
  const sala = n % SALAS.length;
  return horario(sala, Math.floor(n / SALAS.length) * 2 + (sala % 2));
}

/** O n-ésimo horário livre. */
export function livre(n: number): Horario {
  const sala = n % SALAS_LIVRES;
  return horario(sala, Math.floor(n / SALAS_LIVRES) * 2 + 1 - (sala % 2));
}

/** Um dos horários ocupados da sala disputada, espalhados sem ordem entre as `iniciais` reservas. */
export function disputado(n: number, iniciais: number): Horario {
  const doInicio = Math.floor(iniciais / SALAS.length);
  return ocupado(((n * 7919) % doInicio) * SALAS.length + SALAS.indexOf(DISPUTADA));
}

/** O n-ésimo horário em que a sala disputada está livre, e que só é usado uma vez: para ocupar e depois disputar. */
export function reservadoParaConflito(n: number): Horario {
  return horario(SALAS.indexOf(DISPUTADA), PRIMEIRO_DIA_RESERVADO * POR_DIA + n);
}

/** As reservas com que um servidor começa, na forma de dados/reservas.json. */
export function reservasIniciais(
  quantas: number,
): readonly (Horario & { id: string; responsavel: string })[] {
  return Array.from({ length: quantas }, (_, n) => ({
    id: `res-${String(n + 1).padStart(4, '0')}`,
    ...ocupado(n),
    responsavel: 'Marty',
  }));
}

function horario(sala: number, meiaHora: number): Horario {
  const inicio = PRIMEIRO_DIA + Math.floor(meiaHora / POR_DIA) * DIA + (meiaHora % POR_DIA) * MEIA_HORA;
  return { sala: SALAS[sala] as string, inicio: emTexto(inicio), fim: emTexto(inicio + MEIA_HORA) };
}

/** `local` é a hora de parede de São Paulo, contada como se fosse UTC. */
function emTexto(local: number): string {
  return `${new Date(local).toISOString().slice(0, 19)}-03:00`;
}
