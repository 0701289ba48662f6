import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type AgentCard as CardDoSdk, verifyAgentCardSignature } from '@a2a-js/sdk';
import modulo from 'canonicalize';
import { base64url, exportJWK, generateKeyPair, generateSecret } from 'jose';
import { assinarCard, CardNaoConfere, conferirCard } from './assinatura.ts';
import type { AgentCard } from './card.ts';
import type { Canonicalizar } from './card-canonico.ts';

// Os tipos do pacote descrevem outro formato de módulo: o que chega é a própria função.
const canonicalizar = modulo as unknown as Canonicalizar;

const CARD: AgentCard = {
  name: 'Agente',
  description: 'Só existe para ser assinado',
  version: '1.0.0',
  supportedInterfaces: [{ url: 'http://localhost/a2a', protocolBinding: 'JSONRPC', protocolVersion: '1.0' }],
  capabilities: { streaming: true, pushNotifications: false },
  defaultInputModes: ['text/plain'],
  defaultOutputModes: ['text/plain'],
  skills: [{ id: 's', name: 'S', description: 'Uma skill', tags: ['t'] }],
};

async function preparar(alg: 'ES256' | 'EdDSA' | 'HS256', kid = 'k1') {
  const segredo = alg === 'HS256' ? await generateSecret(alg, { extractable: true }) : undefined;
  const par = segredo ?? (await generateKeyPair(alg));
  const [privada, publica] = 'privateKey' in par ? [par.privateKey, par.publicKey] : [par, par];
  const assinado = await assinarCard(CARD, { chave: privada, alg, kid, canonicalizar });
  const conferir = (card: AgentCard, algoritmos: string[] = [alg], chave = publica) =>
    conferirCard(card, {
      chavePara: (header) => (header.kid === kid ? chave : undefined),
      algoritmos,
      canonicalizar,
    });
  return { privada, publica, assinado, conferir };
}

const copia = (card: AgentCard): AgentCard => JSON.parse(JSON.stringify(card)) as AgentCard;

for (const alg of ['ES256', 'EdDSA', 'HS256'] as const) {
  test(`§8.4: um card assinado com ${alg} confere, também depois de viajar como JSON`, async () => {
    const { assinado, conferir } = await preparar(alg);
    assert.deepEqual(await conferir(copia(assinado)), { alg, kid: 'k1' });
  });
}

test('§8.4.2: o header protegido leva alg, kid, typ JOSE, e jku se houver', async () => {
  const { privada } = await preparar('ES256');
  const jku = 'https://agente.example/jwks.json';
  const { signatures = [] } = await assinarCard(CARD, {
    chave: privada,
    alg: 'ES256',
    kid: 'k1',
    jku,
    canonicalizar,
  });
  const header = JSON.parse(new TextDecoder().decode(base64url.decode(signatures[0]?.protected ?? '')));
  assert.deepEqual(header, { alg: 'ES256', kid: 'k1', typ: 'JOSE', jku });
  assert.deepEqual(Object.keys(signatures[0] ?? {}).sort(), ['protected', 'signature']);
});

test('§8.4.3: qualquer mudança no card, na assinatura ou no header protegido é recusada', async () => {
  const { assinado, conferir } = await preparar('ES256');
  const [assinatura] = assinado.signatures ?? [];
  assert.ok(assinatura);
  const adulterados: Record<string, AgentCard> = {
    nome: { ...assinado, name: 'Outro' },
    url: {
      ...assinado,
      supportedInterfaces: [{ ...CARD.supportedInterfaces[0], url: 'http://mau/a2a' } as never],
    },
    'optional ligado': { ...assinado, capabilities: { ...CARD.capabilities, pushNotifications: true } },
    'optional acrescentado': {
      ...assinado,
      capabilities: { ...CARD.capabilities, extendedAgentCard: false },
    },
    'optional tirado': { ...assinado, capabilities: { streaming: true } },
    'skill a mais': { ...assinado, skills: [...CARD.skills, ...CARD.skills] },
    'campo desconhecido': { ...assinado, url: 'http://mau' } as AgentCard,
    'campo desconhecido vazio': { ...assinado, url: '' } as AgentCard,
    'sem assinaturas': CARD,
    'header protegido trocado': {
      ...assinado,
      signatures: [{ ...assinatura, protected: base64url.encode('{"alg":"ES256","kid":"k1"}') }],
    },
  };
  for (const [caso, card] of Object.entries(adulterados)) {
    await assert.rejects(conferir(copia(card)), CardNaoConfere, caso);
  }
});

test('§8.4.3: nenhuma troca de um caractere da assinatura passa, nem a que só muda bits que sobram', async () => {
  const { assinado, conferir } = await preparar('ES256');
  const [assinatura] = assinado.signatures ?? [];
  assert.ok(assinatura);
  const { signature } = assinatura;
  const trocas = [...signature].map(
    (c, i) => `${signature.slice(0, i)}${c === 'A' ? 'B' : 'A'}${signature.slice(i + 1)}`,
  );
  const finais = [...'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_'].map(
    (c) => signature.slice(0, -1) + c,
  );
  for (const outra of [...trocas, ...finais, `${signature}=`, ''].filter((texto) => texto !== signature)) {
    await assert.rejects(
      conferir({ ...assinado, signatures: [{ ...assinatura, signature: outra }] }),
      CardNaoConfere,
      outra,
    );
  }
});

