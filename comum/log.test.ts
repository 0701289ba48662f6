import assert from 'node:assert/strict';
import { test } from 'node:test';
import { criarLog, formatarLinha } from './log.ts';

test('uma linha tem o serviço, o evento e os campos na ordem; o que não veio some', () => {
  const linhas: string[] = [];
  criarLog('agente', (linha) => linhas.push(linha))('recebido', {
    metodo: 'SendMessage',
    id: 7,
    caminho: undefined,
    vazio: null,
    certo: true,
    traceparent: '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01',
  });
  assert.deepEqual(linhas, [
    'agente recebido metodo=SendMessage id=7 vazio=null certo=true traceparent=00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01',
  ]);
});

test('um texto nunca se confunde com um número, um booleano, null ou outro campo', () => {
  for (const [valor, esperado] of [
    ['7', '"7"'],
    ['null', '"null"'],
    ['true', '"true"'],
    ['', '""'],
    ['a b=c', '"a b=c"'],
    ['a"b', '"a\\"b"'],
    ['a\\', '"a\\\\"'],
    ['café', '"café"'],
    ['tools/call', 'tools/call'],
    ['nullo', 'nullo'],
  ] as const) {
    assert.equal(formatarLinha('e', { v: valor }), `e v=${esperado}`);
  }
});

test('nenhum valor abre linha, mexe no terminal ou muda o sentido da leitura', () => {
  const perigosos = [
    ...Array.from({ length: 0x20 }, (_, codigo) => codigo),
    ...Array.from({ length: 0x21 }, (_, i) => 0x7f + i),
    0x61c,
    0x200e,
    0x200f,
    0x2028,
    0x2029,
    0x202a,
    0x202e,
    0x2066,
    0x2069,
    0xd800,
    0xdfff,
  ];
  for (const codigo of perigosos) {
    const linha = formatarLinha('request', { metodo: `a${String.fromCharCode(codigo)}servidor-mcp request` });
    assert.match(
      linha,
      /^request metodo="a\\(u[0-9a-f]{4}|[bfnrt])servidor-mcp request"$/,
      codigo.toString(16),
    );
  }
  // Um par substituto inteiro é um caractere como outro qualquer.
  assert.equal(formatarLinha('e', { v: '🙂' }), 'e v="🙂"');
});

test('um valor longo é cortado, mesmo no meio de um par substituto', () => {
  const linha = formatarLinha('e', { v: `${'a'.repeat(255)}🙂${'b'.repeat(100_000)}` });
  assert.equal(linha, `e v="${'a'.repeat(255)}\\ud83d…"`);
});
