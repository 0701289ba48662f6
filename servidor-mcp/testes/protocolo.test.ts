import assert from 'node:assert/strict';
import { request as pedirHttp } from 'node:http';
import { after, before, test } from 'node:test';
import { chamar, enviar, META, type Resposta, VERSAO } from './cliente.ts';
import { type ServidorNoAr, subirServidor } from './servidor-no-ar.ts';

let servidor: ServidorNoAr;
let url: string;

before(async () => {
  servidor = await subirServidor();
  url = servidor.url;
});
after(() => servidor.parar());

function conferirErro(resposta: Resposta, status: number, code: number): void {
  assert.deepEqual([resposta.status, resposta.erro?.code], [status, code], resposta.texto);
}

const VERSAO_NO_META = 'io.modelcontextprotocol/protocolVersion';
const CAPACIDADES_NO_META = 'io.modelcontextprotocol/clientCapabilities';

// --- O envelope (basic, `_meta`) ---

for (const metodo of [
  'tools/list',
  'tools/call',
  'resources/read',
  'server/discover',
  'metodo/que-nao-existe',
]) {
  for (const header of [VERSAO, null]) {
    const comOuSem = header ? 'com' : 'sem';
    test(`${metodo} sem um campo obrigatório de _meta, ${comOuSem} o header de versão, é -32602 e 400`, async () => {
      const parametros = { name: 'listar_salas', uri: 'politica://uso' };
      for (const [meta, faltam] of [
        [undefined, [VERSAO_NO_META, CAPACIDADES_NO_META]],
        [{}, [VERSAO_NO_META, CAPACIDADES_NO_META]],
        [{ [VERSAO_NO_META]: VERSAO }, [CAPACIDADES_NO_META]],
        [{ [CAPACIDADES_NO_META]: {} }, [VERSAO_NO_META]],
      ] as const) {
        const resposta = await enviar(
          url,
          {
            jsonrpc: '2.0',
            id: 'um-id',
            method: metodo,
            params: { ...parametros, ...(meta && { _meta: meta }) },
          },
          { 'mcp-method': metodo, 'mcp-protocol-version': header },
        );
        conferirErro(resposta, 400, -32602);
        assert.equal(resposta.id, 'um-id');
        assert.deepEqual(resposta.erro?.data, { envelope: { missing: faltam } });
      }
      const semParams = await enviar(
        url,
        { jsonrpc: '2.0', id: 1, method: metodo },
        { 'mcp-protocol-version': header },
      );
      conferirErro(semParams, 400, -32602);
    });
  }
}

test('um campo de _meta com o tipo errado também é -32602 e 400', async () => {
  for (const valor of [null, 5, [], 'x']) {
    conferirErro(
      await chamar(url, 'tools/list', { _meta: { ...META, [CAPACIDADES_NO_META]: valor } }),
      400,
      -32602,
    );
  }
  for (const valor of [null, 5, [], {}]) {
    conferirErro(
      await chamar(url, 'tools/list', { _meta: { ...META, [VERSAO_NO_META]: valor } }),
      400,
      -32602,
    );
  }
});

test('initialize de um cliente antigo é -32022 e diz que versões existem, com ou sem o header', async () => {
  for (const header of [null, VERSAO]) {
    const resposta = await enviar(
      url,
      {
        jsonrpc: '2.0',
        id: 0,
        method: 'initialize',
        params: {
          protocolVersion: '2025-06-18',
          capabilities: {},
          clientInfo: { name: 'antigo', version: '1' },
        },
      },
      { 'mcp-protocol-version': header },
    );
    conferirErro(resposta, 400, -32022);
    assert.deepEqual(resposta.erro?.data, { supported: [VERSAO], requested: '2025-06-18' });
    assert.equal(resposta.id, 0);
  }
});

test('versão que não existe é -32022, com as que existem', async () => {
  for (const versao of ['2025-11-25', '2099-01-01', 'x']) {
    const resposta = await chamar(
      url,
      'tools/list',
      { _meta: { ...META, [VERSAO_NO_META]: versao } },
      { 'mcp-protocol-version': versao },
    );
    conferirErro(resposta, 400, -32022);
    assert.deepEqual(resposta.erro?.data, { supported: [VERSAO], requested: versao });
  }
});

test('header que não bate com o corpo é -32020', async () => {
  const lista = { name: 'listar_salas', arguments: {} };
  for (const headers of [
    { 'mcp-protocol-version': '2025-11-25' },
    { 'mcp-protocol-version': null },
    { 'mcp-method': 'tools/list' },
    { 'mcp-method': null },
    { 'mcp-name': 'reservar_sala' },
    { 'mcp-name': null },
  ]) {
    conferirErro(await chamar(url, 'tools/call', lista, headers), 400, -32020);
  }
});

