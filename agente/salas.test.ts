import assert from 'node:assert/strict';
import { test } from 'node:test';
import { dialetoDeSalas } from './salas.ts';

const pedido = (resto: string): string => `reservar sala=x inicio=a fim=b responsavel=${resto}`;
const ler = (text: string) =>
  dialetoDeSalas.lerPedido({ messageId: 'm', role: 'ROLE_USER', parts: [{ text }] });

test('o último campo vai até o fim da linha, sem os espaços das pontas', () => {
  for (const [escrito, lido] of [
    ['Doc', 'Doc'],
    ['  Emmett Brown, o "Doc"  ', 'Emmett Brown, o "Doc"'],
    ['José = João', 'José = João'],
  ] as const) {
    const entendido = ler(pedido(escrito));
    assert.ok('chamada' in entendido);
    assert.equal(entendido.chamada.argumentos.responsavel, lido);
  }
});

test('fora do formato: recusa que mostra o formato', () => {
  for (const texto of [
    pedido(''),
    pedido('   '),
    pedido('a\nb'),
    'reservar',
    '',
    'RESERVAR sala=x',
    `${pedido('a')}\n`.repeat(2),
  ]) {
    assert.ok('recusa' in ler(texto), JSON.stringify(texto));
  }
});

test('um texto hostil custa o mesmo que um comum do mesmo tamanho, em qualquer campo', () => {
  const medir = (texto: string): number => {
    const inicio = process.cpuUsage();
    for (let i = 0; i < 5; i++) ler(texto);
    return process.cpuUsage(inicio).user;
  };
  const n = 20_000;
  const comum = pedido('a'.repeat(n));
  medir(comum);
  const referencia = medir(comum) + 5_000;
  for (const hostil of [
    `${pedido('a'.repeat(n))}\nx`,
    `${pedido(' '.repeat(n))}\nx`,
    `reservar${' '.repeat(n)}x`,
    `reservar sala=${'a'.repeat(n)}`,
    `reservar sala=a${' '.repeat(n)}x`,
    `reservar sala=a inicio=${'a '.repeat(n / 2)}`,
    `escolha=${'a'.repeat(n)} `,
  ]) {
    const custo = medir(hostil);
    assert.ok(custo < referencia * 50, `${custo} contra ${referencia}: ${hostil.slice(0, 40)}`);
  }
});
