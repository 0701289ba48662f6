import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { LinhaDoTempo, type Lugar } from './linha-do-tempo.ts';

const comparar = (a: Lugar, b: Lugar): number => a.instante - b.instante || a.sequencia - b.sequencia;

test('entrar fora de ordem, sair e contar dão o mesmo que uma lista ordenada, com blocos cheios e divididos', () => {
  const operacao = fc.record({ instante: fc.nat(40), sair: fc.boolean(), qual: fc.nat() });
  fc.assert(
    fc.property(
      fc.array(operacao, { maxLength: 60 }),
      fc.integer({ min: 0, max: 1_200 }),
      (operacoes, antes) => {
        const linha = new LinhaDoTempo<Lugar>();
        let modelo: Lugar[] = [];
        let sequencia = 0;
        const por = (instante: number): void => {
          const item = { instante, sequencia: sequencia++ };
          linha.por(item);
          modelo.push(item);
        };
        for (let n = 0; n < antes; n++) por(20 + (n % 3));
        modelo.sort(comparar);
        for (const { instante, sair, qual } of operacoes) {
          const item = modelo[qual % modelo.length];
          if (sair && item) {
            linha.tirar(item);
            linha.tirar(item);
            modelo = modelo.filter((outro) => outro !== item);
          } else {
            por(instante);
            modelo.sort(comparar);
          }
        }
        assert.equal(linha.tamanho, modelo.length);
        assert.equal(linha.primeiro, modelo[0]);
        assert.deepEqual(linha.deTrasParaFrente(0, linha.tamanho), [...modelo].reverse());
        const [inicio, fim] = [Math.floor(modelo.length / 3), Math.ceil(modelo.length / 2)];
        assert.deepEqual(linha.deTrasParaFrente(inicio, fim), modelo.slice(inicio, fim).reverse());
        for (const lugar of [
          { instante: 20, sequencia: 0 },
          { instante: 21, sequencia: 300 },
          { instante: 99, sequencia: 0 },
          { instante: -1, sequencia: 0 },
        ]) {
          assert.equal(
            linha.quantosAntesDe(lugar),
            modelo.filter((item) => comparar(item, lugar) < 0).length,
          );
        }
      },
    ),
    { numRuns: 60 },
  );
});

test('esvaziada pelo começo ou pelo meio, e enchida de novo, nada sobra nem falta', () => {
  const linha = new LinhaDoTempo<Lugar>();
  const itens = Array.from({ length: 1_600 }, (_, sequencia) => ({ instante: 0, sequencia }));
  for (const item of itens) linha.por(item);
  for (const item of itens.slice(512, 1_024)) linha.tirar(item);
  assert.deepEqual(
    linha.deTrasParaFrente(500, 520),
    [...itens.slice(500, 512), ...itens.slice(1_024, 1_032)].reverse(),
  );
  for (const item of itens.slice(512, 1_024)) linha.por(item);
  assert.deepEqual(linha.deTrasParaFrente(0, 1_600), [...itens].reverse());
  for (const [n, item] of itens.entries()) {
    assert.equal(linha.primeiro, item);
    assert.equal(linha.tamanho, itens.length - n);
    linha.tirar(item);
  }
  assert.equal(linha.primeiro, undefined);
});