test('Mcp-Name em base64 é decodificado antes de comparar', async () => {
  const nome = `=?base64?${btoa('listar_salas')}?=`;
  const { status } = await chamar(
    url,
    'tools/call',
    { name: 'listar_salas', arguments: {} },
    { 'mcp-name': nome },
  );
  assert.equal(status, 200);
});

// --- JSON-RPC e HTTP ---

test('método que não existe é -32601 com 404 e o id ecoado', async () => {
  for (const metodo of [
    'tools/apagar',
    'prompts/list',
    'logging/setLevel',
    'ping',
    'constructor',
    '__proto__',
  ]) {
    const resposta = await chamar(url, metodo);
    conferirErro(resposta, 404, -32601);
    assert.equal(typeof resposta.id, 'number');
  }
});

test('o que não é uma mensagem JSON-RPC única é -32600', async () => {
  const boa = { jsonrpc: '2.0', id: 1, method: 'tools/list', params: { _meta: META } };
  for (const corpo of [
    'null',
    '5',
    '"texto"',
    [],
    [boa],
    {},
    { ...boa, id: null },
    { ...boa, id: {} },
    { ...boa, jsonrpc: '1.0' },
    { jsonrpc: '2.0', id: 1, result: {} },
    { jsonrpc: '2.0', id: 1, error: { code: 1, message: '' } },
  ]) {
    conferirErro(await enviar(url, corpo), 400, -32600);
  }
});

test('JSON inválido, UTF-8 inválido e aninhamento sem fim são -32700', async () => {
  for (const corpo of [
    '',
    '{"jsonrpc":',
    '{} {}',
    new Uint8Array([0x22, 0xff, 0xfe, 0x22]),
    new Uint8Array([0x22, 0xc3, 0x22]),
    `${'['.repeat(50_000)}${']'.repeat(50_000)}`,
  ]) {
    const resposta = await enviar(url, corpo);
    conferirErro(resposta, 400, -32700);
    assert.equal(resposta.id, null);
  }
});

test('corpo acima de 1 MiB é 413 com um erro JSON-RPC; no limite é lido', async () => {
  const envolver = (enchimento: string): string =>
    JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list', params: { _meta: META, enchimento } });
  const livre = 1024 * 1024 - envolver('').length;
  const grande = await enviar(url, envolver('x'.repeat(livre + 1)), { 'mcp-method': 'tools/list' });
  conferirErro(grande, 413, -32000);
  assert.equal(grande.id, null);
  assert.equal((await enviar(url, envolver('x'.repeat(livre)), { 'mcp-method': 'tools/list' })).status, 200);
});

test('corpo em pedaços, sem tamanho declarado, tem o mesmo limite', async () => {
  const status = await new Promise<number | undefined>((pronto, falhou) => {
    const pedido = pedirHttp(
      url,
      { method: 'POST', headers: { 'content-type': 'application/json' } },
      (resposta) => {
        resposta.resume();
        pronto(resposta.statusCode);
        pedido.destroy();
      },
    );
    pedido.on('error', falhou);
    for (let i = 0; i < 17; i++) pedido.write('x'.repeat(64 * 1024));
    pedido.end();
  });
  assert.equal(status, 413);
});

test('notificação aceita é 202 sem corpo', async () => {
  for (const headers of [{}, { 'mcp-protocol-version': null }]) {
    const resposta = await enviar(url, { jsonrpc: '2.0', method: 'notifications/qualquer' }, headers);
    assert.deepEqual([resposta.status, resposta.texto], [202, '']);
  }
});

test('Content-Type que não é JSON é 415', async () => {
  for (const tipo of ['text/plain', 'application/x-www-form-urlencoded', null]) {
    for (const corpo of ['{"jsonrpc":"2.0"}', 'nem JSON é']) {
      assert.equal((await enviar(url, corpo, { 'content-type': tipo })).status, 415);
    }
  }
  const comCharset = await chamar(
    url,
    'tools/list',
    {},
    { 'content-type': 'application/json; charset=utf-8' },
  );
  assert.equal(comCharset.status, 200);
});

test('outros métodos HTTP em /mcp são 405 com Allow; outros caminhos são 404', async () => {
  for (const method of ['GET', 'HEAD', 'DELETE', 'PUT', 'PATCH', 'OPTIONS']) {
    const resposta = await fetch(url, { method });
    assert.deepEqual([resposta.status, resposta.headers.get('allow')], [405, 'POST'], method);
  }
  for (const caminho of ['/', '/mcp/', '/mcp/outro', '/MCP', '/a2a', '/.well-known/agent-card.json']) {
    for (const method of ['GET', 'POST']) {
      assert.equal((await fetch(new URL(caminho, url), { method })).status, 404, caminho);
    }
  }
});

