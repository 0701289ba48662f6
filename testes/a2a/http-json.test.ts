/** O que é só do binding HTTP+JSON (spec §11): endereços, métodos, query e tipos de mídia, por HTTP. */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { Task } from '../../agente/a2a/modelo.ts';
import { type AgenteDeProva, subirAgenteDeProva } from '../agente-de-prova.ts';
import { clientes, enviar, mensagem } from './clientes.ts';

let agente: AgenteDeProva;
before(async () => {
  agente = await subirAgenteDeProva();
});
after(() => agente.parar());

interface Status {
  readonly error: {
    readonly code: number;
    readonly status: string;
    readonly message: string;
    readonly details: readonly Record<string, unknown>[];
  };
}

const [, cliente] = clientes(() => agente.url);
const pedir = (caminho: string, init: RequestInit = {}): Promise<Response> =>
  fetch(agente.url + caminho, init);
const postar = (
  caminho: string,
  body: string | Uint8Array<ArrayBuffer> | null,
  tipo?: string,
): Promise<Response> =>
  pedir(caminho, { method: 'POST', body, headers: tipo === undefined ? {} : { 'content-type': tipo } });

async function exigir(resposta: Response, http: number, status: string): Promise<Status['error']> {
  const { error } = (await resposta.json()) as Status;
  assert.deepEqual([resposta.status, error?.code, error?.status], [http, http, status], error?.message);
  assert.ok(Array.isArray(error.details) && error.message.length > 0);
  return error;
}

describe('§11.3 endereços e métodos', () => {
  for (const [caminho, allow] of [
    ['/message:send', 'POST'],
    ['/message:stream', 'POST'],
    ['/tasks', 'GET, HEAD'],
    ['/tasks/x', 'GET, HEAD'],
    ['/tasks/x:cancel', 'POST'],
    ['/tasks/x:subscribe', 'GET, HEAD, POST'],
    ['/tasks/x/pushNotificationConfigs', 'GET, HEAD, POST'],
    ['/tasks/x/pushNotificationConfigs/y', 'GET, HEAD, DELETE'],
    ['/extendedAgentCard', 'GET, HEAD'],
  ] as const) {
    for (const method of ['GET', 'POST', 'PUT', 'DELETE', 'PATCH', 'OPTIONS'].filter(
      (cada) => !allow.includes(cada),
    )) {
      test(`${method} ${caminho} é 405 com Allow: ${allow}`, async () => {
        const resposta = await pedir(caminho, { method });
        assert.equal(resposta.headers.get('allow'), allow);
        await exigir(resposta, 405, 'UNIMPLEMENTED');
      });
    }
  }

  test('outros endereços são 404', async () => {
    for (const caminho of [
      '/',
      '/message',
      '/message:outro',
      '/tasks/',
      '/tasks/x/',
      '/tasks/x/y',
      '/message:send/',
    ]) {
      await exigir(await pedir(caminho), 404, 'NOT_FOUND');
    }
  });

  test('HEAD de um recurso é como o GET, sem corpo', async () => {
    const resposta = await pedir('/tasks', { method: 'HEAD' });
    assert.deepEqual([resposta.status, await resposta.text()], [200, '']);
  });
});

describe('§11.3.2 o id no endereço', () => {
  test('codificado ou não, com o verbo dos dois jeitos', async () => {
    const { id } = await enviar(cliente, mensagem('tck-input-required'));
    const codificado = id.replaceAll('-', '%2D');
    assert.equal(((await (await pedir(`/tasks/${codificado}`)).json()) as Task).id, id);
    const cancelada = (await (await postar(`/tasks/${codificado}%3Acancel`, null)).json()) as Task;
    assert.deepEqual([cancelada.id, cancelada.status?.state], [id, 'TASK_STATE_CANCELED']);
  });

  test('escapes inválidos ou que voltariam pastas são só ids que não existem', async () => {
    for (const id of ['%', '%zz', '%E0%A4%A', '%00', '%2e%2e%2f', 'a%2Fb', '%F0%9F%92%A9', ':', ':x']) {
      await exigir(await pedir(`/tasks/${id}`), 404, 'NOT_FOUND');
      await exigir(await postar(`/tasks/${id}:cancel`, null), 404, 'NOT_FOUND');
    }
  });

  test('vale mais que o do corpo e o da query', async () => {
    const [uma, outra] = [
      await enviar(cliente, mensagem('a')),
      await enviar(cliente, mensagem('tck-input-required')),
    ];
    assert.equal(((await (await pedir(`/tasks/${uma.id}?id=${outra.id}`)).json()) as Task).id, uma.id);
    const corpo = JSON.stringify({ id: outra.id });
    await exigir(
      await postar(`/tasks/${uma.id}:cancel`, corpo, 'application/json'),
      400,
      'FAILED_PRECONDITION',
    );
  });
});

describe('§11.3.2 cancelar', () => {
  for (const [caso, corpo, tipo] of [
    ['sem corpo e sem Content-Type', null, undefined],
    ['sem corpo, com Content-Type', null, 'application/json'],
    ['com corpo vazio', '', 'application/json'],
    ['com {}', '{}', 'application/json'],
    ['com metadata', '{"metadata":{"a":1}}', 'application/a2a+json'],
  ] as const) {
    test(caso, async () => {
      const { id } = await enviar(cliente, mensagem('tck-input-required'));
      const resposta = await postar(`/tasks/${id}:cancel`, corpo, tipo);
      assert.equal(((await resposta.json()) as Task).status?.state, 'TASK_STATE_CANCELED');
    });
  }

  test('com um corpo que não é JSON, nada é cancelado', async () => {
    const { id, status } = await enviar(cliente, mensagem('tck-input-required'));
    await exigir(await postar(`/tasks/${id}:cancel`, '{', 'application/json'), 400, 'INVALID_ARGUMENT');
    await exigir(await postar(`/tasks/${id}:cancel`, '{}', 'text/plain'), 400, 'INVALID_ARGUMENT');
    assert.deepEqual(((await (await pedir(`/tasks/${id}`)).json()) as Task).status, status);
  });
});

