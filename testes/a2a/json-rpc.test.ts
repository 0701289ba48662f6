/** O envelope do binding JSON-RPC (spec §9) e o card, por HTTP. */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { type AgenteDeProva, subirAgenteDeProva } from '../agente-de-prova.ts';
import { mensagem } from './clientes.ts';

let agente: AgenteDeProva;
before(async () => {
  agente = await subirAgenteDeProva();
});
after(() => agente.parar());

interface Resposta {
  readonly jsonrpc: string;
  readonly id: unknown;
  readonly result?: Record<string, unknown>;
  readonly error?: { readonly code: number; readonly message: string; readonly data?: readonly Detalhe[] };
}

interface Detalhe {
  readonly '@type': string;
  readonly reason?: string;
  readonly fieldViolations?: readonly { readonly field: string }[];
}

const JSON_ = { 'content-type': 'application/json' };

async function postar(
  corpo: string | Uint8Array<ArrayBuffer>,
  headers: Record<string, string> = JSON_,
  caminho = '/a2a',
): Promise<{ http: number; resposta: Resposta; texto: string }> {
  const resposta = await fetch(agente.url + caminho, { method: 'POST', headers, body: corpo });
  const texto = await resposta.text();
  assert.equal(resposta.headers.get('content-type'), 'application/json');
  return { http: resposta.status, resposta: JSON.parse(texto) as Resposta, texto };
}

const pedido = (mudancas: object = {}): string =>
  JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'ListTasks', params: {}, ...mudancas });

/** O erro vem com HTTP 200 e este código. */
async function exigir(
  codigo: number,
  corpo: string | Uint8Array<ArrayBuffer>,
  headers?: Record<string, string>,
): Promise<Resposta> {
  const { http, resposta } = await postar(corpo, headers);
  assert.deepEqual([http, resposta.error?.code], [200, codigo], resposta.error?.message);
  assert.equal(resposta.jsonrpc, '2.0');
  assert.ok(!('result' in resposta));
  assert.ok(resposta.error?.message);
  return resposta;
}

describe('§9.3 id', () => {
  for (const id of [
    '1',
    '1.5',
    '-3',
    '0',
    '""',
    '"texto"',
    '"1"',
    '9007199254740991',
    '1e3',
    '"\\u2028<é>"',
  ]) {
    test(`${id} volta com o tipo exato, no sucesso e no erro`, async () => {
      const { texto } = await postar(`{"jsonrpc":"2.0","id":${id},"method":"ListTasks"}`);
      const erro = await postar(`{"jsonrpc":"2.0","id":${id},"method":"Nenhum"}`);
      for (const lido of [JSON.parse(texto), erro.resposta] as Resposta[]) {
        assert.ok(Object.is(lido.id, JSON.parse(id)), `${lido.id}`);
      }
      assert.ok(!('error' in JSON.parse(texto)));
      assert.equal(erro.resposta.error?.code, -32601);
    });
  }

  for (const id of ['null', '{}', '[]', '[1]', 'true', '9007199254740993', '1e400', '-1e400']) {
    test(`${id} não é um id: -32600, e volta null`, async () => {
      const { id: devolvido } = await exigir(-32600, `{"jsonrpc":"2.0","id":${id},"method":"ListTasks"}`);
      assert.equal(devolvido, null);
    });
  }

  test('sem id: -32600, pois a A2A não tem notificações', async () => {
    assert.equal((await exigir(-32600, '{"jsonrpc":"2.0","method":"ListTasks"}')).id, null);
  });
});