test('§8.4.3: outra chave, alg none, e um alg fora da lista de quem confere são recusados', async () => {
  const { assinado, conferir, publica } = await preparar('ES256');
  const outra = await generateKeyPair('ES256');
  await assert.rejects(conferir(assinado, ['ES256'], outra.publicKey), CardNaoConfere);
  await assert.rejects(conferir(assinado, ['EdDSA']), CardNaoConfere);
  const semAssinatura = {
    ...CARD,
    signatures: [{ protected: base64url.encode('{"alg":"none","kid":"k1","typ":"JOSE"}'), signature: '' }],
  };
  await assert.rejects(conferir(semAssinatura, ['none', 'ES256']), CardNaoConfere);
  // A chave pública, usada como segredo de HMAC: o ataque clássico a quem deixa o header escolher o algoritmo.
  const segredo = new TextEncoder().encode(JSON.stringify(await exportJWK(publica)));
  const forjado = await assinarCard(CARD, { chave: segredo, alg: 'HS256', kid: 'k1', canonicalizar });
  await assert.rejects(conferir(forjado), CardNaoConfere);
  await assert.rejects(conferir(forjado, ['HS256']), CardNaoConfere);
});

test('§8.4.1: os valores padrão não contam, e os REQUIRED contam mesmo vazios', async () => {
  const { privada, conferir } = await preparar('ES256');
  const magro: AgentCard = { ...CARD, description: '', skills: [], capabilities: { streaming: false } };
  const assinado = await assinarCard(magro, { chave: privada, alg: 'ES256', kid: 'k1', canonicalizar });
  await conferir({
    ...assinado,
    capabilities: { streaming: false, extensions: [] },
    securityRequirements: [],
    securitySchemes: {},
  });
  const { description: _d, ...semDescricao } = assinado;
  await assert.rejects(conferir(semDescricao as AgentCard), CardNaoConfere);
});

test('§8.4.3: várias assinaturas servem à rotação de chaves: basta uma que se conheça', async () => {
  const velha = await preparar('ES256', 'velha');
  const nova = await generateKeyPair('EdDSA');
  const card = await assinarCard(velha.assinado, {
    chave: nova.privateKey,
    alg: 'EdDSA',
    kid: 'nova',
    canonicalizar,
  });
  const header = await conferirCard(card, {
    chavePara: ({ kid }) => (kid === 'nova' ? nova.publicKey : undefined),
    algoritmos: ['ES256', 'EdDSA'],
    canonicalizar,
  });
  assert.equal(header.kid, 'nova');
  assert.equal((await velha.conferir(card)).kid, 'velha');
});

test('§8.4.3: uma chave que não se consegue achar não impede as outras assinaturas', async () => {
  const { privada, publica, assinado } = await preparar('ES256', 'sumida');
  const card = await assinarCard(assinado, { chave: privada, alg: 'ES256', kid: 'boa', canonicalizar });
  const falha = new Error('sem chave para este kid');
  const conferir = (boa: string) =>
    conferirCard(card, {
      chavePara: ({ kid }) => {
        if (kid !== boa) throw falha;
        return publica;
      },
      algoritmos: ['ES256'],
      canonicalizar,
    });
  assert.equal((await conferir('boa')).kid, 'boa');
  await assert.rejects(conferir('nenhuma'), (erro) => erro instanceof CardNaoConfere && erro.cause === falha);
});

test('§8.4.3: um card malformado não confere, e nada mais: nem TypeError, nem assinatura boa ignorada', async () => {
  const { assinado, conferir } = await preparar('ES256');
  const [boa] = assinado.signatures ?? [];
  for (const signatures of [null, {}, 'abc', 1, [null], [{}], [[]], [1], [{ protected: 1, signature: 2 }]]) {
    await assert.rejects(
      conferir({ ...assinado, signatures } as unknown as AgentCard),
      CardNaoConfere,
      JSON.stringify(signatures),
    );
  }
  await conferir({ ...assinado, signatures: [null, {}, boa] } as unknown as AgentCard);
  const infinito = JSON.parse(JSON.stringify(assinado).replace('{', '{"n":1e400,')) as AgentCard;
  await assert.rejects(conferir(infinito), CardNaoConfere);
  for (const nada of [null, 1, 'card', []]) {
    await assert.rejects(conferir(nada as unknown as AgentCard), CardNaoConfere, JSON.stringify(nada));
  }
});

test('§8.4: o cliente oficial (@a2a-js/sdk) confere um card assinado aqui, e recusa o adulterado', async () => {
  const { assinado, publica } = await preparar('ES256');
  const conferir = verifyAgentCardSignature(async () => publica);
  await conferir(copia(assinado) as unknown as CardDoSdk);
  await assert.rejects(conferir({ ...copia(assinado), name: 'Outro' } as unknown as CardDoSdk));
});
