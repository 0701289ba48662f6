import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { lerInstante } from './instante.ts';

test('lê fuso, Z, segundos e frações opcionais como o mesmo instante', () => {
  const esperado = Date.UTC(2026, 10, 3, 17, 0, 0);
  for (const grafia of [
    '2026-11-03T14:00:00-03:00',
    '2026-11-03T14:00-03:00',
    '2026-11-03T17:00:00Z',
    '2026-11-03T17:00:00.000Z',
    '2026-11-03T17:00:00.0000000Z',
    '2026-11-03T22:30:00+05:30',
    '2026-11-04T07:00:00+14:00',
  ]) {
    assert.equal(lerInstante(grafia), esperado, grafia);
  }
});

test('conta a fração em milissegundos, com uma a três casas', () => {
  const base = lerInstante('2026-11-03T17:00:00Z') as number;
  assert.equal(lerInstante('2026-11-03T17:00:00.5Z'), base + 500);
  assert.equal(lerInstante('2026-11-03T17:00:00.05Z'), base + 50);
  assert.equal(lerInstante('2026-11-03T17:00:00.005Z'), base + 5);
});

test('recusa o que não existe no calendário, não tem fuso ou não é ISO 8601', () => {
  for (const texto of [
    '',
    'amanhã',
    '2026-11-03',
    '2026-11-03T14:00:00',
    '2026-11-03 14:00:00-03:00',
    '2026-02-29T10:00:00-03:00',
    '2026-02-30T10:00:00-03:00',
    '2026-04-31T10:00:00-03:00',
    '2026-13-01T10:00:00-03:00',
    '2026-00-10T10:00:00-03:00',
    '2026-11-00T10:00:00-03:00',
    '2026-11-03T24:00:00-03:00',
    '2026-11-03T10:60:00-03:00',
    '2026-11-03T10:00:60-03:00',
    '2026-11-03T10:00:00-24:00',
    '2026-11-03T10:00:00-03:60',
    '2026-11-03T10:00:00-0300',
    '2026-11-03T10:00:00-03',
    '2026-11-03T10:00:00.1234Z',
    '2026-11-03T10:00:00.Z',
    '2026-11-03t10:00:00z',
    '0026-11-03T10:00:00Z',
    '+002026-11-03T10:00:00Z',
    ' 2026-11-03T10:00:00Z',
    '2026-11-03T10:00:00Z\n',
    '２０２６-11-03T10:00:00Z',
  ]) {
    assert.equal(lerInstante(texto), undefined, JSON.stringify(texto));
  }
});

test('aceita 29 de fevereiro só em ano bissexto', () => {
  assert.notEqual(lerInstante('2028-02-29T10:00:00-03:00'), undefined);
  assert.notEqual(lerInstante('2000-02-29T10:00:00-03:00'), undefined);
  assert.equal(lerInstante('2100-02-29T10:00:00-03:00'), undefined);
});

test('concorda com o relógio do motor em qualquer instante que ele mesmo escreve', () => {
  fc.assert(
    fc.property(
      fc.date({ min: new Date('0100-01-01'), max: new Date('9999-12-31'), noInvalidDate: true }),
      (data) => {
        assert.equal(lerInstante(data.toISOString()), data.getTime());
      },
    ),
  );
});