describe('§11.5 query', () => {
  test('nomes em camelCase ou snake_case, números e booleanos como texto, e o que não se conhece é ignorado', async () => {
    const { contextId } = await enviar(cliente, mensagem('tck-artifact-text', { contextId: 'a b&c=é' }));
    for (const query of [
      `contextId=${encodeURIComponent(contextId)}&pageSize=10&historyLength=1&includeArtifacts=true`,
      'contextId=a+b%26c%3D%C3%A9&page_size=10&history_length=1&include_artifacts=true&outro=1&__proto__=x',
    ]) {
      const resposta = await pedir(`/tasks?${query}&status=TASK_STATE_COMPLETED`);
      const lista = (await resposta.json()) as { tasks: Task[]; pageSize: number; totalSize: number };
      assert.deepEqual([lista.totalSize, lista.pageSize], [1, 10], query);
      assert.deepEqual([lista.tasks[0]?.history.length, lista.tasks[0]?.artifacts.length], [1, 1]);
    }
  });

  test('só includeArtifacts é booleano: um contextId "true" é um texto', async () => {
    await enviar(cliente, mensagem('a', { contextId: 'true' }));
    const lista = (await (await pedir('/tasks?contextId=true')).json()) as { totalSize: number };
    assert.equal(lista.totalSize, 1);
  });

  test('um valor que não serve é 400 e diz qual campo', async () => {
    for (const query of [
      'pageSize=dez',
      'pageSize=1.5',
      'status=3',
      'includeArtifacts=1',
      'statusTimestampAfter=ontem',
    ]) {
      const { details } = await exigir(await pedir(`/tasks?${query}`), 400, 'INVALID_ARGUMENT');
      const [{ fieldViolations } = {}] = details as [{ fieldViolations?: { field: string }[] }?];
      assert.equal(fieldViolations?.[0]?.field, query.split('=')[0]);
    }
  });
});

describe('§11.1 tipos de mídia', () => {
  const corpo = (): string => JSON.stringify({ message: mensagem('tck-complete-task') });

  test('quem mostra que conhece application/a2a+json o recebe; quem não, application/json', async () => {
    for (const [headers, esperado] of [
      [{ 'content-type': 'application/json' }, 'application/json'],
      [{ 'content-type': 'application/a2a+json' }, 'application/a2a+json'],
      [{ 'content-type': 'application/json', accept: 'application/json' }, 'application/json'],
      [
        { 'content-type': 'application/json', accept: 'application/a2a+json, application/json' },
        'application/a2a+json',
      ],
    ] as readonly [Record<string, string>, string][]) {
      const certa = await pedir('/message:send', { method: 'POST', headers, body: corpo() });
      const errada = await pedir('/message:send', { method: 'POST', headers, body: '{' });
      assert.deepEqual([certa.status, certa.headers.get('content-type')], [200, esperado]);
      assert.deepEqual([errada.status, errada.headers.get('content-type')], [400, esperado]);
    }
  });

  test('um corpo com outro Content-Type, ou sem nenhum, é recusado sem ser lido', async () => {
    for (const tipo of ['text/plain', 'application/xml', undefined]) {
      const resposta = await postar('/message:send', new TextEncoder().encode('{'), tipo);
      const { details } = await exigir(resposta, 400, 'INVALID_ARGUMENT');
      assert.equal(details[0]?.reason, 'CONTENT_TYPE_NOT_SUPPORTED');
    }
  });
});

describe('§11.4 corpo', () => {
  for (const corpo of ['', '{', 'null', '[]', '1', '"oi"', '\u00ff']) {
    test(`"${corpo}" é 400`, async () => {
      await exigir(await postar('/message:send', corpo, 'application/json'), 400, 'INVALID_ARGUMENT');
    });
  }

  test('mais de 1 MiB é 413', async () => {
    const corpo = JSON.stringify({ message: mensagem('x', { parts: [{ text: 'x'.repeat(1024 * 1024) }] }) });
    await exigir(await postar('/message:send', corpo, 'application/json'), 413, 'OUT_OF_RANGE');
  });
});

test('§3.6.1 a versão vale como parâmetro da URL em qualquer endereço', async () => {
  const { id } = await enviar(cliente, mensagem('a'));
  assert.equal((await pedir(`/tasks/${id}?A2A-Version=1.0`)).status, 200);
  for (const caminho of [
    '/tasks?A2A-Version=0.3',
    `/tasks/${id}?A2A-Version=9.9`,
    '/extendedAgentCard?A2A-Version=0.3',
  ]) {
    const { details } = await exigir(await pedir(caminho), 400, 'FAILED_PRECONDITION');
    assert.equal(details[0]?.reason, 'VERSION_NOT_SUPPORTED');
  }
});

test('§5.2 um card sem a interface HTTP+JSON não a serve', async () => {
  const so = await subirAgenteDeProva({
    card: {
      supportedInterfaces: [{ url: 'http://x/a2a', protocolBinding: 'JSONRPC', protocolVersion: '1.0' }],
    },
  });
  try {
    assert.equal((await fetch(`${so.url}/tasks`)).status, 404);
    assert.equal((await fetch(`${so.url}/a2a`)).status, 405);
  } finally {
    await so.parar();
  }
});
