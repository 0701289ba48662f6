import assert from 'node:assert/strict';
import { test } from 'node:test';
import { criarPdf, lerPdf } from './pdf.ts';

test('o que criarPdf escreve, lerPdf lê, com parênteses e barras no texto', () => {
  const linhas = ['Uma linha.', 'Com (parênteses) e \\barras\\.', ''];
  assert.deepEqual(lerPdf(criarPdf(linhas)), linhas);
});

test('o que não é texto mostrado não esconde o que vem depois', () => {
  const pdf = `%PDF-1.4\n(solto) (outro \\( (aninhado) fim) \\\\ (visto) Tj`;
  assert.deepEqual(lerPdf(btoa(pdf)), ['visto']);
});

test('ler custa o tamanho do PDF, mesmo um em que todo parêntese aberto está escapado', () => {
  const hostil = (vezes: number): string => btoa(`%PDF-(${'\\('.repeat(vezes)}`);
  // 16 vezes o tamanho: 16 vezes o trabalho se for linear, 256 se for quadrático. A folga é o ruído da máquina.
  const [pouco, muito] = [menorTempo(hostil(5_000)), menorTempo(hostil(80_000))];
  assert.ok(muito < 80 * (pouco + 1), `${muito} contra ${pouco}`);
});

/** O menor de vários: o que a máquina faz ao mesmo tempo só pode aumentá-lo. */
function menorTempo(base64: string): number {
  const medir = (): number => {
    const inicio = performance.now();
    lerPdf(base64);
    return performance.now() - inicio;
  };
  return Math.min(...Array.from({ length: 7 }, medir));
}
