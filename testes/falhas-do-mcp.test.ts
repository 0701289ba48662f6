/** O que acontece com uma Task quando o caminho até o servidor MCP falha: nada se perde, nada se reserva duas vezes. */
import assert from 'node:assert/strict';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { test } from 'node:test';
import type { Task } from '../agente/a2a/modelo.ts';
import { criarAgente } from '../agente/app.ts';
import { Bancada, type Fio, instante, pedido, type RespostaRpc } from './bancada.ts';

const DIA = '2026-11-03';
const LIVRE = pedido('sala-porao', DIA, 9, 10, 'Doc');
const OCUPADA = pedido('sala-garagem', DIA, 14, 15, 'Marty');
const PAUSA = 'alternativas: sala-fusca, sala-mirante';

/** As formas de falhar. As que respondem algo são lixo; as que lançam são o que o fetch faz com a rede. */
const FALHAS: Record<string, Fio> = {
  'conexão recusada': async () => {
    throw new TypeError('fetch failed');
  },
  'resposta perdida depois de executar': async (request, seguir) => {
    await seguir(request);
    throw new TypeError('terminated');
  },
  'servidor mudo': (request) =>
    new Promise((_, falhou) => request.signal.addEventListener('abort', () => falhou(request.signal.reason))),
  'HTTP 500 em HTML': async () => new Response('<h1>Internal Server Error</h1>', { status: 500 }),
  'HTTP 503 vazio': async () => new Response(null, { status: 503 }),
  'HTTP 404': async () => new Response('not found', { status: 404 }),
  'HTTP 200 que não é JSON': async () =>
    new Response('{"jsonrpc":', { headers: { 'content-type': 'application/json' } }),
  'HTTP 200 em texto': async () => new Response('oi', { headers: { 'content-type': 'text/plain' } }),
  'JSON que não é JSON-RPC': async () => Response.json({ oi: true }),
  'resposta de outro id': async () => Response.json({ jsonrpc: '2.0', id: 999_999, result: {} }),
  'resultado sem forma': async (request) =>
    Response.json({ jsonrpc: '2.0', id: ((await request.json()) as { id: number }).id, result: 42 }),
  'erro interno JSON-RPC': async (request) =>
    Response.json({
      jsonrpc: '2.0',
      id: ((await request.json()) as { id: number }).id,
      error: { code: -32603, message: 'at /srv/app/index.js:10:3' },
    }),
  'stream que acaba sem resposta': async () =>
    new Response(': nada\n\n', { headers: { 'content-type': 'text/event-stream' } }),
};

function taskDe({ result }: RespostaRpc): Task {
  assert.ok(result?.task, 'a resposta traz uma Task');
  return result.task;
}

function textoDe(task: Task): string | undefined {
  return task.status.message?.parts[0]?.text;
}

async function pausar(bancada: Bancada): Promise<Task> {
  const task = taskDe(await bancada.enviar(OCUPADA));
  assert.equal(task.status.state, 'TASK_STATE_INPUT_REQUIRED');
  return task;
}

