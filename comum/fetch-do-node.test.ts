import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type RequestListener, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type TestContext, test } from 'node:test';
import { fetchDoNode } from './fetch-do-node.ts';
// O Response dos processos de verdade: é o que o adaptador de HTTP põe no lugar do do Node.
import './node.ts';

const POST = { method: 'POST', headers: { 'content-type': 'application/json' }, body: '{"a":"é"}' };

async function servir(t: TestContext, atender: RequestListener): Promise<string> {
  const servidor = createServer(atender).listen(0, '127.0.0.1');
  await once(servidor, 'listening');
  t.after(() => {
    servidor.closeAllConnections();
    servidor.close();
  });
  return `http://127.0.0.1:${(servidor.address() as AddressInfo).port}/mcp?x=1`;
}

async function corpoDe(request: IncomingMessage): Promise<string> {
  let texto = '';
  for await (const pedaco of request.setEncoding('utf8')) texto += pedaco;
  return texto;
}

/** Devolve em JSON o request que recebeu. */
async function espelhar(request: IncomingMessage, resposta: ServerResponse): Promise<void> {
  const { method, url, headers, socket } = request;
  const corpo = await corpoDe(request);
  resposta.writeHead(400, 'Ruim', [
    ['content-type', 'application/json; charset=utf-8'],
    ['set-cookie', 'um=1'],
    ['set-cookie', 'dois=2'],
  ]);
  resposta.end(JSON.stringify({ method, url, headers, corpo, porta: socket.remotePort }));
}

test('leva método, URL, headers e corpo, e traz status, headers e JSON', async (t) => {
  const url = await servir(t, espelhar);
  const resposta = await fetchDoNode(new URL(url), {
    ...POST,
    headers: new Headers({ 'Content-Type': 'application/json', 'Mcp-Name': 'reservar_sala' }),
  });
  assert.equal(resposta.status, 400);
  assert.equal(resposta.ok, false);
  assert.equal(resposta.statusText, 'Ruim');
  assert.deepEqual(resposta.headers.getSetCookie(), ['um=1', 'dois=2']);
  const { method, url: caminho, headers, corpo } = JSON.parse(await resposta.text());
  assert.deepEqual(
    {
      method,
      caminho,
      corpo,
      nome: headers['mcp-name'],
      tipo: headers['content-type'],
      bytes: headers['content-length'],
    },
    {
      method: 'POST',
      caminho: '/mcp?x=1',
      corpo: POST.body,
      nome: 'reservar_sala',
      tipo: 'application/json',
      bytes: '10',
    },
  );
});

test('requests seguidos usam a mesma conexão', async (t) => {
  const url = await servir(t, espelhar);
  const um = await (await fetchDoNode(url, POST)).json();
  const outro = await (await fetchDoNode(url, POST)).json();
  assert.equal(um.porta, outro.porta);
});

test('o que não é JSON chega aos poucos', async (t) => {
  let terminar = (): void => undefined;
  const url = await servir(t, (_request, resposta) => {
    resposta.writeHead(200, { 'content-type': 'text/event-stream' }).write('data: 1\n\n');
    terminar = () => resposta.end('data: 2\n\n');
  });
  const { body } = await fetchDoNode(url, POST);
  assert.ok(body);
  const leitor = body.pipeThrough(new TextDecoderStream()).getReader();
  assert.equal((await leitor.read()).value, 'data: 1\n\n');
  terminar();
  assert.equal((await leitor.read()).value, 'data: 2\n\n');
  assert.equal((await leitor.read()).done, true);
});

test('um redirecionamento volta como veio', async (t) => {
  const url = await servir(t, (_request, resposta) => {
    resposta.writeHead(307, { location: '/outro' }).end();
  });
  const resposta = await fetchDoNode(url, POST);
  assert.equal(resposta.status, 307);
  assert.equal(resposta.headers.get('location'), '/outro');
});

test('um status sem corpo vem sem corpo', async (t) => {
  const url = await servir(t, (_request, resposta) => {
    resposta.writeHead(204).end();
  });
  const resposta = await fetchDoNode(url, POST);
  assert.equal(resposta.status, 204);
  assert.equal(resposta.body, null);
});

test('ninguém na porta, ou uma resposta cortada, é um TypeError com a causa', async (t) => {
  const url = await servir(t, (_request, resposta) => {
    resposta.writeHead(200, { 'content-type': 'application/json', 'content-length': '100' });
    resposta.write('{"a":', () => resposta.destroy());
  });
  const falhou = (erro: Error) =>
    erro instanceof TypeError && erro.message === 'fetch failed' && !!erro.cause;
  await assert.rejects(fetchDoNode(url, POST), falhou);
  await assert.rejects(fetchDoNode('http://127.0.0.1:1/mcp', POST), falhou);
});

test('o signal interrompe antes e durante, com o motivo dele, e a conexão é largada', async (t) => {
  let chegou = (_resposta: ServerResponse): void => undefined;
  const recebida = new Promise<ServerResponse>((pronto) => {
    chegou = pronto;
  });
  const url = await servir(t, (_request, resposta) => chegou(resposta));

  await assert.rejects(fetchDoNode(url, { ...POST, signal: AbortSignal.abort('desisti') }), /desisti/);

  const controle = new AbortController();
  const chamada = fetchDoNode(url, { ...POST, signal: controle.signal });
  const resposta = await recebida;
  controle.abort(new Error('demorou'));
  await assert.rejects(chamada, /demorou/);
  await once(resposta, 'close');
});

test('sem corpo de texto, ou por https, quem atende é o fetch embutido', async (t) => {
  const pedidos: unknown[] = [];
  t.mock.method(globalThis, 'fetch', async (url: unknown) => {
    pedidos.push(url);
    return new Response('embutido');
  });
  for (const [url, init] of [
    ['http://127.0.0.1:1/', undefined],
    ['http://127.0.0.1:1/', { method: 'POST', body: new Uint8Array() }],
    ['https://127.0.0.1:1/', POST],
  ] as const) {
    assert.equal(await (await fetchDoNode(url, init)).text(), 'embutido');
  }
  assert.equal(pedidos.length, 3);
});

test('um BOM não é parte do JSON nem do texto, como no fetch padrão', async (t) => {
  const url = await servir(t, (_request, resposta) => {
    resposta.writeHead(200, { 'content-type': 'application/json' }).end('\uFEFF{"a":1}');
  });
  assert.deepEqual(await (await fetchDoNode(url, POST)).json(), { a: 1 });
  assert.equal(await (await fetchDoNode(url, POST)).text(), '{"a":1}');
});
