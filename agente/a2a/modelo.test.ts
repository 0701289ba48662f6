import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  GetTaskRequest,
  interrompido,
  ListTasksRequest,
  SendMessageRequest,
  TASK_STATES,
  terminal,
} from './modelo.ts';

const MENSAGEM = { messageId: 'm', role: 'ROLE_USER', parts: [{ text: 'oi' }] };
const ler = (message: object) => SendMessageRequest.parse({ message: { ...MENSAGEM, ...message } }).message;
const recusa = (
  esquema: typeof SendMessageRequest | typeof ListTasksRequest | typeof GetTaskRequest,
  valor: unknown,
) => assert.equal(esquema.safeParse(valor).success, false, JSON.stringify(valor));

test('§5.5, ProtoJSON: aceita snake_case, e o que sai é camelCase', () => {
  const lido = SendMessageRequest.parse({
    message: {
      message_id: 'm',
      role: 'ROLE_USER',
      context_id: 'c',
      task_id: 't',
      reference_task_ids: ['r'],
      parts: [{ raw: 'AA==', media_type: 'image/png' }],
    },
    configuration: { accepted_output_modes: ['text/plain'], history_length: 2, return_immediately: true },
  });
  assert.deepEqual(JSON.parse(JSON.stringify(lido)), {
    message: {
      messageId: 'm',
      role: 'ROLE_USER',
      contextId: 'c',
      taskId: 't',
      referenceTaskIds: ['r'],
      parts: [{ raw: 'AA==', mediaType: 'image/png' }],
    },
    configuration: { acceptedOutputModes: ['text/plain'], historyLength: 2, returnImmediately: true },
  });
});

test('ProtoJSON: das duas grafias de um campo vale a camelCase', () => {
  assert.equal(ler({ messageId: 'certa', message_id: 'outra' }).messageId, 'certa');
});

test('§5.7: campos desconhecidos são ignorados, com qualquer nome, em qualquer nível', () => {
  const estranhos = JSON.parse(
    '{"__proto__":{"role":"ROLE_AGENT"},"constructor":1,"toString":2,"kind":"message"}',
  );
  const lida = ler({ ...estranhos, parts: [{ text: 'oi', kind: 'text', ...estranhos }] });
  assert.deepEqual(JSON.parse(JSON.stringify(lida)), MENSAGEM);
});

test('um campo não vem do protótipo', () => {
  const { role, ...resto } = MENSAGEM;
  recusa(SendMessageRequest, { message: Object.assign(Object.create({ role }), resto) });
});

test('ProtoJSON: null é ausência, menos em data, onde é um valor', () => {
  assert.deepEqual(
    JSON.parse(JSON.stringify(ler({ taskId: null, metadata: null, extensions: null }))),
    MENSAGEM,
  );
  assert.deepEqual(ler({ parts: [{ text: null, data: null }] }).parts[0]?.data, null);
  assert.equal('data' in (ler({ parts: [{ data: null }] }).parts[0] ?? {}), true);
  recusa(SendMessageRequest, { message: { ...MENSAGEM, parts: null } });
});

test('ProtoJSON: texto vazio num campo opcional é ausência, e num obrigatório é falta', () => {
  const lida = ler({ taskId: '', contextId: '' });
  assert.equal(lida.taskId, undefined);
  assert.equal(lida.contextId, undefined);
  recusa(SendMessageRequest, { message: { ...MENSAGEM, messageId: '' } });
});

test('ProtoJSON: enum também por número, e só pelos que existem', () => {
  assert.equal(ler({ role: 1 }).role, 'ROLE_USER');
  assert.equal(ListTasksRequest.parse({ status: 3 }).status, 'TASK_STATE_COMPLETED');
  assert.equal(ListTasksRequest.parse({ status: 'TASK_STATE_UNSPECIFIED' }).status, undefined);
  assert.equal(ListTasksRequest.parse({ status: 0 }).status, undefined);
  for (const status of [9, -1, 1.5, 'COMPLETED', 'completed', 'task_state_completed', '', true]) {
    recusa(ListTasksRequest, { status });
  }
  for (const role of [0, 2, 3, 'ROLE_UNSPECIFIED', 'ROLE_AGENT', 'user', 'constructor']) {
    recusa(SendMessageRequest, { message: { ...MENSAGEM, role } });
  }
});

