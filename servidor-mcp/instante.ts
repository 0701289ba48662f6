/** Leitura estrita de instantes. Duas grafias do mesmo instante (`Z` e `-03:00`, por exemplo) dão o mesmo número. */

// Zeros depois do milissegundo passam: há bibliotecas que sempre escrevem sete casas.
const FORMATO =
  /^(\d{4})-(\d\d)-(\d\d)T([01]\d|2[0-3]):([0-5]\d)(?::([0-5]\d)(?:\.(\d{1,3})0*)?)?(?:Z|([+-])([01]\d|2[0-3]):([0-5]\d))$/;

/**
 * Lê um instante ISO 8601 com `Z` ou deslocamento `±hh:mm`; segundos e até três casas decimais são opcionais.
 * @returns milissegundos desde 1970-01-01T00:00:00Z, ou `undefined` se não for um instante real (sem fuso,
 * `2026-02-30`, `24:00`, segundo 60, precisão menor que o milissegundo, ano antes de 100). Nunca lança.
 */
export function lerInstante(texto: string): number | undefined {
  const partes = FORMATO.exec(texto);
  if (!partes) return undefined;
  const n = (i: number): number => Number(partes[i] ?? 0);
  const [ano, mes, dia] = [n(1), n(2) - 1, n(3)];
  const milissegundo = Number((partes[7] ?? '').padEnd(3, '0'));
  const local = Date.UTC(ano, mes, dia, n(4), n(5), n(6), milissegundo);
  // Date.UTC empurra 30 de fevereiro para março e lê o ano 26 como 1926: só vale a data que volta igual.
  const lida = new Date(local);
  if (lida.getUTCFullYear() !== ano || lida.getUTCMonth() !== mes) return undefined;
  const deslocamento = (n(9) * 60 + n(10)) * 60_000;
  return partes[8] === '-' ? local + deslocamento : local - deslocamento;
}
