import assert from 'node:assert/strict';
import { test } from 'node:test';
import { conectar, ErroDoAgente } from './cliente-a2a.ts';
import { descreverPart, linha } from './narracao.ts';
import { lerEventos } from './sse.ts';

const CARD = {
  name: 'a',
  supportedInterfaces: [
    { url: 'http://x/rest', protocolBinding: 'HTTP+JSON', protocolVersion: '1.0' },
    { url: 'http://x/velha', protocolBinding: 'JSONRPC', protocolVersion: '0.3' },
    { url: 'http://x/nova', protocolBinding: 'JSONRPC', protocolVersion: '1.0' },
  ],
};

test('a interface escolhida é a primeira JSON-RPC 1.0 do card, e todo request leva A2A-Version', async () => {
  const vistos: (string | null)[] = [];
  const cliente = await conectar('http://x', async (request) => {
    if (request.method === 'GET') return Response.json(CARD);
    vistos.push(request.url, request.headers.get('a2a-version'));
    return Response.json({ jsonrpc: '2.0', id: 1, result: { id: 't' } });
  });
  assert.deepEqual(await cliente.lerTask('t'), { id: 't' });
  assert.deepEqual(vistos, ['http://x/nova', '1.0']);
});

test('um agente sem card, ou que não fala JSON-RPC 1.0, não conecta', async () => {
  await assert.rejects(
    conectar('http://x', async () => new Response('', { status: 404 })),
    /HTTP 404/,
  );
  const outro = { ...CARD, supportedInterfaces: CARD.supportedInterfaces.slice(0, 2) };
  await assert.rejects(
    conectar('http://x', async () => Response.json(outro)),
    /não fala JSON-RPC 1.0/,
  );
});

test('um erro do agente vira ErroDoAgente, também antes do primeiro evento de um stream', async () => {
  const error = { code: -32001, message: 'não há', data: [{ reason: 'TASK_NOT_FOUND' }] };
  const cliente = await conectar('http://x', async (request) =>
    Response.json(request.method === 'GET' ? CARD : { jsonrpc: '2.0', id: 1, error }),
  );
  const conferir = (erro: unknown): boolean =>
    erro instanceof ErroDoAgente && erro.codigo === -32001 && erro.motivo === 'TASK_NOT_FOUND';
  await assert.rejects(cliente.lerTask('x'), conferir);
  await assert.rejects(cliente.acompanhar([{ text: 'oi' }]).next(), conferir);
});

test('os eventos SSE chegam inteiros por mais que a rede os parta', async () => {
  const bytes = new TextEncoder().encode(
    'data: {"a":"é"}\n\n: comentário\n\nevent: x\r\ndata: 2\r\n\r\ndata: um\ndata: dois\n\n',
  );
  for (const tamanho of [1, 2, 3, 7, bytes.length]) {
    const corpo = new ReadableStream<Uint8Array>({
      start(controle) {
        for (let i = 0; i < bytes.length; i += tamanho) controle.enqueue(bytes.slice(i, i + tamanho));
        controle.close();
      },
    });
    const lidos: string[] = [];
    for await (const dados of lerEventos(new Response(corpo))) lidos.push(dados);
    assert.deepEqual(lidos, ['{"a":"é"}', '2', 'um\ndois'], `pedaços de ${tamanho}`);
  }
});

test('uma Part é descrita pelo campo que traz', () => {
  assert.equal(descreverPart({ text: 'a', mediaType: 'text/plain' }), 'text (text/plain): a');
  assert.equal(descreverPart({ raw: 'AAEC', filename: 'x.bin' }), 'raw: x.bin, 3 bytes');
  assert.equal(descreverPart({ url: 'http://x' }), 'url: http://x');
  assert.equal(descreverPart({ data: null }), 'data: null');
  assert.equal(linha('a', 'um\n\ndois\n'), 'a         um\n\n          dois');
});
