import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ErroA2A } from './erros.ts';
import { conferirVersao } from './versao.ts';

const pedir = (header: string | undefined, query = ''): Request =>
  new Request(`http://localhost/a2a${query}`, {
    headers: header === undefined ? {} : { 'a2a-version': header },
  });

test('§3.6: 1.0, com qualquer patch, no header ou na URL, é aceita; e a ausência é lida como 1.0', () => {
  for (const request of [
    pedir('1.0'),
    pedir(' 1.0 '),
    pedir('1.0.1'),
    pedir('1.0.27'),
    pedir(undefined),
    pedir(''),
    pedir(undefined, '?A2A-Version=1.0'),
    pedir('', '?x=1&a2a-version=1.0.3'),
    pedir(undefined, '?A2A-Version='),
    pedir('1.0', '?A2A-Version=0.3'),
  ]) {
    conferirVersao(request);
  }
});

test('§3.6.2: qualquer outra é recusada com -32009, que diz qual é a aceita', () => {
  for (const header of [
    '0.3',
    '1',
    '1.1',
    '1.7',
    '2.0',
    '99.0',
    '1.0.',
    '1.0.x',
    'v1.0',
    '1.0, 1.0',
    '1.00',
    '01.0',
  ]) {
    assert.throws(
      () => conferirVersao(pedir(header)),
      (erro) => {
        assert.ok(erro instanceof ErroA2A, header);
        assert.equal(erro.codigo, -32009);
        assert.deepEqual(erro.detalhes[0]?.metadata, { requested: header, supported: '1.0' });
        return true;
      },
      header,
    );
  }
  assert.throws(() => conferirVersao(pedir(undefined, '?A2A-Version=0.3')), { codigo: -32009 });
  assert.throws(() => conferirVersao(pedir(undefined, '?x=1&a2a-version=0.3')), { codigo: -32009 });
  assert.throws(() => conferirVersao(pedir('0.3', '?A2A-Version=1.0')), { codigo: -32009 });
});

test('a versão pedida volta no erro, mas nunca inteira se for enorme', () => {
  assert.throws(
    () => conferirVersao(pedir('9'.repeat(5_000))),
    (erro) => erro instanceof ErroA2A && JSON.stringify(erro.detalhes).length < 400,
  );
});