test('ProtoJSON: inteiro também como texto; fração, sobra e estouro são recusados', () => {
  assert.equal(GetTaskRequest.parse({ id: 't', historyLength: '7' }).historyLength, 7);
  assert.equal(GetTaskRequest.parse({ id: 't', historyLength: 2.0 }).historyLength, 2);
  assert.equal(GetTaskRequest.parse({ id: 't', historyLength: null }).historyLength, undefined);
  for (const historyLength of [-1, '-1', 1.5, '1.5', 2 ** 31, 1e300, 'dez', '', '0x1', [1], {}, true]) {
    recusa(GetTaskRequest, { id: 't', historyLength });
  }
});

test('§3.1.4: pageSize de 1 a 100, com 50 na falta', () => {
  assert.equal(ListTasksRequest.parse({}).pageSize, 50);
  assert.equal(ListTasksRequest.parse({ pageSize: '100' }).pageSize, 100);
  for (const pageSize of [0, 101, -5, 1.5, 'muitas']) recusa(ListTasksRequest, { pageSize });
});

test('§5.6.1: statusTimestampAfter em ISO 8601, com fração de qualquer tamanho, arredondada para cima', () => {
  const base = Date.parse('2026-11-03T14:00:00Z');
  for (const [texto, ms] of [
    ['2026-11-03T14:00:00Z', 0],
    ['2026-11-03T11:00:00-03:00', 0],
    ['2026-11-03T14:00:00.5Z', 500],
    ['2026-11-03T14:00:00.123Z', 123],
    ['2026-11-03T14:00:00.123000000Z', 123],
    ['2026-11-03T14:00:00.123000001Z', 124],
    ['2026-11-03T14:00:00.1239Z', 124],
  ] as const) {
    assert.equal(
      ListTasksRequest.parse({ statusTimestampAfter: texto }).statusTimestampAfter,
      base + ms,
      texto,
    );
  }
  for (const statusTimestampAfter of [
    '2026-02-30T14:00:00Z',
    '2026-11-03T14:00:00',
    '2026-11-03',
    '2026-11-03 14:00:00Z',
    '2026-11-03T25:00:00Z',
    'ontem',
    '',
    0,
    1762178400000,
  ]) {
    recusa(ListTasksRequest, { statusTimestampAfter });
  }
});

test('§4.1.6: uma Part tem exatamente um conteúdo', () => {
  for (const parte of [
    { text: '' },
    { raw: '' },
    { raw: 'AA-_' },
    { url: 'x' },
    { data: 0 },
    { data: false },
    { data: [] },
  ]) {
    assert.deepEqual(JSON.parse(JSON.stringify(ler({ parts: [parte] }).parts[0])), parte);
  }
  for (const parte of [
    {},
    { text: 'a', data: 1 },
    { text: 'a', url: 'b' },
    { mediaType: 'text/plain' },
    null,
    'oi',
    1,
    [],
  ]) {
    recusa(SendMessageRequest, { message: { ...MENSAGEM, parts: [parte] } });
  }
});

test('§4.1.6: raw é base64, e os demais conteúdos têm o seu tipo', () => {
  for (const parte of [
    { raw: 'não' },
    { raw: 'A===' },
    { raw: 'A A' },
    { raw: 1 },
    { text: 1 },
    { url: {} },
  ]) {
    recusa(SendMessageRequest, { message: { ...MENSAGEM, parts: [parte] } });
  }
});

test('metadata e data voltam como vieram, com chaves de qualquer nome', () => {
  const texto = '{"__proto__":{"x":1},"constructor":{"prototype":2},"a":[null,{"b":1.5}],"":0}';
  const lida = ler({
    metadata: JSON.parse(texto),
    parts: [{ data: JSON.parse(texto), metadata: JSON.parse(texto) }],
  });
  assert.equal(JSON.stringify(lida.metadata), texto);
  assert.equal(JSON.stringify(lida.parts[0]?.data), texto);
  assert.equal(JSON.stringify(lida.parts[0]?.metadata), texto);
  assert.equal(({} as { x?: number }).x, undefined);
  for (const metadata of [[], 'a', 1, true])
    recusa(SendMessageRequest, { message: { ...MENSAGEM, metadata } });
});

test('§4.1.3: quatro estados são terminais e dois são interrompidos', () => {
  assert.deepEqual(
    TASK_STATES.filter(terminal).map((estado) => estado.slice(11)),
    ['COMPLETED', 'FAILED', 'CANCELED', 'REJECTED'],
  );
  assert.deepEqual(
    TASK_STATES.filter(interrompido).map((estado) => estado.slice(11)),
    ['INPUT_REQUIRED', 'AUTH_REQUIRED'],
  );
});
