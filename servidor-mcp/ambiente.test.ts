import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ErroDeConfiguracao } from '../comum/ambiente.ts';
import { configuracaoDoAmbiente } from './ambiente.ts';

const REQUEST_STATE_SECRET = 'c'.repeat(64);

test('só com o segredo, valem os padrões', () => {
  assert.deepEqual(configuracaoDoAmbiente({ REQUEST_STATE_SECRET }), {
    porta: 7301,
    host: undefined,
    hostsPermitidos: ['localhost', '127.0.0.1', '[::1]'],
    segredos: [REQUEST_STATE_SECRET],
    ttlSegundos: 900,
  });
});

test('sem segredo, ou com um curto, diz o comando que gera um e não mostra o que veio', () => {
  for (const segredo of [
    undefined,
    '',
    '   ',
    'curto-demais',
    `${REQUEST_STATE_SECRET},curto-demais`,
    `${REQUEST_STATE_SECRET},`,
  ]) {
    assert.throws(
      () => configuracaoDoAmbiente({ REQUEST_STATE_SECRET: segredo }),
      (erro) =>
        erro instanceof ErroDeConfiguracao &&
        erro.message.includes('python3 -c "import secrets; print(secrets.token_hex(32))"') &&
        erro.message.includes('export REQUEST_STATE_SECRET=') &&
        !erro.message.includes('curto-demais'),
    );
  }
});

test('o tamanho do segredo se mede em bytes de UTF-8', () => {
  assert.equal(configuracaoDoAmbiente({ REQUEST_STATE_SECRET: 'é'.repeat(16) }).segredos.length, 1);
  assert.throws(() => configuracaoDoAmbiente({ REQUEST_STATE_SECRET: 'e'.repeat(31) }), ErroDeConfiguracao);
});

test('aceita uma lista de segredos, em ordem', () => {
  const outro = 'd'.repeat(32);
  const { segredos } = configuracaoDoAmbiente({ REQUEST_STATE_SECRET: `${outro}, ${REQUEST_STATE_SECRET}` });
  assert.deepEqual(segredos, [outro, REQUEST_STATE_SECRET]);
});

test('a validade fica entre 5 e 30 minutos', () => {
  for (const [texto, esperado] of [
    ['300', 300],
    ['1800', 1800],
  ] as const) {
    const { ttlSegundos } = configuracaoDoAmbiente({
      REQUEST_STATE_SECRET,
      REQUEST_STATE_TTL_SECONDS: texto,
    });
    assert.equal(ttlSegundos, esperado);
  }
  for (const texto of ['299', '1801', '0', '-900', '9e2', 'muito', '900.5']) {
    assert.throws(
      () => configuracaoDoAmbiente({ REQUEST_STATE_SECRET, REQUEST_STATE_TTL_SECONDS: texto }),
      ErroDeConfiguracao,
      texto,
    );
  }
});