describe('§9.5 -32700 JSONParseError', () => {
  for (const [caso, corpo] of [
    ['vazio', ''],
    ['só uma chave', '{'],
    ['sem fechar', '{"jsonrpc":"2.0","id":1,"method":"SendMessage","params":{"foo":"bar"}'],
    ['sobra depois', `${pedido()}x`],
    ['não é JSON', 'isto não é JSON'],
    ['aspas simples', "{'jsonrpc':'2.0'}"],
    ['UTF-8 inválido', Uint8Array.from([0x7b, 0x22, 0xff, 0xfe, 0x22, 0x7d])],
    ['UTF-16', Uint8Array.from(Buffer.from(pedido(), 'utf16le'))],
    [
      'aninhado demais',
      pedido({ params: 0 }).replace('"params":0', `"params":${'['.repeat(200)}${']'.repeat(200)}`),
    ],
  ] as const) {
    test(caso, async () => {
      assert.equal((await exigir(-32700, corpo)).id, null);
    });
  }
});

describe('§9.5 -32600 InvalidRequestError', () => {
  for (const corpo of [
    'null',
    '1',
    '"oi"',
    'true',
    '[]',
    `[${pedido()}]`,
    pedido({ jsonrpc: undefined }),
    pedido({ jsonrpc: '1.0' }),
    pedido({ jsonrpc: 2 }),
    pedido({ method: undefined }),
    pedido({ method: '' }),
    pedido({ method: 1 }),
    pedido({ method: ['ListTasks'] }),
  ]) {
    test(corpo, async () => {
      const { id, error } = await exigir(-32600, corpo);
      assert.equal(id, corpo.startsWith('{') ? 1 : null);
      if (corpo.startsWith('[')) assert.match(error?.message ?? '', /lotes/);
    });
  }
});

describe('§9.5 -32601 MethodNotFoundError', () => {
  for (const method of [
    'message/send',
    'tasks/get',
    'sendMessage',
    'SENDMESSAGE',
    'SendMessage ',
    'GetTasks',
    'constructor',
    '__proto__',
    'toString',
    'hasOwnProperty',
  ]) {
    test(method, async () => {
      const { id } = await exigir(-32601, pedido({ id: 'x', method }));
      assert.equal(id, 'x');
    });
  }
});

describe('§9.5 -32602 InvalidParamsError', () => {
  for (const [params, campo] of [
    [[], ''],
    [['x'], ''],
    ['oi', ''],
    [1, ''],
    [{}, 'id'],
    [null, 'id'],
    [undefined, 'id'],
    [{ id: null }, 'id'],
    [{ id: '' }, 'id'],
    [{ id: 1 }, 'id'],
    [{ ID: 'x' }, 'id'],
  ] as const) {
    test(`GetTask com params ${JSON.stringify(params)}`, async () => {
      const { error } = await exigir(-32602, pedido({ method: 'GetTask', params }));
      const [detalhe] = error?.data ?? [];
      assert.equal(detalhe?.['@type'], 'type.googleapis.com/google.rpc.BadRequest');
      assert.deepEqual(
        detalhe?.fieldViolations?.map(({ field }) => field),
        [campo],
      );
    });
  }

  test('params ausente ou null serve a quem não exige nada', async () => {
    for (const params of [undefined, null, {}]) {
      const { resposta } = await postar(pedido({ params }));
      assert.ok(resposta.result);
    }
  });
});

describe('§9.1 Content-Type', () => {
  for (const tipo of [
    'application/json',
    'APPLICATION/JSON',
    'application/json; charset=utf-8',
    'application/a2a+json',
  ]) {
    test(`${tipo} é aceito`, async () => {
      assert.ok((await postar(pedido(), { 'content-type': tipo })).resposta.result);
    });
  }

  for (const tipo of [
    'text/plain',
    'application/xml',
    'application/jsonp',
    'application/x-www-form-urlencoded',
    'json',
    '',
  ]) {
    test(`"${tipo}" é recusado com -32005 antes de o corpo ser lido`, async () => {
      const { id, error } = await exigir(-32005, new TextEncoder().encode('{'), { 'content-type': tipo });
      assert.equal(id, null);
      assert.equal(error?.data?.[0]?.reason, 'CONTENT_TYPE_NOT_SUPPORTED');
    });
  }
});

