/** Leitura estrita de instantes. Duas grafias do mesmo instante (`Z` e `-03:00`, por exemplo) dão o mesmo número. */

// Zeros depois do milissegundo passam: há bibliotecas que sempre escrevem sete casas.
const FORMATO =
  /^(\d{4}-\d{2}-\d{2})T(\d{2}:\d{2})(?::(\d{2})(?:\.(\d{1,3})0*)?)?(?:Z|([+-])([01]\d|2[0-3]):([0-5]\d))$/;

/**
 * Lê um instante ISO 8601 com `Z` ou deslocamento `±hh:mm`; segundos e até três casas decimais são opcionais.
 * @returns milissegundos desde 1970-01-01T00:00:00Z, ou `undefined` se não for um instante real (sem fuso,
 * `2026-02-30`, `24:00`, segundo 60, precisão menor que o milissegundo). Nunca lança.
 */
export function lerInstante(texto: string): number | undefined {
  const partes = FORMATO.exec(texto);
  if (!partes) return undefined;
  const [, dia, minuto, segundo = '00', fracao = '', sinal, horas = '0', minutos = '0'] = partes;
  const canonico = `${dia}T${minuto}:${segundo}.${fracao.padEnd(3, '0')}Z`;
  const local = Date.parse(canonico);
  // Alguns motores aceitam 30 de fevereiro e o empurram para março: só vale o que volta igual.
  if (Number.isNaN(local) || new Date(local).toISOString() !== canonico) return undefined;
  const deslocamento = (Number(horas) * 60 + Number(minutos)) * 60_000;
  return sinal === '-' ? local + deslocamento : local - deslocamento;
}
