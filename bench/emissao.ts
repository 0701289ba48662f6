/** Repetir uma operação com várias em voo, e medir cada uma. */
import { percentil } from './estatistica.ts';

/** O que se vê de fora: duração total e latências, em ms. */
export interface Emissao {
  readonly ms: number;
  readonly p50: number;
  readonly p99: number;
}

/**
 * Roda `operacao(0..vezes-1)`, mantendo `emVoo` ao mesmo tempo.
 * @throws o primeiro erro de uma operação: um bench com respostas erradas não vale nada.
 */
export async function emitir(
  vezes: number,
  emVoo: number,
  operacao: (indice: number) => Promise<unknown>,
): Promise<Emissao> {
  const latencias: number[] = [];
  let proxima = 0;
  const trabalhar = async (): Promise<void> => {
    while (proxima < vezes) {
      const inicio = performance.now();
      await operacao(proxima++);
      latencias.push(performance.now() - inicio);
    }
  };
  const inicio = performance.now();
  await Promise.all(Array.from({ length: emVoo }, trabalhar));
  return { ms: performance.now() - inicio, p50: percentil(latencias, 0.5), p99: percentil(latencias, 0.99) };
}