// --- Host e Origin ---

/** O `fetch` não deixa mandar Host nem alguns Origin. */
function statusCom(headers: Record<string, string>): Promise<number | undefined> {
  return new Promise((pronto, falhou) => {
    const corpo = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list', params: { _meta: META } });
    pedirHttp(
      url,
      {
        method: 'POST',
        headers: {
          'content-type': 'application/json',
          'mcp-protocol-version': VERSAO,
          'mcp-method': 'tools/list',
          ...headers,
        },
      },
      (resposta) => {
        resposta.resume();
        pronto(resposta.statusCode);
      },
    )
      .on('error', falhou)
      .end(corpo);
  });
}

test('Host ou Origin de fora é 403, a Origin null também', async () => {
  for (const headers of [
    { host: 'exemplo.com' },
    { host: `exemplo.com:${servidor.porta}` },
    { host: '127.0.0.1.exemplo.com' },
    { host: 'localhost.exemplo.com' },
    { origin: 'http://exemplo.com' },
    { origin: 'https://localhost.exemplo.com' },
    { origin: 'null' },
    { origin: 'file://' },
  ]) {
    assert.equal(await statusCom(headers), 403, JSON.stringify(headers));
  }
});

test('os nomes locais passam, com qualquer porta, e sem Origin também', async () => {
  for (const headers of [
    {},
    { host: 'localhost' },
    { host: 'LOCALHOST:7301' },
    { host: '127.0.0.1:1' },
    { host: '[::1]:7301' },
    { origin: 'http://localhost:6274' },
    { origin: 'https://127.0.0.1' },
  ]) {
    assert.equal(await statusCom(headers), 200, JSON.stringify(headers));
  }
});

// --- Descoberta e resource ---

test('server/discover declara tools e resources, sem avisos de mudança, e diz por quanto tempo vale', async () => {
  const { resultado } = await chamar(url, 'server/discover');
  assert.deepEqual(resultado?.capabilities, {
    tools: { listChanged: false },
    resources: { listChanged: false },
  });
  assert.deepEqual(resultado?.supportedVersions, [VERSAO]);
  assert.deepEqual([resultado?.ttlMs, resultado?.cacheScope], [60_000, 'public']);
});

test('resources/read devolve a política como está no arquivo', async () => {
  const { resultado } = await chamar(url, 'resources/read', { uri: 'politica://uso' });
  assert.deepEqual(resultado?.contents, [
    {
      uri: 'politica://uso',
      mimeType: 'text/markdown',
      text:
        'versao: 2026-11-01\n\n' +
        '- Reservas somente entre 08:00 e 20:00, horario de Sao Paulo (-03:00).\n' +
        '- Duracao maxima de 2 horas por reserva.\n' +
        '- Uma sala nao pode ter duas reservas sobrepostas.\n',
    },
  ]);
  assert.deepEqual([resultado?.ttlMs, resultado?.cacheScope], [60_000, 'public']);
});

test('resources/list mostra a política', async () => {
  const { resultado } = await chamar(url, 'resources/list');
  const recursos = (resultado?.resources ?? []) as Record<string, unknown>[];
  assert.deepEqual(
    recursos.map(({ uri, mimeType }) => [uri, mimeType]),
    [['politica://uso', 'text/markdown']],
  );
});

test('resource que não existe é -32602 com a uri, nunca contents vazio', async () => {
  for (const uri of [
    'politica://outra',
    'politica://uso/',
    'file:///etc/passwd',
    'http://localhost/',
    'sem-esquema',
    '',
  ]) {
    const { erro } = await chamar(url, 'resources/read', { uri });
    assert.deepEqual([erro?.code, erro?.data?.uri], [-32602, uri]);
  }
  for (const uri of [5, null, {}, undefined]) {
    const { erro } = await chamar(url, 'resources/read', { uri }, { 'mcp-name': 'x' });
    assert.equal(erro?.code, -32602);
  }
});

test('cursor que o servidor não emitiu é -32602', async () => {
  for (const metodo of ['tools/list', 'resources/list', 'resources/templates/list']) {
    for (const cursor of ['x', 5, {}])
      assert.equal((await chamar(url, metodo, { cursor })).erro?.code, -32602);
  }
});