for (const [nome, falha] of Object.entries(FALHAS)) {
  test(`pedido novo, ${nome}: FAILED com texto claro, e o pedido seguinte funciona sem reiniciar o agente`, async (t) => {
    const bancada = await Bancada.emRede(t, { tempoLimiteMs: 1_500 });
    bancada.fio = falha;
    const falhou = taskDe(await bancada.enviar(LIVRE));
    assert.equal(falhou.status.state, 'TASK_STATE_FAILED');
    assert.match(textoDe(falhou) ?? '', /servidor MCP/);
    assert.doesNotMatch(JSON.stringify(falhou), /fetch failed|TypeError|\.js:|\/srv\//);
    bancada.fio = (request, seguir) => seguir(request);
    const task = taskDe(await bancada.enviar(LIVRE));
    assert.notEqual(task.status.state, 'TASK_STATE_FAILED');
  });

  test(`continuação, ${nome}: a pausa continua, sem rastro, e a mesma mensagem de novo conclui uma vez`, async (t) => {
    const bancada = await Bancada.emRede(t, { tempoLimiteMs: 1_500 });
    const pausada = await pausar(bancada);
    bancada.fio = falha;
    const erro = await bancada.enviar('escolha=sala-mirante', pausada.id);
    assert.equal(erro.error?.code, -32603);
    assert.match(erro.error?.message ?? '', /MCP/);
    assert.doesNotMatch(JSON.stringify(erro), /fetch failed|TypeError|\.js:|\/srv\//);

    const devolvida = await bancada.task(pausada.id);
    assert.equal(devolvida?.status.state, 'TASK_STATE_INPUT_REQUIRED');
    assert.deepEqual(devolvida?.status.message, pausada.status.message);
    assert.deepEqual(devolvida?.history, pausada.history);

    bancada.fio = (request, seguir) => seguir(request);
    const task = taskDe(await bancada.enviar('escolha=sala-mirante', pausada.id));
    assert.equal(task.status.state, 'TASK_STATE_COMPLETED');
    assert.equal(task.history.filter(({ parts }) => parts[0]?.text === 'escolha=sala-mirante').length, 1);
    const doMarty = (await bancada.reservasDoDia(DIA)).filter(({ sala }) => sala === 'sala-mirante');
    assert.equal(doMarty.length, 1);
  });
}

test('resposta perdida e depois outra escolha: a primeira reserva é a única', async (t) => {
  const bancada = await Bancada.emRede(t);
  const { id } = await pausar(bancada);
  bancada.fio = FALHAS['resposta perdida depois de executar'] as Fio;
  await bancada.enviar('escolha=sala-mirante', id);
  bancada.fio = (request, seguir) => seguir(request);
  for (const outra of ['escolha=sala-fusca', 'escolha=recusar']) {
    const resposta = await bancada.enviar(outra, id);
    if (resposta.result) assert.equal(taskDe(resposta).status.state, 'TASK_STATE_FAILED');
    else assert.equal(resposta.error?.code, -32004);
  }
  const criadas = (await bancada.reservasDoDia(DIA)).filter(({ id: reserva }) => reserva > 'res-0002');
  assert.deepEqual(
    criadas.map(({ sala }) => sala),
    ['sala-mirante'],
  );
});

test('o requestState recusado (outro segredo) ou expirado termina a Task em FAILED, pedindo para começar de novo', async (t) => {
  let agora = Date.UTC(2026, 10, 1);
  const bancada = await Bancada.emRede(t, { ttlSegundos: 300, agora: () => agora });
  const vencida = await pausar(bancada);
  agora += 301_000;
  const falhou = taskDe(await bancada.enviar('escolha=sala-mirante', vencida.id));
  assert.equal(falhou.status.state, 'TASK_STATE_FAILED');
  assert.match(textoDe(falhou) ?? '', /pausa expirou.*[Pp]eça de novo/);

  const recusada = await pausar(bancada);
  bancada.reiniciarMcp('outro-segredo-completamente-diferente-0123456789');
  const negada = taskDe(await bancada.enviar('escolha=sala-mirante', recusada.id));
  assert.equal(negada.status.state, 'TASK_STATE_FAILED');
  assert.deepEqual(
    (await bancada.reservasDoDia(DIA)).map(({ id }) => id),
    ['res-0001', 'res-0002'],
  );
});

test('reinício do servidor MCP entre a pausa e a resposta, com o conflito desfeito ou não: vale a escolha lacrada', async (t) => {
  const bancada = await Bancada.emRede(t);
  const { id } = await pausar(bancada);
  bancada.reiniciarMcp();
  const task = taskDe(await bancada.enviar('escolha=sala-mirante', id));
  assert.equal(task.status.state, 'TASK_STATE_COMPLETED');
  assert.match(task.artifacts[0]?.parts[0]?.text ?? '', /"sala":"sala-mirante"/);
});

test('a sala escolhida foi tomada: pergunta de novo com as que restam; sem nenhuma, FAILED com o texto exato', async (t) => {
  const bancada = await Bancada.emRede(t);
  const { id } = await pausar(bancada);
  await bancada.enviar(pedido('sala-mirante', DIA, 14, 15, 'Biff'));
  const deNovo = taskDe(await bancada.enviar('escolha=sala-mirante', id));
  assert.equal(deNovo.status.state, 'TASK_STATE_INPUT_REQUIRED');
  assert.equal(textoDe(deNovo), 'alternativas: sala-fusca');
  assert.equal(bancada.estados.size, 2, 'a pergunta refeita traz outro requestState');
  await bancada.enviar(pedido('sala-fusca', DIA, 14, 15, 'Biff'));
  const fim = taskDe(await bancada.enviar('escolha=sala-fusca', id));
  assert.equal(fim.status.state, 'TASK_STATE_FAILED');
  assert.equal(textoDe(fim), 'Sem alternativas disponiveis no intervalo');
});

test('a ferramenta sumiu da descoberta: FAILED que diz o nome dela', async (t) => {
  const bancada = await Bancada.emRede(t);
  bancada.fio = async (request, seguir) => {
    const { method, id } = (await request.clone().json()) as { method: string; id: number };
    if (method !== 'tools/list') return seguir(request);
    return Response.json({
      jsonrpc: '2.0',
      id,
      result: { resultType: 'complete', tools: [], ttlMs: 0, cacheScope: 'public' },
    });
  };
  const task = taskDe(await bancada.enviar(LIVRE));
  assert.equal(task.status.state, 'TASK_STATE_FAILED');
  assert.match(textoDe(task) ?? '', /reservar_sala/);
});

test('tools/list e a política antes da primeira chamada; depois, um request MCP por reserva', async (t) => {
  const bancada = await Bancada.emRede(t);
  await bancada.enviar(LIVRE);
  assert.deepEqual(
    bancada.requestsMcp.map(({ metodo }) => metodo),
    ['tools/list', 'resources/read', 'tools/call'],
  );
  const { id } = await pausar(bancada);
  await bancada.enviar('escolha=sala-mirante', id);
  assert.deepEqual(
    bancada.requestsMcp.slice(3).map(({ metodo }) => metodo),
    ['tools/call', 'tools/call'],
  );
  const ids = bancada.requestsMcp.map(({ id: doRequest }) => doRequest);
  assert.equal(new Set(ids).size, ids.length, 'o retry usa um id novo');
});

test('o que o servidor declarou em ttlMs é relido depois que vence', async (t) => {
  t.mock.timers.enable({ apis: ['Date'], now: Date.UTC(2026, 10, 1) });
  const bancada = await Bancada.emRede(t);
  await bancada.enviar(LIVRE);
  t.mock.timers.tick(59_000);
  await bancada.enviar(pedido('sala-porao', DIA, 10, 11, 'Doc'));
  assert.equal(bancada.requestsMcp.length, 4);
  t.mock.timers.tick(2_000);
  await bancada.enviar(pedido('sala-porao', DIA, 11, 12, 'Doc'));
  assert.deepEqual(
    bancada.requestsMcp.slice(4).map(({ metodo }) => metodo),
    ['tools/list', 'resources/read', 'tools/call'],
  );
});

test('duas, três, dez continuações simultâneas da mesma Task: exatamente uma age', async (t) => {
  for (const quantas of [2, 3, 10]) {
    const bancada = await Bancada.emRede(t);
    const { id } = await pausar(bancada);
    const respostas = await Promise.all(
      Array.from({ length: quantas }, (_, i) =>
        bancada.enviar(`escolha=${i % 2 ? 'sala-fusca' : 'sala-mirante'}`, id),
      ),
    );
    const agiram = respostas.filter(({ result }) => result);
    assert.equal(agiram.length, 1);
    for (const { error } of respostas.filter(({ error: e }) => e)) assert.equal(error?.code, -32004);
    assert.equal(bancada.requestsMcp.filter(({ corpo }) => corpo.includes('inputResponses')).length, 1);
    assert.equal((await bancada.reservasDoDia(DIA)).length, 3);
    assert.equal((await bancada.task(id))?.status.state, 'TASK_STATE_COMPLETED');
  }
});

/** Um fio que segura o tools/call até o teste mandar, antes ou depois de o servidor executar. */
function segurar(quando: 'antes' | 'depois'): { fio: Fio; chegou: Promise<void>; soltar: () => void } {
  let soltar = (): void => undefined;
  let avisar = (): void => undefined;
  const solto = new Promise<void>((pronto) => (soltar = pronto));
  const chegou = new Promise<void>((pronto) => (avisar = pronto));
  const fio: Fio = async (request, seguir) => {
    if (!(await request.clone().text()).includes('"tools/call"')) return seguir(request);
    const resposta = quando === 'depois' ? await seguir(request) : undefined;
    avisar();
    await solto;
    return resposta ?? seguir(request);
  };
  return { fio, chegou, soltar };
}

test('CancelTask durante a chamada: se a reserva saiu, perde com -32002, e GetTask concorda', async (t) => {
  for (const quando of ['antes', 'depois'] as const) {
    const bancada = await Bancada.emRede(t);
    const { fio, chegou, soltar } = segurar(quando);
    bancada.fio = fio;
    const envio = bancada.enviar(LIVRE);
    await chegou;
    const { tasks } = (await bancada.a2a('ListTasks', {})).result as unknown as { tasks: Task[] };
    const id = tasks[0]?.id as string;
    assert.equal(tasks[0]?.status.state, 'TASK_STATE_WORKING');
    const cancelamento = bancada.a2a('CancelTask', { id });
    soltar();
    assert.equal((await cancelamento).error?.code, -32002);
    assert.equal(taskDe(await envio).status.state, 'TASK_STATE_COMPLETED');
    assert.equal((await bancada.task(id))?.status.state, 'TASK_STATE_COMPLETED');
    assert.equal((await bancada.reservasDoDia(DIA)).length, 3);
  }
});

test('CancelTask antes de qualquer chamada de ferramenta: ganha, e nada é reservado', async (t) => {
  const bancada = await Bancada.emRede(t);
  let soltar = (): void => undefined;
  const solto = new Promise<void>((pronto) => (soltar = pronto));
  let avisar = (): void => undefined;
  const chegou = new Promise<void>((pronto) => (avisar = pronto));
  bancada.fio = async (request, seguir) => {
    avisar();
    await solto;
    return seguir(request);
  };
  const envio = bancada.enviar(LIVRE);
  await chegou;
  const { tasks } = (await bancada.a2a('ListTasks', {})).result as unknown as { tasks: Task[] };
  const cancelamento = bancada.a2a('CancelTask', { id: tasks[0]?.id });
  soltar();
  assert.equal((await cancelamento).result?.status !== undefined, true);
  assert.equal(taskDe(await envio).status.state, 'TASK_STATE_CANCELED');
  assert.ok(!bancada.requestsMcp.some(({ metodo }) => metodo === 'tools/call'));
  assert.equal((await bancada.reservasDoDia(DIA)).length, 2);
});

test('CancelTask numa Task pausada larga a pausa: a continuação é recusada e nada é reservado', async (t) => {
  const bancada = await Bancada.emRede(t);
  const { id } = await pausar(bancada);
  const cancelada = (await bancada.a2a('CancelTask', { id })).result as unknown as Task;
  assert.equal(cancelada.status.state, 'TASK_STATE_CANCELED');
  assert.equal((await bancada.enviar('escolha=sala-mirante', id)).error?.code, -32004);
  assert.deepEqual((await bancada.a2a('CancelTask', { id })).result?.status, cancelada.status);
  assert.equal((await bancada.reservasDoDia(DIA)).length, 2);
});

const TRACE = '4bf92f3577b34da6a3ce929d0e0e4736';

test('traceparent: mesmo trace-id em todo request MCP da Task, span novo em cada um, descoberta incluída', async (t) => {
  const bancada = await Bancada.emRede(t);
  const recebido = `00-${TRACE}-00f067aa0ba902b7-01`;
  const { id } = taskDe(await bancada.enviar(OCUPADA, undefined, { traceparent: recebido }));
  await bancada.enviar('escolha=sala-mirante', id);
  const enviados = bancada.requestsMcp.map(({ traceparent }) => String(traceparent));
  assert.equal(enviados.length, 4);
  for (const traceparent of enviados) assert.match(traceparent, new RegExp(`^00-${TRACE}-[0-9a-f]{16}-01$`));
  assert.equal(new Set([...enviados, recebido]).size, enviados.length + 1);
});

test('traceparent: o da continuação vale para os requests dela', async (t) => {
  const bancada = await Bancada.emRede(t);
  const { id } = taskDe(
    await bancada.enviar(OCUPADA, undefined, { traceparent: `00-${TRACE}-00f067aa0ba902b7-01` }),
  );
  const outro = 'aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa';
  await bancada.enviar('escolha=sala-mirante', id, { traceparent: `00-${outro}-00f067aa0ba902b7-00` });
  assert.match(String(bancada.requestsMcp.at(-1)?.traceparent), new RegExp(`^00-${outro}-[0-9a-f]{16}-00$`));
});

for (const ruim of [
  undefined,
  '',
  'lixo',
  `00-${'0'.repeat(32)}-00f067aa0ba902b7-01`,
  `00-${TRACE}-${'0'.repeat(16)}-01`,
  `ff-${TRACE}-00f067aa0ba902b7-01`,
  `00-${TRACE.toUpperCase()}-00f067aa0ba902b7-01`,
  `00-${TRACE}-00f067aa0ba902b7-01-extra`,
]) {
  test(`traceparent ${JSON.stringify(ruim)}: vira um trace novo e válido, nunca é repassado`, async (t) => {
    const bancada = await Bancada.emRede(t);
    await bancada.enviar(LIVRE, undefined, ruim === undefined ? {} : { traceparent: ruim });
    const [primeiro, ...outros] = bancada.requestsMcp.map(({ traceparent }) =>
      String(traceparent).split('-'),
    );
    assert.match(primeiro?.[1] ?? '', /^(?!0+$)[0-9a-f]{32}$/);
    for (const outro of outros) assert.equal(outro[1], primeiro?.[1]);
    assert.ok(!bancada.requestsMcp.some(({ traceparent }) => traceparent === ruim));
  });
}

test('o requestState não aparece em nenhuma resposta A2A nem em linha de log', async (t) => {
  const bancada = await Bancada.emRede(t);
  const { id } = await pausar(bancada);
  await bancada.enviar('escolha=sala-aquario', id);
  await bancada.task(id);
  await bancada.a2a('ListTasks', { includeArtifacts: true });
  bancada.fio = FALHAS['conexão recusada'] as Fio;
  await bancada.enviar('escolha=sala-mirante', id);
  bancada.fio = (request, seguir) => seguir(request);
  await bancada.enviar('escolha=sala-mirante', id);
  assert.equal(bancada.estados.size, 1);
  for (const texto of [...bancada.respostasA2A, ...bancada.linhas]) assert.ok(!bancada.vazou(texto), texto);
  assert.ok(!bancada.respostasA2A.some((texto) => /request_?state/i.test(texto)));
});

test('pela rede de verdade: porta fechada, conexão cortada no meio e corpo cortado', async (t) => {
  let modo: 'cortar' | 'meio' = 'cortar';
  const defeituoso: Server = createServer((_request, resposta) => {
    if (modo === 'cortar') return void resposta.destroy();
    resposta.writeHead(200, { 'content-type': 'application/json', 'content-length': '1000' });
    resposta.write('{"jsonrpc"', () => resposta.destroy());
  });
  await new Promise<void>((pronto) => defeituoso.listen(0, '127.0.0.1', pronto));
  const { port } = defeituoso.address() as AddressInfo;
  t.after(() => defeituoso.close());
  const agente = criarAgente({
    urlPublica: 'http://localhost:7300',
    urlDoMcp: `http://127.0.0.1:${port}/mcp`,
    tempoLimiteMs: 2_000,
    escrever: () => undefined,
  });
  const pedir = async (): Promise<Task> => {
    const message = { messageId: 'm', role: 'ROLE_USER', parts: [{ text: LIVRE }] };
    const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'SendMessage', params: { message } });
    const headers = { 'content-type': 'application/json' };
    const resposta = await agente.fetch(
      new Request('http://localhost:7300/a2a', { method: 'POST', headers, body }),
    );
    return taskDe((await resposta.json()) as RespostaRpc);
  };
  for (const proximo of ['cortar', 'meio', 'fechada'] as const) {
    if (proximo === 'fechada') await new Promise((pronto) => defeituoso.close(pronto));
    else modo = proximo;
    const task = await pedir();
    assert.equal(task.status.state, 'TASK_STATE_FAILED', proximo);
    assert.match(textoDe(task) ?? '', /servidor MCP/);
  }
});

