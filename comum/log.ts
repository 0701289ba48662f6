/**
 * A linha de log dos dois processos: `servico chave=valor chave=valor`, uma por evento.
 * Todo valor pode vir de um atacante, então nenhum consegue abrir uma linha nova nem mexer no terminal.
 */

/** Onde uma linha pronta (sem quebra no fim) é escrita. No Node é o stderr. */
export type Escrever = (linha: string) => void;

/** Os campos de uma linha, na ordem em que aparecem; `undefined` some. */
export type Campos = Readonly<Record<string, string | number | boolean | null | undefined>>;

/** Escreve um evento no log. */
export type Log = (evento: string, campos?: Campos) => void;

const MAXIMO_POR_VALOR = 256;
// As palavras que um valor que não é texto escreve ficam de fora: o texto "null" sai entre aspas.
const SIMPLES =
  /^(?!null$|true$|false$)[A-Za-z_/][\w./:@+-]*$|^[0-9a-f]{2}-[0-9a-f]{32}-[0-9a-f]{16}-[0-9a-f]{2}$/;
// Um substituto solto o JSON.stringify já escapa.
const PERIGOSOS = /[\p{Cc}\p{Bidi_Control}\u2028\u2029]/gu;

/**
 * Cria o log de um processo.
 * @param servico nome que abre cada linha.
 * @param escrever destino das linhas.
 */
export function criarLog(servico: string, escrever: Escrever): Log {
  return (evento, campos = {}) => escrever(`${servico} ${formatarLinha(evento, campos)}`);
}

/**
 * Monta `evento chave=valor ...`. Textos fora do alfabeto simples saem entre aspas; caracteres de controle,
 * separadores de linha (U+2028, U+2029), C1 e marcas bidirecionais saem como `\uXXXX`; valores longos são cortados.
 */
export function formatarLinha(evento: string, campos: Campos): string {
  let linha = evento;
  for (const chave of Object.keys(campos)) {
    const valor = campos[chave];
    if (valor !== undefined) linha += ` ${chave}=${formatarValor(valor)}`;
  }
  return linha;
}

function formatarValor(valor: string | number | boolean | null): string {
  if (typeof valor !== 'string') return String(valor);
  if (valor.length <= MAXIMO_POR_VALOR && SIMPLES.test(valor)) return valor;
  const cortado = valor.length > MAXIMO_POR_VALOR ? `${valor.slice(0, MAXIMO_POR_VALOR)}…` : valor;
  return JSON.stringify(cortado).replace(
    PERIGOSOS,
    (caractere) => `\\u${caractere.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}
