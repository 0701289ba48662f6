import assert from 'node:assert/strict';
import { test } from 'node:test';
import { abrirTask, dobrar, receberMensagem, restaurar } from './dobra.ts';
import { artifact, completed, inputRequired, resposta, working } from './executor.ts';
import type { Message, Task } from './modelo.ts';

const MENSAGEM: Message = { messageId: 'm1', role: 'ROLE_USER', parts: [{ text: 'oi' }] };
const T0 = Date.parse('2026-11-03T14:00:00Z');

function congelar<T>(valor: T): T {
  if (typeof valor === 'object' && valor !== null) {
    for (const campo of Object.values(valor)) congelar(campo);
    Object.freeze(valor);
  }
  return valor;
}

/** Dobra uma a uma, com tudo congelado: uma dobra que altere a Task anterior lança. */
function dobrarTodas(task: Task, ...atualizacoes: Parameters<typeof dobrar>[1][]): Task {
  let atual = congelar(task);
  for (const atualizacao of atualizacoes) atual = congelar(dobrar(atual, atualizacao, T0 + 1)?.task ?? atual);
  return atual;
}

test('uma Task abre em SUBMITTED, com ids próprios, instante em UTC com ms e a mensagem ligada a ela', () => {
  const task = abrirTask(congelar(MENSAGEM), T0);
  assert.deepEqual(task.status, { state: 'TASK_STATE_SUBMITTED', timestamp: '2026-11-03T14:00:00.000Z' });
  assert.deepEqual(task.history, [{ ...MENSAGEM, taskId: task.id, contextId: task.contextId }]);
  assert.notEqual(task.id, abrirTask(MENSAGEM, T0).id);
  assert.notEqual(task.contextId, task.id);
});

test('§3.4.1: o contextId do cliente é mantido', () => {
  const task = abrirTask({ ...MENSAGEM, contextId: 'meu' }, T0);
  assert.equal(task.contextId, 'meu');
  assert.equal(task.history[0]?.contextId, 'meu');
});

test('a mensagem do agente entra no estado e no histórico, uma vez, na ordem', () => {
  const task = dobrarTodas(abrirTask(MENSAGEM, T0), working('um'), working('dois'), completed('três'));
  assert.deepEqual(
    task.history.map(({ role, parts }) => [role, parts[0]?.text]),
    [
      ['ROLE_USER', 'oi'],
      ['ROLE_AGENT', 'um'],
      ['ROLE_AGENT', 'dois'],
      ['ROLE_AGENT', 'três'],
    ],
  );
  assert.equal(task.status.message, task.history[3]);
  assert.equal(task.status.message?.taskId, task.id);
  assert.equal(new Set(task.history.map(({ messageId }) => messageId)).size, 4);
});

test('working sem mensagem em quem já trabalha não é um evento', () => {
  const task = dobrarTodas(abrirTask(MENSAGEM, T0), working());
  assert.equal(task.status.state, 'TASK_STATE_WORKING');
  assert.equal(dobrar(task, working(), T0), undefined);
});

test('§4.2.2: append soma as parts ao artifact de mesmo id, e o evento leva só o pedaço', () => {
  const aberta = dobrarTodas(
    abrirTask(MENSAGEM, T0),
    artifact({ artifactId: 'a', name: 'nome', parts: [{ text: '1' }] }, { lastChunk: false }),
    artifact({ artifactId: 'b', parts: [{ text: 'outro' }] }),
  );
  const pedaco = artifact({ artifactId: 'a', parts: [{ text: '2' }] }, { append: true, lastChunk: true });
  const dobra = dobrar(aberta, pedaco, T0);
  assert.deepEqual(dobra?.evento, {
    artifactUpdate: {
      taskId: aberta.id,
      contextId: aberta.contextId,
      artifact: { artifactId: 'a', parts: [{ text: '2' }] },
      append: true,
      lastChunk: true,
    },
  });
  assert.deepEqual(dobra?.task.artifacts, [
    { artifactId: 'a', name: 'nome', parts: [{ text: '1' }, { text: '2' }] },
    { artifactId: 'b', parts: [{ text: 'outro' }] },
  ]);
});

test('§4.2.2: sem append, um artifact de mesmo id é trocado inteiro; com append e sem anterior, é novo', () => {
  const task = dobrarTodas(
    abrirTask(MENSAGEM, T0),
    artifact({ artifactId: 'a', parts: [{ text: '1' }] }, { append: true }),
    artifact({ artifactId: 'a', parts: [{ text: '2' }] }),
  );
  assert.deepEqual(task.artifacts, [{ artifactId: 'a', parts: [{ text: '2' }] }]);
});

test('um artifact sem id ganha um', () => {
  const task = dobrarTodas(abrirTask(MENSAGEM, T0), artifact({ parts: [{ text: '1' }] }));
  assert.match(task.artifacts[0]?.artifactId ?? '', /^[0-9a-f-]{36}$/);
});

test('um artifact ou uma mensagem sem parts, e uma resposta direta numa Task, são falhas do executor', () => {
  const task = abrirTask(MENSAGEM, T0);
  for (const malformada of [artifact({ parts: [] }), completed([]), inputRequired([], 0), resposta('oi')]) {
    assert.throws(() => dobrar(task, malformada, T0), Error, malformada.tipo);
  }
});

test('restaurar volta ao que a Task era, com o histórico de antes e o estado datado de agora', () => {
  const pausada = dobrarTodas(abrirTask(MENSAGEM, T0), inputRequired('Qual?', 0));
  const retomada = dobrarTodas(receberMensagem(pausada, { ...MENSAGEM, messageId: 'm2' }, 10), working('hm'));
  const { task, evento } = restaurar(congelar(pausada), T0 + 5_000);
  assert.deepEqual(task, {
    ...pausada,
    status: { ...pausada.status, timestamp: '2026-11-03T14:00:05.000Z' },
  });
  assert.deepEqual(evento, {
    statusUpdate: { taskId: task.id, contextId: task.contextId, status: task.status },
  });
  assert.equal(retomada.history.length, 4);
});

test('o histórico guarda no máximo as mensagens mais novas', () => {
  let task = abrirTask(MENSAGEM, T0);
  for (let n = 2; n <= 10; n++)
    task = receberMensagem(congelar(task), { ...MENSAGEM, messageId: `m${n}` }, 4);
  assert.deepEqual(
    task.history.map(({ messageId }) => messageId),
    ['m7', 'm8', 'm9', 'm10'],
  );
});
