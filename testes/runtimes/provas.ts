/** O que se prova em cada runtime. Cada prova usa dias só seus, para não disputar salas com as outras. */
import assert from 'node:assert/strict';
import { Message, Role, TaskState } from '@a2a-js/sdk';
import { ClientFactory } from '@a2a-js/sdk/client';
import type { Task } from '../../agente/a2a/modelo.ts';
import { rodarValidador } from '../../validador/rodar.ts';
import { pedido, type RespostaRpc } from '../bancada.ts';
import { a2a, enviar, lerReservas, requestMcp } from '../chamadas.ts';
import type { NoAr } from './no-ar.ts';

/** Uma prova: lança se o runtime não a passa. */
export type Prova = (noAr: NoAr) => Promise<void>;

/** As 36 verificações, com os processos recém-iniciados. */
export const validador: Prova = async ({ agente, mcp }) => {
  const { linhas, passaram } = await rodarValidador('--agente', agente, '--mcp', mcp);
  const outras = linhas.filter((linha) => !linha.startsWith('PASS'));
  assert.equal(passaram.length, 36, outras.join('\n'));
};

/** O cliente A2A oficial: card, reserva direta, pausa, escolha e GetTask. */
export const clienteOficial: Prova = async ({ agente }) => {
  const cliente = await new ClientFactory().createFromUrl(agente);
  const mandar = async (text: string, taskId = '') => {
    const message = Message.fromJSON({
      messageId: crypto.randomUUID(),
      role: Role.ROLE_USER,
      parts: [{ text }],
      taskId,
    });
    const recebida = await cliente.sendMessage({
      tenant: '',
      message,
      configuration: undefined,
      metadata: undefined,
    });
    assert.ok('status' in recebida, 'veio uma Message no lugar de uma Task');
    return recebida;
  };
  const texto = pedido('sala-garagem', '2026-11-10', 10, 11, 'Clara');
  assert.equal((await mandar(texto)).status?.state, TaskState.TASK_STATE_COMPLETED);
  const pausada = await mandar(texto);
  assert.equal(pausada.status?.state, TaskState.TASK_STATE_INPUT_REQUIRED);
  await mandar('escolha=sala-mirante', pausada.id);
  const { status, artifacts } = await cliente.getTask({ tenant: '', id: pausada.id });
  assert.equal(status?.state, TaskState.TASK_STATE_COMPLETED);
  assert.match(JSON.stringify(artifacts), /sala-mirante/);
};

/** A ponte sobrevive ao servidor MCP: pausa, SIGKILL nele, outro no lugar, e a escolha ainda vale. */
export const reinicioDoServidor: Prova = async (noAr) => {
  const pausada = await pausar(noAr, '2026-11-11');
  await noAr.matarServidorMcp();
  await escolher(noAr.agente, pausada);
};

/** O mesmo, onde matar o servidor é matar o agente também: o requestState vem de um cliente MCP. */
export const reinicioDosDois: Prova = async (noAr) => {
  const args = { sala: 'sala-garagem', ...horario('2026-11-11'), responsavel: 'Marty' };
  await reservar(noAr, args);
  const { result } = await reservar(noAr, args);
  assert.equal(result?.resultType, 'input_required');
  const { requestState, inputRequests } = result as { requestState: string; inputRequests: object };
  const [chave = ''] = Object.keys(inputRequests);
  await noAr.matarServidorMcp();
  const retomada = await reservar(noAr, args, {
    requestState,
    inputResponses: { [chave]: { action: 'accept', content: { sala: 'sala-mirante' } } },
  });
  assert.deepEqual(retomada.result?.resultType, 'complete', JSON.stringify(retomada));
};

/** Com tudo em disco, um SIGKILL no workerd inteiro não apaga nada: nem a pausa, nem as reservas, nem a lista. */
export const reinicioDuravel: Prova = async (noAr) => {
  const dia = '2026-11-11';
  const pausada = await pausar(noAr, dia);
  const antes = await listar(noAr.agente);
  await noAr.matarServidorMcp();
  assert.deepEqual(await listar(noAr.outroAgente), antes);
  await escolher(noAr.outroAgente, pausada);
  const reservas = await lerReservas(`${noAr.mcp}/mcp`, [dia]);
  assert.deepEqual(reservas.map(({ sala }) => sala).sort(), ['sala-garagem', 'sala-mirante']);
};

/** Dois agentes, um só conjunto de Tasks: pausa num, resposta no outro; de várias respostas juntas, só uma age. */
export const doisAgentes: Prova = async (noAr) => {
  await escolher(noAr.outroAgente, await pausar(noAr, '2026-11-12'));

  const dia = '2026-11-13';
  const disputada = await pausar(noAr, dia);
  const agentes = [noAr.agente, noAr.outroAgente];
  const respostas = await Promise.all(
    [...agentes, ...agentes, ...agentes].map((agente) =>
      enviar(`${agente}/a2a`, 'escolha=sala-mirante', disputada),
    ),
  );
  const [venceu, ...outras] = respostas.sort((a, b) => Number('error' in a) - Number('error' in b));
  assert.equal(venceu?.result?.task?.status.state, 'TASK_STATE_COMPLETED', JSON.stringify(venceu));
  for (const { error } of outras) assert.equal(error?.code, -32004);
  assert.equal((await lerReservas(`${noAr.mcp}/mcp`, [dia])).length, 2);

  const desistida = await pausar(noAr, '2026-11-16');
  const cancelada = await a2a(`${noAr.outroAgente}/a2a`, 'CancelTask', { id: desistida });
  assert.equal((cancelada.result as unknown as Task | undefined)?.status.state, 'TASK_STATE_CANCELED');
  assert.equal((await enviar(`${noAr.agente}/a2a`, 'escolha=sala-mirante', desistida)).error?.code, -32004);
};

/** Ocupa a garagem das 10 às 11 e a pede outra vez. @returns o id da Task pausada. */
async function pausar({ agente }: NoAr, dia: string): Promise<string> {
  const texto = pedido('sala-garagem', dia, 10, 11, 'Marty');
  await enviar(`${agente}/a2a`, texto);
  const { result, error } = await enviar(`${agente}/a2a`, texto);
  assert.equal(result?.task?.status.state, 'TASK_STATE_INPUT_REQUIRED', JSON.stringify(error ?? result));
  return result.task.id;
}

async function escolher(agente: string, taskId: string): Promise<void> {
  const { result, error } = await enviar(`${agente}/a2a`, 'escolha=sala-mirante', taskId);
  assert.equal(result?.task?.status.state, 'TASK_STATE_COMPLETED', JSON.stringify(error ?? result));
  assert.match(JSON.stringify(result.task.artifacts), /sala-mirante/);
}

async function listar(agente: string): Promise<unknown> {
  return (await a2a(`${agente}/a2a`, 'ListTasks', { pageSize: 100 })).result;
}

const horario = (dia: string) => ({ inicio: `${dia}T10:00:00-03:00`, fim: `${dia}T11:00:00-03:00` });

async function reservar({ mcp }: NoAr, args: object, retomada: object = {}): Promise<RespostaRpc> {
  const { headers, corpo } = requestMcp('tools/call', {
    name: 'reservar_sala',
    arguments: args,
    ...retomada,
  });
  const resposta = await fetch(`${mcp}/mcp`, { method: 'POST', headers, body: JSON.stringify(corpo) });
  return (await resposta.json()) as RespostaRpc;
}
