import assert from 'node:assert/strict';
import { test } from 'node:test';
import { criarCadastro, type Sala } from './salas.ts';

const sala = (id: string, capacidade: number): Sala => ({ id, nome: id, capacidade, recursos: [] });

const cadastro = criarCadastro([
  sala('sala-z', 12),
  sala('sala-a', 12),
  sala('sala-grande', 30),
  sala('sala-Z', 12),
  sala('sala-media', 20),
  sala('sala-pequena', 4),
]);

test('acha a sala pelo id exato', () => {
  assert.equal(cadastro.sala('sala-a')?.capacidade, 12);
  for (const id of ['sala-A', 'sala-', '', '__proto__', 'constructor', 'toString']) {
    assert.equal(cadastro.sala(id), undefined, id);
  }
});

test('as substitutas têm ao menos a mesma capacidade, sem a própria sala, por capacidade e depois por id', () => {
  assert.deepEqual(cadastro.substitutas(sala('sala-a', 12)), [
    'sala-Z',
    'sala-z',
    'sala-media',
    'sala-grande',
  ]);
  assert.deepEqual(cadastro.substitutas(sala('sala-media', 20)), ['sala-grande']);
  assert.deepEqual(cadastro.substitutas(sala('sala-grande', 30)), []);
});