describe('§9.1 endereço e método HTTP', () => {
  test('com e sem barra no fim, e com parâmetros', async () => {
    for (const caminho of ['/a2a', '/a2a/', '/a2a?x=1', '/a2a/?A2A-Version=1.0']) {
      assert.ok((await postar(pedido(), JSON_, caminho)).resposta.result, caminho);
    }
  });

  test('§3.6.1 a versão também vale como parâmetro da URL', async () => {
    const { resposta } = await postar(pedido(), JSON_, '/a2a?A2A-Version=0.3');
    assert.equal(resposta.error?.code, -32009);
    assert.equal(resposta.id, 1);
  });

  for (const method of ['GET', 'HEAD', 'PUT', 'DELETE', 'PATCH', 'OPTIONS']) {
    for (const caminho of ['/a2a', '/a2a/']) {
      test(`${method} ${caminho} é 405 com Allow: POST`, async () => {
        const resposta = await fetch(agente.url + caminho, { method });
        assert.deepEqual([resposta.status, resposta.headers.get('allow')], [405, 'POST']);
        if (method !== 'HEAD') assert.equal(((await resposta.json()) as Resposta).error?.code, -32600);
      });
    }
  }

  test('outros endereços são 404', async () => {
    for (const caminho of ['/', '/a2a/x', '/A2A', '/a2abc', '/.well-known/agent.json', '//a2a', '/a2a%2f']) {
      const resposta = await fetch(agente.url + caminho, { method: 'POST', headers: JSON_, body: pedido() });
      assert.equal(resposta.status, 404, caminho);
    }
  });

  test('um corpo de mais de 1 MiB é 413, com um erro JSON-RPC', async () => {
    const { http, resposta } = await postar(pedido({ params: { contextId: 'x'.repeat(1024 * 1024) } }));
    assert.deepEqual([http, resposta.error?.code, resposta.id], [413, -32600, null]);
  });

  test('Host e Origin de fora são 403, e nada é feito', async () => {
    const contextId = crypto.randomUUID();
    const enviar = pedido({
      method: 'SendMessage',
      params: { message: mensagem('tck-complete-task', { contextId }) },
    });
    for (const origin of ['https://example.com', 'null', 'http://localhost.example.com']) {
      assert.equal((await postar(enviar, { ...JSON_, origin })).http, 403, origin);
    }
    const { resposta } = await postar(pedido({ params: { contextId } }));
    assert.equal(resposta.result?.totalSize, 0);
    assert.equal((await postar(pedido(), { ...JSON_, origin: 'http://localhost:3000' })).http, 200);
  });
});

describe('§8.2, §8.6 card', () => {
  const caminho = '/.well-known/agent-card.json';

  test('GET e HEAD: 200 com os headers de cache, e quem tem o ETag recebe 304', async () => {
    const resposta = await fetch(agente.url + caminho);
    assert.equal(resposta.status, 200);
    assert.equal(resposta.headers.get('content-type'), 'application/json');
    const card = (await resposta.json()) as { name: string; supportedInterfaces: { url: string }[] };
    assert.equal(card.supportedInterfaces[0]?.url, `${agente.url}/a2a`);
    const etag = resposta.headers.get('etag') ?? '';
    const head = await fetch(agente.url + caminho, { method: 'HEAD' });
    assert.deepEqual([head.status, head.headers.get('etag'), await head.text()], [200, etag, '']);
    const igual = await fetch(agente.url + caminho, { headers: { 'if-none-match': etag } });
    assert.deepEqual([igual.status, igual.headers.get('etag')], [304, etag]);
  });

  test('§3.6 o card não depende da versão: é ele que diz quais há', async () => {
    assert.equal((await fetch(agente.url + caminho, { headers: { 'a2a-version': '0.3' } })).status, 200);
  });

  for (const method of ['POST', 'PUT', 'DELETE', 'OPTIONS']) {
    test(`${method} é 405 com Allow: GET, HEAD`, async () => {
      const resposta = await fetch(agente.url + caminho, { method });
      assert.deepEqual([resposta.status, resposta.headers.get('allow')], [405, 'GET, HEAD']);
    });
  }
});