test('um pedido fora do formato é REJECTED com o formato esperado, e nada chega ao servidor MCP', async (t) => {
  for (const texto of [
    'oi',
    'reservar',
    `reservar sala=sala-porao inicio=${instante(DIA, 9)} fim=${instante(DIA, 10)} responsavel=`,
    `reservar sala=sala-porao inicio=${instante(DIA, 9)} fim=${instante(DIA, 10)} responsavel=   `,
    `${LIVRE}\nreservar sala=sala-fusca`,
    `reservar inicio=${instante(DIA, 9)} sala=sala-porao fim=${instante(DIA, 10)} responsavel=Doc`,
    'escolha=sala-mirante',
  ]) {
    const bancada = await Bancada.emRede(t);
    const task = taskDe(await bancada.enviar(texto));
    assert.equal(task.status.state, 'TASK_STATE_REJECTED', texto);
    assert.match(textoDe(task) ?? '', /reservar sala=<id> inicio=<iso8601> fim=<iso8601> responsavel=<nome>/);
    assert.equal(bancada.requestsMcp.length, 0);
  }
});

test('a linha da pausa é a mesma, byte a byte, sempre que é repetida', async (t) => {
  const bancada = await Bancada.emRede(t);
  const { id } = await pausar(bancada);
  for (const texto of [
    'escolha=sala-aquario',
    'escolha=',
    'sala-mirante',
    'escolha=sala-mirante por favor',
    '\n',
    LIVRE,
  ]) {
    const task = taskDe(await bancada.enviar(texto, id));
    assert.equal(task.status.state, 'TASK_STATE_INPUT_REQUIRED');
    assert.equal(textoDe(task), PAUSA);
  }
  assert.equal(bancada.requestsMcp.filter(({ corpo }) => corpo.includes('inputResponses')).length, 0);
});

