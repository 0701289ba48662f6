import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Canais } from './canais.ts';
import type { StreamResponse, Task, TaskState } from './modelo.ts';

const em = (state: TaskState, id = 't'): Task => ({
  id,
  contextId: 'c',
  status: { state, timestamp: '2026-11-03T14:00:00.000Z' },
  artifacts: [],
  history: [],
});
const TRABALHANDO = em('TASK_STATE_WORKING');
const evento = (text: string): StreamResponse => ({
  message: { messageId: text, role: 'ROLE_AGENT', parts: [{ text }] },
});

async function juntar(eventos: AsyncIterable<StreamResponse>): Promise<string[]> {
  const textos: string[] = [];
  for await (const recebido of eventos)
    textos.push('message' in recebido ? recebido.message.messageId : 'task');
  return textos;
}

test('§3.5.2: todas as assinaturas de uma Task veem os mesmos eventos, na mesma ordem', async () => {
  const canais = new Canais();
  const antes = [canais.assinar('t', 'task'), canais.assinar('t', 'turno')];
  const jaIterando = juntar(canais.assinar('t', 'task'));
  canais.publicar(TRABALHANDO, evento('1'), 1);
  canais.publicar(em('TASK_STATE_WORKING', 'outra'), evento('x'), 1);
  canais.publicar(TRABALHANDO, evento('2'), 2);
  canais.publicar(em('TASK_STATE_COMPLETED'), evento('3'), 3);
  assert.deepEqual(await Promise.all([...antes.map(juntar), jaIterando]), [
    ['1', '2', '3'],
    ['1', '2', '3'],
    ['1', '2', '3'],
  ]);
});

test('§3.1.2, §3.1.6: o turno acaba na pausa; a Task, só num estado terminal', async () => {
  const canais = new Canais();
  const turno = canais.assinar('t', 'turno');
  const task = canais.assinar('t', 'task');
  canais.publicar(em('TASK_STATE_INPUT_REQUIRED'), evento('pausa'), 1);
  canais.publicar(TRABALHANDO, evento('volta'), 2);
  canais.publicar(em('TASK_STATE_FAILED'), evento('fim'), 3);
  assert.deepEqual(await juntar(turno), ['pausa']);
  assert.deepEqual(await juntar(task), ['pausa', 'volta', 'fim']);
});

test('o estado inicial vem antes, e leva embora os eventos que ele já conta', async () => {
  const canais = new Canais();
  const assinatura = canais.assinar('t', 'task');
  canais.publicar(TRABALHANDO, evento('1'), 1);
  canais.publicar(TRABALHANDO, evento('2'), 2);
  assinatura.comecarPor({ task: TRABALHANDO }, 1);
  canais.publicar(em('TASK_STATE_COMPLETED'), evento('3'), 3);
  assert.deepEqual(await juntar(assinatura), ['task', '2', '3']);
});

test('§3.5.2: quem sai não atrapalha os outros, mesmo esperando o próximo evento', async () => {
  const canais = new Canais();
  const fica = canais.assinar('t', 'task');
  const sai = canais.assinar('t', 'task');
  const esperando = sai.next();
  await sai.return();
  assert.deepEqual(await esperando, { value: undefined, done: true });
  canais.publicar(em('TASK_STATE_COMPLETED'), evento('1'), 1);
  assert.deepEqual(await juntar(fica), ['1']);
  assert.deepEqual(await juntar(sai), []);
});

test('nenhuma assinatura sobra: nem a de quem saiu, nem a de quem chegou ao fim, nem a do turno que pausou', async () => {
  const canais = new Canais();
  await canais.assinar('t', 'task').return();
  canais.assinar('u', 'turno');
  canais.assinar('u', 'task');
  assert.equal(canais.tamanho, 1);
  canais.publicar(em('TASK_STATE_INPUT_REQUIRED', 'u'), evento('1'), 1);
  canais.publicar(em('TASK_STATE_CANCELED', 'u'), evento('2'), 2);
  assert.equal(canais.tamanho, 0);
  const nova = canais.assinar('u', 'task');
  nova.encerrar();
  assert.equal(canais.tamanho, 0);
});
