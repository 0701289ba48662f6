/** As poucas contas do bench. */

/** A mediana; de uma lista vazia, NaN. */
export function mediana(valores: readonly number[]): number {
  return percentil(valores, 0.5);
}

/** O percentil `p` (0 a 1), interpolado entre os dois vizinhos. */
export function percentil(valores: readonly number[], p: number): number {
  const emOrdem = [...valores].sort((a, b) => a - b);
  const posicao = (emOrdem.length - 1) * p;
  const abaixo = emOrdem[Math.floor(posicao)] ?? Number.NaN;
  const acima = emOrdem[Math.ceil(posicao)] ?? Number.NaN;
  return abaixo + (acima - abaixo) * (posicao - Math.floor(posicao));
}