test('input_required só com requestState: o host volta sozinho, com id novo, e a Task não pausa; sem fim, FAILED', async (t) => {
  for (const quantas of [2, 99]) {
    const bancada = await Bancada.emRede(t);
    let voltas = 0;
    bancada.fio = async (request, seguir) => {
      const { method, id, params } = (await request.clone().json()) as {
        method: string;
        id: unknown;
        params: { requestState?: string };
      };
      if (method !== 'tools/call') return seguir(request);
      assert.equal(params.requestState, voltas === 0 ? undefined : `estado-${voltas}`);
      if (voltas === quantas) {
        const { requestState: _lido, ...semEstado } = params;
        const body = JSON.stringify({ jsonrpc: '2.0', id, method, params: semEstado });
        return seguir(
          new Request(request.url, { method: 'POST', headers: semTamanho(request.headers), body }),
        );
      }
      voltas++;
      const result = { resultType: 'input_required', requestState: `estado-${voltas}` };
      return Response.json({ jsonrpc: '2.0', id, result });
    };
    const task = taskDe(await bancada.enviar(LIVRE));
    assert.equal(task.status.state, quantas === 2 ? 'TASK_STATE_COMPLETED' : 'TASK_STATE_FAILED');
    const ids = bancada.requestsMcp.map(({ id }) => id);
    assert.equal(new Set(ids).size, ids.length);
  }
});

