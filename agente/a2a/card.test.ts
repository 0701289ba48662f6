import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type AgentCard, publicarCard } from './card.ts';

const CARD: AgentCard = {
  name: 'Agente',
  description: 'De prova',
  version: '1.0.0',
  supportedInterfaces: [{ url: 'http://localhost/a2a', protocolBinding: 'JSONRPC', protocolVersion: '1.0' }],
  capabilities: {},
  defaultInputModes: ['text/plain'],
  defaultOutputModes: ['text/plain'],
  skills: [{ id: 's', name: 'S', description: 'Uma', tags: ['t'] }],
};
const T0 = Date.parse('2026-11-03T14:00:00.500Z');
const pedir = (headers: Record<string, string> = {}): Request =>
  new Request('http://localhost/.well-known/agent-card.json', { headers });

test('§8.6.1: o card sai com Cache-Control, ETag e Last-Modified', async () => {
  const resposta = await publicarCard(
    () => CARD,
    () => T0,
  )(pedir());
  assert.equal(resposta.status, 200);
  assert.equal(resposta.headers.get('content-type'), 'application/json');
  assert.match(resposta.headers.get('cache-control') ?? '', /max-age=[1-9]\d*/);
  assert.match(resposta.headers.get('etag') ?? '', /^"[0-9a-f]{32}"$/);
  assert.equal(resposta.headers.get('last-modified'), 'Tue, 03 Nov 2026 14:00:00 GMT');
  assert.deepEqual(await resposta.json(), CARD);
});

test('§8.6.2: quem já tem esta versão recebe 304, sem corpo e com os mesmos headers de cache', async () => {
  const responder = publicarCard(
    () => CARD,
    () => T0,
  );
  const etag = (await responder(pedir())).headers.get('etag') ?? '';
  const lastModified = 'Tue, 03 Nov 2026 14:00:00 GMT';
  for (const headers of [
    { 'if-none-match': etag },
    { 'if-none-match': `W/${etag}` },
    { 'if-none-match': `"outra", ${etag}` },
    { 'if-none-match': '*' },
    { 'if-none-match': etag, 'if-modified-since': 'Tue, 01 Jan 2019 00:00:00 GMT' },
    { 'if-modified-since': lastModified },
    { 'if-modified-since': 'Wed, 04 Nov 2026 14:00:00 GMT' },
  ]) {
    const resposta = await responder(pedir(headers as Record<string, string>));
    assert.equal(resposta.status, 304, JSON.stringify(headers));
    assert.equal(await resposta.text(), '');
    assert.equal(resposta.headers.get('etag'), etag);
    assert.ok(resposta.headers.has('cache-control'));
  }
});

test('§8.6.2: quem tem outra versão, ou diz algo que não se entende, recebe o card', async () => {
  const responder = publicarCard(
    () => CARD,
    () => T0,
  );
  for (const headers of [
    { 'if-none-match': '"outra"' },
    { 'if-none-match': '', 'if-modified-since': 'Wed, 04 Nov 2026 14:00:00 GMT' },
    { 'if-none-match': '"outra"', 'if-modified-since': 'Wed, 04 Nov 2026 14:00:00 GMT' },
    { 'if-modified-since': 'Tue, 03 Nov 2026 13:59:59 GMT' },
    { 'if-modified-since': 'ontem' },
  ]) {
    assert.equal(
      (await responder(pedir(headers as Record<string, string>))).status,
      200,
      JSON.stringify(headers),
    );
  }
});

test('o ETag é do conteúdo: o mesmo card tem sempre o mesmo, e um card trocado tem outro', async () => {
  let atual = CARD;
  const responder = publicarCard(
    () => atual,
    () => T0,
  );
  const etag = async (fonte = responder) => (await fonte(pedir())).headers.get('etag');
  const antes = await etag();
  assert.equal(
    await etag(
      publicarCard(
        () => ({ ...CARD }),
        () => T0 + 9,
      ),
    ),
    antes,
  );
  atual = { ...CARD, version: '1.0.1' };
  assert.notEqual(await etag(), antes);
});

test('§8.4: o card é assinado uma vez, e uma assinatura que falha é tentada de novo', async () => {
  let vezes = 0;
  const responder = publicarCard(
    () => CARD,
    () => T0,
    async (card) => {
      if (++vezes === 1) throw new Error('sem chave ainda');
      return { ...card, signatures: [{ protected: 'p', signature: 's' }] };
    },
  );
  await assert.rejects(responder(pedir()));
  for (let n = 0; n < 3; n++) {
    const { signatures } = (await (await responder(pedir())).json()) as AgentCard;
    assert.deepEqual(signatures, [{ protected: 'p', signature: 's' }]);
  }
  assert.equal(vezes, 2);
});
