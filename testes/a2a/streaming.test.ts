/** O streaming da A2A 1.0 (spec §3.1.2, §3.1.6, §3.5.2, §11.7) por HTTP, nos dois bindings. */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { Artifact, StreamResponse, Task } from '../../agente/a2a/modelo.ts';
import { type AgenteDeProva, subirAgenteDeProva } from '../agente-de-prova.ts';
import { type Cliente, clientes, type Eventos, enviar, Falha, ler, mensagem } from './clientes.ts';

let agente: AgenteDeProva;
before(async () => {
  agente = await subirAgenteDeProva();
});
after(() => agente.parar());

/** O que um evento é, numa palavra: `task`, `message`, `artifact`, ou o estado. */
function resumo(evento: StreamResponse): string {
  assert.equal(Object.keys(evento).length, 1);
  if ('statusUpdate' in evento) {
    assert.ok(!('final' in evento.statusUpdate));
    return evento.statusUpdate.status.state.replace('TASK_STATE_', '');
  }
  if ('artifactUpdate' in evento) return 'artifact';
  return 'task' in evento ? 'task' : 'message';
}

async function juntar(eventos: Eventos): Promise<StreamResponse[]> {
  const juntos: StreamResponse[] = [];
  for await (const evento of eventos) juntos.push(evento);
  return juntos;
}

/** O artifact que quem acompanha monta: `append` soma, sem ele troca. */
function acumular(eventos: readonly StreamResponse[]): Artifact[] {
  const artifacts = new Map<string, Artifact>();
  for (const evento of eventos) {
    if ('task' in evento) for (const um of evento.task.artifacts) artifacts.set(um.artifactId, um);
    if (!('artifactUpdate' in evento)) continue;
    const { artifact, append } = evento.artifactUpdate;
    const anterior = append ? artifacts.get(artifact.artifactId) : undefined;
    const parts = [...(anterior?.parts ?? []), ...artifact.parts];
    artifacts.set(artifact.artifactId, { ...artifact, ...anterior, parts });
  }
  return [...artifacts.values()];
}

const iniciar = (cliente: Cliente, message: ReturnType<typeof mensagem>, signal?: AbortSignal) =>
  cliente.acompanhar('SendStreamingMessage', { message }, signal);

/** Uma Task em andamento que espera o portão, já em WORKING. */
async function emAndamento(cliente: Cliente, prefixo: string) {
  const message = mensagem(prefixo);
  const { id } = await enviar(cliente, message, { returnImmediately: true });
  const espera = prefixo === 'prova-pedacos' ? `${message.messageId}/1` : message.messageId;
  await agente.portao.chegada(espera);
  return { id, messageId: message.messageId };
}

async function primeiro(eventos: Eventos): Promise<Task> {
  const { value } = await eventos.next();
  assert.ok(value && 'task' in value);
  return value.task;
}

/** Espera que a Task chegue a um estado, perguntando. */
async function esperarEstado(cliente: Cliente, id: string, estado: string): Promise<Task> {
  let task = await ler(cliente, id);
  while (task.status.state !== estado) task = await ler(cliente, id);
  return task;
}