function semTamanho(headers: Headers): Headers {
  const copia = new Headers(headers);
  copia.delete('content-length');
  return copia;
}

test('CancelTask depois de uma resposta perdida: -32002 até se saber o que aconteceu, e GetTask concorda', async (t) => {
  const bancada = await Bancada.emRede(t);
  const { id } = await pausar(bancada);
  bancada.fio = FALHAS['resposta perdida depois de executar'] as Fio;
  await bancada.enviar('escolha=sala-mirante', id);
  bancada.fio = (request, seguir) => seguir(request);
  // Uma escolha errada não chega ao servidor, e não esclarece nada.
  for (const escolha of [undefined, 'sala-aquario']) {
    if (escolha) await bancada.enviar(`escolha=${escolha}`, id);
    assert.equal((await bancada.a2a('CancelTask', { id })).error?.code, -32002);
    assert.equal((await bancada.task(id))?.status.state, 'TASK_STATE_INPUT_REQUIRED');
  }
  const outra = taskDe(await bancada.enviar('escolha=recusar', id));
  assert.equal(outra.status.state, 'TASK_STATE_FAILED');
  assert.match(textoDe(outra) ?? '', /vale a reserva res-0003 na sala-mirante/);
});

test('CancelTask enquanto a resposta está no ar e se perde: também não diz que nada foi feito', async (t) => {
  const bancada = await Bancada.emRede(t);
  const { id } = await pausar(bancada);
  const { fio, chegou, soltar } = segurar('depois');
  bancada.fio = async (request, seguir) => {
    await fio(request, seguir);
    throw new TypeError('terminated');
  };
  const envio = bancada.enviar('escolha=sala-mirante', id);
  await chegou;
  const cancelamento = bancada.a2a('CancelTask', { id });
  soltar();
  assert.equal((await envio).error?.code, -32603);
  assert.equal((await cancelamento).error?.code, -32002);
  bancada.fio = (request, seguir) => seguir(request);
  assert.equal(taskDe(await bancada.enviar('escolha=sala-mirante', id)).status.state, 'TASK_STATE_COMPLETED');
});

test('uma falha antes de a chamada sair não deixa dúvida: cancelar pode', async (t) => {
  t.mock.timers.enable({ apis: ['Date'], now: Date.UTC(2026, 10, 1) });
  const bancada = new Bancada();
  const { id } = await pausar(bancada);
  // A política venceu no cache: é ela que falha, antes do tools/call.
  t.mock.timers.tick(61_000);
  bancada.fio = FALHAS['conexão recusada'] as Fio;
  assert.equal((await bancada.enviar('escolha=sala-mirante', id)).error?.code, -32603);
  const { result } = await bancada.a2a('CancelTask', { id });
  assert.equal((result as unknown as Task).status.state, 'TASK_STATE_CANCELED');
});
