import assert from 'node:assert/strict';
import { test } from 'node:test';
import { HOSTS_LOCAIS, motivoDeRecusa } from './guarda.ts';

function recusa(
  headers: Record<string, string>,
  permitidos = HOSTS_LOCAIS,
  url = 'http://localhost/',
): string {
  return motivoDeRecusa(new Request(url, { headers }), permitidos) ?? 'passa';
}

test('os nomes locais passam, com ou sem porta, em qualquer caixa', () => {
  for (const host of [
    'localhost',
    'localhost:7300',
    'LOCALHOST:1',
    '127.0.0.1',
    '127.0.0.1:65535',
    '[::1]',
    '[::1]:7301',
  ]) {
    assert.equal(recusa({ host }), 'passa', host);
    assert.equal(recusa({ host: 'localhost', origin: `http://${host}` }), 'passa', host);
    assert.equal(recusa({ host: 'localhost', origin: `https://${host}` }), 'passa', host);
  }
});

test('um Host que não é desta máquina não passa, nem o que só parece ser', () => {
  for (const host of [
    'exemplo.com',
    'exemplo.com:7300',
    'localhost.exemplo.com',
    'localhost.',
    'xlocalhost',
    'localhost@exemplo.com',
    'exemplo.com#localhost',
    'localhost:7300:7300',
    'localhost:',
    'localhost:123456',
    'localhost:porta',
    'localhost, exemplo.com',
    'localhost exemplo.com',
    '127.0.0.1.exemplo.com',
    '127.1',
    '0.0.0.0',
    '::1',
    '[::1',
    '[::2]',
    '[::1]x',
    'http://localhost',
    'localhost/',
    'localhost\\',
  ]) {
    assert.match(recusa({ host }), /^Host não permitido/, host);
  }
});

test('sem Host vale o host da URL', () => {
  assert.equal(recusa({}), 'passa');
  assert.match(recusa({}, HOSTS_LOCAIS, 'http://exemplo.com/'), /^Host não permitido/);
});

test('uma Origin de fora não passa, a `null` também não, e a ausência passa', () => {
  for (const origin of [
    'null',
    'http://exemplo.com',
    'http://localhost.exemplo.com',
    'http://localhost@exemplo.com',
    'http://exemplo.com/http://localhost',
    'file://localhost',
    'localhost',
    'http://',
    'http://localhost http://exemplo.com',
    'chrome-extension://localhost',
  ]) {
    assert.match(recusa({ host: 'localhost', origin }), /^Origin não permitida/, origin);
  }
  assert.equal(recusa({ host: 'localhost' }), 'passa');
});

test('a lista de nomes é a que se dá, e só ela', () => {
  assert.equal(
    recusa({ host: 'salas.exemplo:80', origin: 'https://salas.exemplo' }, ['salas.exemplo']),
    'passa',
  );
  assert.match(recusa({ host: 'localhost' }, ['salas.exemplo']), /^Host não permitido/);
});

test('o motivo não repete o que veio', () => {
  assert.doesNotMatch(
    recusa({ host: '<script>' }) + recusa({ host: 'localhost', origin: '<script>' }),
    /script/,
  );
});