for (const cliente of clientes(() => agente.url)) {
  describe(cliente.nome, () => {
    describe('§3.1.2 SendStreamingMessage', () => {
      test('Task: primeiro a Task, depois cada mudança, e o stream acaba no estado terminal', async () => {
        const eventos = await juntar(await iniciar(cliente, mensagem('tck-stream-001')));
        assert.deepEqual(eventos.map(resumo), ['task', 'WORKING', 'artifact', 'COMPLETED']);
        const [inicio] = eventos;
        assert.ok(inicio && 'task' in inicio);
        assert.equal(inicio.task.status.state, 'TASK_STATE_SUBMITTED');
        for (const evento of eventos.slice(1)) {
          const { taskId, contextId } = Object.values(evento)[0] as { taskId: string; contextId: string };
          assert.deepEqual([taskId, contextId], [inicio.task.id, inicio.task.contextId]);
        }
        assert.deepEqual(acumular(eventos), (await ler(cliente, inicio.task.id)).artifacts);
      });

      test('resposta direta: exatamente uma message', async () => {
        const eventos = await juntar(await iniciar(cliente, mensagem('tck-message-response')));
        assert.deepEqual(eventos.map(resumo), ['message']);
      });

      test('§4.2.2 append e lastChunk: quem acumula tem o artifact que o GetTask dá', async () => {
        const message = mensagem('prova-pedacos');
        for (const n of [1, 2, 3]) agente.portao.abrir(`${message.messageId}/${n}`);
        const eventos = await juntar(await iniciar(cliente, message));
        assert.deepEqual(eventos.map(resumo), [
          'task',
          'WORKING',
          'artifact',
          'artifact',
          'artifact',
          'COMPLETED',
        ]);
        assert.deepEqual(
          eventos.flatMap((evento) =>
            'artifactUpdate' in evento
              ? [[evento.artifactUpdate.append, evento.artifactUpdate.lastChunk]]
              : [],
          ),
          [
            [false, false],
            [true, false],
            [true, true],
          ],
        );
        const { id } = (eventos[0] as { task: Task }).task;
        const { artifacts } = await ler(cliente, id);
        assert.deepEqual(acumular(eventos), artifacts);
        assert.equal(artifacts[0]?.parts.length, 3);
      });

      test('cada evento chega quando acontece, e não só no fim', async () => {
        const message = mensagem('prova-pedacos');
        const eventos = await iniciar(cliente, message);
        const vistos: string[] = [];
        for (const n of [1, 2, 3]) {
          agente.portao.abrir(`${message.messageId}/${n}`);
          while (vistos.filter((visto) => visto === 'artifact').length < n) {
            const { value } = await eventos.next();
            assert.ok(value);
            vistos.push(resumo(value));
          }
        }
        assert.deepEqual((await juntar(eventos)).map(resumo), ['COMPLETED']);
      });

      test('§11.7 acaba na pausa; a continuação é outro stream, que começa em WORKING', async () => {
        const inicio = await juntar(await iniciar(cliente, mensagem('tck-input-required')));
        assert.deepEqual(inicio.map(resumo), ['task', 'WORKING', 'INPUT_REQUIRED']);
        const { id: taskId } = (inicio[0] as { task: Task }).task;
        const continuacao = await juntar(await iniciar(cliente, mensagem('tck-stream-001', { taskId })));
        assert.deepEqual(continuacao.map(resumo), ['task', 'artifact', 'COMPLETED']);
        const { status, history } = (continuacao[0] as { task: Task }).task;
        assert.equal(status.state, 'TASK_STATE_WORKING');
        assert.equal(history.length, 3);
      });

      test('§3.2.4 historyLength vale para a primeira Task', async () => {
        const params = { message: mensagem('tck-stream-001'), configuration: { historyLength: 0 } };
        const [inicio] = await juntar(await cliente.acompanhar('SendStreamingMessage', params));
        assert.ok(inicio && 'task' in inicio && !('history' in inicio.task));
      });

      test('as falhas chegam como eventos: FAILED, e o motivo interno não', async () => {
        const eventos = await juntar(await iniciar(cliente, mensagem('prova-lanca')));
        assert.deepEqual(eventos.map(resumo), ['task', 'WORKING', 'FAILED']);
        assert.doesNotMatch(JSON.stringify(eventos), /segredo/);
      });

      test('uma continuação que não pôde ser trabalhada: o stream acaba na pausa devolvida', async () => {
        const { id: taskId } = await enviar(cliente, mensagem('tck-input-required'));
        const eventos = await juntar(await iniciar(cliente, mensagem('prova-indisponivel', { taskId })));
        assert.deepEqual(eventos.map(resumo), ['task', 'INPUT_REQUIRED']);
      });

      test('§3.5.2 quem vai embora não para a Task', async () => {
        const message = mensagem('prova-pedacos');
        const controle = new AbortController();
        const eventos = await iniciar(cliente, message, controle.signal);
        const { id } = await primeiro(eventos);
        controle.abort();
        await assert.rejects(juntar(eventos));
        for (const n of [1, 2, 3]) agente.portao.abrir(`${message.messageId}/${n}`);
        const { artifacts } = await esperarEstado(cliente, id, 'TASK_STATE_COMPLETED');
        assert.equal(artifacts[0]?.parts.length, 3);
      });
    });

    describe('§3.1.6 SubscribeToTask', () => {
      test('primeiro a Task como está, depois o que mudar, até o estado terminal', async () => {
        const { id, messageId } = await emAndamento(cliente, 'prova-espera');
        const eventos = await cliente.acompanhar('SubscribeToTask', { id });
        const inicio = await primeiro(eventos);
        assert.deepEqual([inicio.id, inicio.status.state], [id, 'TASK_STATE_WORKING']);
        agente.portao.abrir(messageId);
        assert.deepEqual((await juntar(eventos)).map(resumo), ['artifact', 'COMPLETED']);
      });

      test('§3.5.2 vários acompanham: os mesmos eventos, na mesma ordem; um que sai não afeta os outros', async () => {
        const { id, messageId } = await emAndamento(cliente, 'prova-pedacos');
        const abrir = () => cliente.acompanhar('SubscribeToTask', { id });
        const controle = new AbortController();
        const quemSai = await cliente.acompanhar('SubscribeToTask', { id }, controle.signal);
        const [um, dois] = [await abrir(), await abrir()];
        await Promise.all([primeiro(um), primeiro(dois), primeiro(quemSai)]);
        agente.portao.abrir(`${messageId}/1`);
        await Promise.all([um.next(), dois.next(), quemSai.next()]);
        controle.abort();
        await assert.rejects(juntar(quemSai));
        agente.portao.abrir(`${messageId}/2`);
        agente.portao.abrir(`${messageId}/3`);
        const [doUm, doDois] = await Promise.all([juntar(um), juntar(dois)]);
        assert.deepEqual(doUm, doDois);
        assert.deepEqual(doUm.map(resumo), ['artifact', 'artifact', 'COMPLETED']);
      });

      test('quem chega no meio parte do que já há, e acumula o mesmo artifact', async () => {
        const { id, messageId } = await emAndamento(cliente, 'prova-pedacos');
        agente.portao.abrir(`${messageId}/1`);
        await agente.portao.chegada(`${messageId}/2`);
        const eventos = await cliente.acompanhar('SubscribeToTask', { id });
        agente.portao.abrir(`${messageId}/2`);
        agente.portao.abrir(`${messageId}/3`);
        const vistos = await juntar(eventos);
        assert.deepEqual(vistos.map(resumo), ['task', 'artifact', 'artifact', 'COMPLETED']);
        assert.deepEqual(acumular(vistos), (await ler(cliente, id)).artifacts);
      });

      test('de uma Task pausada, atravessa a pausa e vê a continuação', async () => {
        const { id } = await enviar(cliente, mensagem('tck-input-required'));
        const eventos = await cliente.acompanhar('SubscribeToTask', { id });
        assert.equal((await primeiro(eventos)).status.state, 'TASK_STATE_INPUT_REQUIRED');
        await enviar(cliente, mensagem('tck-input-required', { taskId: id }));
        await enviar(cliente, mensagem('tck-artifact-text', { taskId: id }));
        assert.deepEqual((await juntar(eventos)).map(resumo), [
          'WORKING',
          'INPUT_REQUIRED',
          'WORKING',
          'artifact',
          'COMPLETED',
        ]);
      });

      test('vê o cancelamento, e acaba nele', async () => {
        const { id } = await enviar(cliente, mensagem('tck-input-required'));
        const eventos = await cliente.acompanhar('SubscribeToTask', { id });
        await primeiro(eventos);
        await cliente.chamar('CancelTask', { id });
        assert.deepEqual((await juntar(eventos)).map(resumo), ['CANCELED']);
      });
    });
  });
}

