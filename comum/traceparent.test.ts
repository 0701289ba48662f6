import assert from 'node:assert/strict';
import { test } from 'node:test';
import { lerTraceparent, novoTraceparent, traceparentFilho } from './traceparent.ts';

const TRACE = '0af7651916cd43dd8448eb211c80319c';
const SPAN = 'b7ad6b7169203331';

test('§3.2.2: um valor da versão 00 é lido campo a campo', () => {
  assert.deepEqual(lerTraceparent(`00-${TRACE}-${SPAN}-01`), { traceId: TRACE, spanId: SPAN, flags: 1 });
  assert.deepEqual(lerTraceparent(`00-${TRACE}-${SPAN}-00`), { traceId: TRACE, spanId: SPAN, flags: 0 });
});

test('§3.2.2.3: ids só de zeros são inválidos; um zero a menos já não é só zeros', () => {
  assert.equal(lerTraceparent(`00-${'0'.repeat(32)}-${SPAN}-01`), undefined);
  assert.equal(lerTraceparent(`00-${TRACE}-${'0'.repeat(16)}-01`), undefined);
  assert.ok(lerTraceparent(`00-${'0'.repeat(31)}1-${'0'.repeat(15)}1-01`));
});

test('§3.2.4: uma versão mais nova é lida como a 00, e pode trazer mais campos; a ff é proibida', () => {
  for (const valor of [
    `01-${TRACE}-${SPAN}-01`,
    `cc-${TRACE}-${SPAN}-01-`,
    `fe-${TRACE}-${SPAN}-01-o-que-vier`,
  ]) {
    assert.deepEqual(lerTraceparent(valor), { traceId: TRACE, spanId: SPAN, flags: 1 }, valor);
  }
  for (const valor of [`ff-${TRACE}-${SPAN}-01`, `01-${TRACE}-${SPAN}-01x`, `00-${TRACE}-${SPAN}-01-x`]) {
    assert.equal(lerTraceparent(valor), undefined, valor);
  }
});

test('§3.2.2.5: dos flags passam só os bits conhecidos', () => {
  assert.equal(lerTraceparent(`00-${TRACE}-${SPAN}-ff`)?.flags, 3);
  assert.equal(lerTraceparent(`01-${TRACE}-${SPAN}-fc`)?.flags, 0);
});

test('ausente ou mal formado é como se não tivesse vindo', () => {
  const certo = `00-${TRACE}-${SPAN}-01`;
  for (const valor of [
    undefined,
    null,
    '',
    'lixo',
    certo.toUpperCase(),
    ` ${certo}`,
    `${certo} `,
    `${certo}\n`,
    `${certo},${certo}`,
    `${certo}, ${certo}`,
    certo.slice(0, -1),
    certo.slice(1),
    certo.replace(/-/g, ''),
    certo.replace(/-/g, '_'),
    `00-${TRACE.slice(1)}-${SPAN}-01`,
    `00-${TRACE}0-${SPAN}-01`,
    `00-${TRACE}-${SPAN}-0g`,
    `0-${TRACE}-${SPAN}-01`,
    `01-${TRACE}-${SPAN}-01-${'x'.repeat(1000)}`,
    `01-${TRACE}-${SPAN}-01-a\nb`,
    '00-٠af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01',
  ]) {
    assert.equal(lerTraceparent(valor), undefined, JSON.stringify(valor));
  }
});

test('um filho guarda o trace e os flags, tem span próprio e sai na versão 00', () => {
  const pai = { traceId: TRACE, spanId: SPAN, flags: 0 };
  const filhos = Array.from({ length: 100 }, () => traceparentFilho(pai));
  for (const filho of filhos) {
    assert.match(filho, new RegExp(`^00-${TRACE}-[0-9a-f]{16}-00$`));
    assert.notEqual(lerTraceparent(filho)?.spanId, SPAN);
  }
  assert.equal(new Set(filhos).size, filhos.length);
});

test('um trace novo é válido, amostrado e só dele', () => {
  const novos = Array.from({ length: 100 }, novoTraceparent);
  for (const novo of novos) {
    assert.equal(novo.flags, 1);
    assert.ok(lerTraceparent(`00-${novo.traceId}-${novo.spanId}-01`));
  }
  assert.equal(new Set(novos.map(({ traceId }) => traceId)).size, novos.length);
});
