/** As regras de uso das salas (dados/politica-de-uso.md): quando se pode reservar, e por quanto tempo. */

/** Um intervalo em milissegundos desde 1970; contém `inicio` e não contém `fim`. */
export interface Intervalo {
  readonly inicio: number;
  readonly fim: number;
}

const HORA = 3_600_000;
const DIA = 24 * HORA;
// A política diz -03:00: fixo, e não uma base de fusos, em que datas antigas têm horário de verão.
const FUSO = -3 * HORA;
const ABERTURA = 8 * HORA;
const FECHAMENTO = 20 * HORA;
const DURACAO_MAXIMA = 2 * HORA;

/**
 * Diz qual regra o intervalo viola, na ordem: intervalo, janela, duração.
 * @returns o texto exato do erro de execução, ou `undefined` se o intervalo é permitido.
 */
export function violacaoDaPolitica({ inicio, fim }: Intervalo): string | undefined {
  if (fim <= inicio) return 'Intervalo invalido: fim deve ser posterior a inicio';
  const meiaNoite = Math.floor((inicio + FUSO) / DIA) * DIA - FUSO;
  if (inicio < meiaNoite + ABERTURA || fim > meiaNoite + FECHAMENTO) {
    return 'Fora da janela de uso: a politica permite reservas entre 08:00 e 20:00';
  }
  if (fim - inicio > DURACAO_MAXIMA) {
    return 'Duracao acima do limite: a politica permite no maximo 2 horas';
  }
  return undefined;
}

/**
 * Lê a versão declarada na primeira linha do texto da política (`versao: 2026-11-01`).
 * @returns a versão, ou `undefined` se a primeira linha não a declara.
 */
export function lerVersaoDaPolitica(texto: string): string | undefined {
  return /^versao:[ \t]*(\S+)[ \t]*\r?(?:\n|$)/.exec(texto)?.[1];
}