test('§11.3.2 o HTTP+JSON assina também por GET, como no proto', async () => {
  const [, rest] = clientes(() => agente.url);
  const { id } = await enviar(rest, mensagem('tck-input-required'));
  const controle = new AbortController();
  const resposta = await fetch(`${agente.url}/tasks/${id}:subscribe`, { signal: controle.signal });
  assert.equal(resposta.status, 200);
  assert.match(resposta.headers.get('content-type') ?? '', /^text\/event-stream/);
  controle.abort();
});

test('§3.5.2 os dois bindings veem os mesmos eventos de uma mesma Task', async () => {
  const [rpc, rest] = clientes(() => agente.url);
  const { id, messageId } = await emAndamento(rpc, 'prova-espera');
  const streams = await Promise.all(
    [rpc, rest].map((cliente) => cliente.acompanhar('SubscribeToTask', { id })),
  );
  await Promise.all(streams.map(primeiro));
  agente.portao.abrir(messageId);
  const [doRpc, doRest] = await Promise.all(streams.map(juntar));
  assert.deepEqual(doRpc, doRest);
});

test('um erro de quem pede um stream vem como resposta comum, não como stream', async () => {
  for (const cliente of clientes(() => agente.url)) {
    await assert.rejects(cliente.acompanhar('SubscribeToTask', { id: 'nenhuma' }), Falha);
  }
});