test('uma assinatura é aceita e termina em seguida, porque nada aqui muda', async () => {
  const resposta = await fetch(url, {
    method: 'POST',
    signal: AbortSignal.timeout(60_000),
    headers: {
      'content-type': 'application/json',
      'mcp-protocol-version': VERSAO,
      'mcp-method': 'subscriptions/listen',
    },
    body: JSON.stringify({
      jsonrpc: '2.0',
      id: 1,
      method: 'subscriptions/listen',
      params: {
        _meta: META,
        notifications: {
          toolsListChanged: true,
          resourcesListChanged: true,
          resourceSubscriptions: ['politica://uso'],
        },
      },
    }),
  });
  assert.match(resposta.headers.get('content-type') ?? '', /event-stream/);
  const eventos = (await resposta.text()).match(/^data: .*$/gm)?.map((linha) => JSON.parse(linha.slice(6)));
  assert.deepEqual(eventos?.[0]?.params.notifications, {});
  assert.equal(eventos?.[1]?.result.resultType, 'complete');
});

// --- Log ---

test('cada request deixa uma linha com método, id e traceparent', async () => {
  const traceparent = '00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01';
  await enviar(
    url,
    { jsonrpc: '2.0', id: 'id-do-log', method: 'tools/list', params: { _meta: { ...META, traceparent } } },
    { 'mcp-method': 'tools/list' },
  );
  const linha = await servidor.linha(/id-do-log/);
  assert.equal(
    linha,
    `servidor-mcp request metodo=tools/list id=id-do-log traceparent=${traceparent} status=200`,
  );
});

test('os requests recusados também deixam linha', async () => {
  await enviar(url, { jsonrpc: '2.0', id: 'sem-envelope', method: 'tools/list' });
  await servidor.linha(/metodo=tools\/list id=sem-envelope status=400/);
  await fetch(new URL('/caminho-que-nao-existe', url));
  await servidor.linha(/http=GET caminho=\/caminho-que-nao-existe status=404/);
  await fetch(url, { method: 'DELETE' });
  await servidor.linha(/http=DELETE caminho=\/mcp status=405/);
  await statusCom({ host: 'exemplo.com' });
  await servidor.linha(/http=POST caminho=\/mcp status=403/);
  await enviar(url, 'x'.repeat(1024 * 1024 + 1));
  await servidor.linha(/status=413/);
});

test('nada do que vem no request forja uma linha nem um caractere de controle', async () => {
  const veneno = 'x\r\nservidor-mcp request metodo=forjado\n\u2028\u2029\u0085\u001b[2J\u009b1m\u0000\u202e';
  await enviar(url, {
    jsonrpc: '2.0',
    id: `veneno-id-${veneno}`,
    method: `veneno-metodo-${veneno}`,
    params: { name: `veneno-nome-${veneno}`, _meta: { ...META, traceparent: `veneno-trace-${veneno}` } },
  });
  const linha = await servidor.linha(/veneno-metodo/);
  for (const campo of ['veneno-metodo', 'veneno-id', 'veneno-nome', 'veneno-trace'])
    assert.ok(linha.includes(campo));
  for (const escrita of servidor.linhas) {
    assert.match(escrita, /^servidor-mcp (ouvindo|request) /);
    // biome-ignore lint/suspicious/noControlCharactersInRegex: são exatamente os que não podem aparecer.
    assert.doesNotMatch(escrita, /[\u0000-\u001f\u007f-\u009f\u2028\u2029\u202a-\u202e]/);
  }
});

test('valores enormes são cortados na linha', async () => {
  await enviar(url, { jsonrpc: '2.0', id: `longo${'y'.repeat(100_000)}`, method: 'z'.repeat(100_000) });
  assert.ok((await servidor.linha(/longoyyy/)).length < 1000);
});

test('chaves __proto__, constructor e prototype não mudam nada', async () => {
  const corpo = `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{
    "name":"listar_salas","__proto__":{"polui":1},"constructor":{"prototype":{"polui":1}},
    "arguments":{"__proto__":{"polui":1}},
    "_meta":{"__proto__":{"polui":1},${JSON.stringify(META).slice(1)}}}`;
  const headers = { 'mcp-method': 'tools/call', 'mcp-name': 'listar_salas' };
  const { resultado } = await enviar(url, corpo, headers);
  assert.ok(resultado?.structuredContent?.salas);
  assert.equal(
    (await enviar(url, corpo.replace('{', '{"__proto__":{"polui":1},'), headers)).erro?.code,
    -32600,
  );
  const herdado = `{"jsonrpc":"2.0","id":1,"method":"tools/list","params":{"_meta":{"__proto__":${JSON.stringify(META)}}}}`;
  assert.equal((await enviar(url, herdado, { 'mcp-method': 'tools/list' })).erro?.code, -32602);
});
