import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  ErroDeConfiguracao,
  lerHostsPermitidos,
  lerInteiro,
  lerPorta,
  lerPrazoDoRequest,
  lerUrl,
} from './ambiente.ts';
import { HOSTS_LOCAIS } from './guarda.ts';

const FAIXA = { padrao: 5, minimo: 1, maximo: 10 };

test('um inteiro ausente ou em branco vale o padrão, e as pontas da faixa valem', () => {
  for (const [valor, lido] of [
    [undefined, 5],
    ['', 5],
    ['  ', 5],
    ['1', 1],
    ['10', 10],
    [' 7 ', 7],
    ['007', 7],
  ] as const) {
    assert.equal(lerInteiro({ N: valor }, 'N', FAIXA), lido);
  }
});

test('fora da faixa ou não inteiro, a mensagem diz a variável, a faixa e o que veio', () => {
  for (const valor of [
    '0',
    '11',
    '-1',
    '1.5',
    '1e1',
    '0x5',
    'sete',
    '٣',
    'Infinity',
    '99999999999999999999',
  ]) {
    assert.throws(
      () => lerInteiro({ N: valor }, 'N', FAIXA),
      (erro) =>
        erro instanceof ErroDeConfiguracao &&
        erro.message === `N deve ser um inteiro entre 1 e 10; veio "${valor}"`,
    );
  }
});

test('portas vão de 0 a 65535, e o prazo do request tem padrão', () => {
  assert.equal(lerPorta({ P: '0' }, 'P', 7300), 0);
  assert.equal(lerPorta({ P: '65535' }, 'P', 7300), 65_535);
  assert.throws(() => lerPorta({ P: '65536' }, 'P', 7300), ErroDeConfiguracao);
  assert.equal(lerPrazoDoRequest({}), 30_000);
  assert.throws(() => lerPrazoDoRequest({ REQUEST_TIMEOUT_MS: '0' }), ErroDeConfiguracao);
});

test('ALLOWED_HOSTS é uma lista de nomes; sem nome nenhum, valem os locais', () => {
  assert.deepEqual(lerHostsPermitidos({ ALLOWED_HOSTS: ' Salas.Exemplo , ,outro ' }), [
    'salas.exemplo',
    'outro',
  ]);
  for (const valor of [undefined, '', ' , ']) {
    assert.equal(lerHostsPermitidos({ ALLOWED_HOSTS: valor }), HOSTS_LOCAIS);
  }
});

test('uma URL perde a barra do fim, e só http e https servem', () => {
  assert.equal(lerUrl({ U: ' http://localhost:1/mcp// ' }, 'U', ''), 'http://localhost:1/mcp');
  assert.equal(lerUrl({}, 'U', 'https://x'), 'https://x');
  for (const valor of ['localhost:7301', '/mcp', 'ftp://x', 'javascript:1', 'http://']) {
    assert.throws(
      () => lerUrl({ U: valor }, 'U', ''),
      new ErroDeConfiguracao(`U deve ser uma URL http ou https absoluta; veio "${valor}"`),
    );
  }
});
