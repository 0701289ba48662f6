/** O cliente oficial (@a2a-js/sdk), sem caso especial nenhum, contra o agente de salas e contra o agente de prova. */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import {
  type Artifact,
  CancelTaskRequest,
  GetTaskRequest,
  ListTasksRequest,
  type Message,
  SendMessageRequest,
  type StreamResponse,
  SubscribeToTaskRequest,
  type Task,
  TaskState,
} from '@a2a-js/sdk';
import { type Client, ClientFactory, ClientFactoryOptions } from '@a2a-js/sdk/client';
import {
  A2AError,
  ContentTypeNotSupportedError,
  RequestMalformedError,
  TaskNotCancelableError,
  TaskNotFoundError,
  UnsupportedOperationError,
} from '@a2a-js/sdk/errors';
import { type AgenteDeProva, subirAgenteDeProva } from '../agente-de-prova.ts';
import { type Servico, subirAgente, subirServidorMcp } from '../processos.ts';

const TRANSPORTES = ['JSONRPC', 'HTTP+JSON'] as const;

const conectar = (url: string, transporte: string): Promise<Client> =>
  new ClientFactory(
    ClientFactoryOptions.createFrom(ClientFactoryOptions.default, { preferredTransports: [transporte] }),
  ).createFromUrl(url);

const pedido = (text: string, message: object = {}, configuration: object = {}): SendMessageRequest =>
  SendMessageRequest.fromJSON({
    message: { messageId: crypto.randomUUID(), role: 'ROLE_USER', parts: [{ text }], ...message },
    configuration,
  });

async function enviar(
  cliente: Client,
  text: string,
  message: object = {},
  configuration: object = {},
): Promise<Task> {
  const resultado = await cliente.sendMessage(pedido(text, message, configuration));
  assert.ok('status' in resultado);
  return resultado;
}

const ler = (cliente: Client, id: string): Promise<Task> => cliente.getTask(GetTaskRequest.fromJSON({ id }));
const estado = ({ status }: Task): string => TaskState[status?.state ?? 0] ?? '';
const textoDe = (quem: Message | Artifact | undefined): string =>
  (quem?.parts ?? []).map(({ content }) => (content?.$case === 'text' ? content.value : '')).join('');

async function juntar(
  eventos: AsyncIterable<StreamResponse>,
): Promise<NonNullable<StreamResponse['payload']>[]> {
  const juntos: NonNullable<StreamResponse['payload']>[] = [];
  for await (const { payload } of eventos) {
    assert.ok(payload);
    juntos.push(payload);
  }
  return juntos;
}

describe('o agente de salas', () => {
  let mcp: Servico;
  let agente: Servico;
  before(async () => {
    mcp = await subirServidorMcp();
    agente = await subirAgente(mcp.url);
  });
  after(async () => {
    await agente?.parar();
    await mcp?.parar();
  });

  for (const [n, transporte] of TRANSPORTES.entries()) {
    describe(transporte, () => {
      let cliente: Client;
      /** Cada transporte reserva noutro dia, para um não ocupar as salas do outro. */
      const dia = `2026-12-0${n + 1}`;
      const reservar = (sala: string, hora: string): string =>
        `reservar sala=${sala} inicio=${dia}T${hora}:00:00-03:00 fim=${dia}T${hora}:30:00-03:00 responsavel=Doc Brown`;
      /** Ocupa a garagem e volta a pedi-la: a Task pausa. */
      const pausar = async (hora: string): Promise<Task> => {
        await enviar(cliente, reservar('sala-garagem', hora));
        return enviar(cliente, reservar('sala-garagem', hora));
      };
      before(async () => {
        cliente = await conectar(`http://localhost:${agente.porta}`, transporte);
      });

      test('descobre o card e escolhe a interface', async () => {
        const card = await cliente.getAgentCard();
        assert.equal(card.skills[0]?.id, 'reservar-sala');
        assert.equal(cliente.protocolVersion, '1.0');
        assert.equal(cliente.transport.protocolName, transporte);
        assert.equal(card.capabilities?.streaming, false);
      });

      test('reserva uma sala livre', async () => {
        const task = await enviar(cliente, reservar('sala-fusca', '09'));
        assert.equal(estado(task), 'TASK_STATE_COMPLETED');
        assert.equal(task.artifacts[0]?.name, 'reserva');
        const { sala, responsavel, politica } = JSON.parse(textoDe(task.artifacts[0]));
        assert.deepEqual([sala, responsavel, politica], ['sala-fusca', 'Doc Brown', '2026-11-01']);
        assert.deepEqual(await ler(cliente, task.id), task);
      });

      test('pausa, uma escolha errada mantém a pausa, e a certa conclui', async () => {
        const pausada = await pausar('10');
        assert.equal(estado(pausada), 'TASK_STATE_INPUT_REQUIRED');
        assert.equal(textoDe(pausada.status?.message), 'alternativas: sala-fusca, sala-mirante');
        const { id: taskId, contextId } = pausada;
        const errada = await enviar(cliente, 'escolha=sala-porao', { taskId, contextId });
        assert.equal(estado(errada), 'TASK_STATE_INPUT_REQUIRED');
        const final = await enviar(cliente, 'escolha=sala-mirante', { taskId, contextId });
        assert.equal(estado(final), 'TASK_STATE_COMPLETED');
        assert.equal(JSON.parse(textoDe(final.artifacts[0])).sala, 'sala-mirante');
        assert.deepEqual(final.history.map(textoDe).slice(1, 5), [
          'alternativas: sala-fusca, sala-mirante',
          'escolha=sala-porao',
          'alternativas: sala-fusca, sala-mirante',
          'escolha=sala-mirante',
        ]);
      });

      test('recusa, e a Task termina CANCELED', async () => {
        const { id: taskId } = await pausar('11');
        assert.equal(estado(await enviar(cliente, 'escolha=recusar', { taskId })), 'TASK_STATE_CANCELED');
      });

      test('cancela uma Task pausada; cancelar de novo dá a mesma, e uma concluída não se cancela', async () => {
        const { id } = await pausar('12');
        const cancelada = await cliente.cancelTask(CancelTaskRequest.fromJSON({ id }));
        assert.equal(estado(cancelada), 'TASK_STATE_CANCELED');
        assert.deepEqual(await cliente.cancelTask(CancelTaskRequest.fromJSON({ id })), cancelada);
        const { id: concluida } = await enviar(cliente, reservar('sala-porao', '12'));
        await assert.rejects(
          cliente.cancelTask(CancelTaskRequest.fromJSON({ id: concluida })),
          TaskNotCancelableError,
        );
      });

      test('lista as Tasks de um contexto, página a página', async () => {
        const primeira = await enviar(cliente, reservar('sala-aquario', '13'));
        const { contextId } = primeira;
        await enviar(cliente, reservar('sala-aquario', '14'), { contextId });
        const listar = (mais: object) =>
          cliente.listTasks(ListTasksRequest.fromJSON({ contextId, pageSize: 1, ...mais }));
        const um = await listar({});
        assert.deepEqual([um.tasks.length, um.totalSize], [1, 2]);
        const dois = await listar({ pageToken: um.nextPageToken, includeArtifacts: true });
        assert.deepEqual([dois.tasks[0]?.id, dois.nextPageToken], [primeira.id, '']);
        assert.equal(dois.tasks[0]?.artifacts.length, 1);
        const prontas = await listar({ status: 'TASK_STATE_COMPLETED', pageSize: 10 });
        assert.equal(prontas.tasks.length, 2);
      });

      test('a chamada de streaming recai no SendMessage, como o card manda', async () => {
        const eventos = await juntar(cliente.sendMessageStream(pedido(reservar('sala-porao', '15'))));
        assert.deepEqual(
          eventos.map(({ $case }) => $case),
          ['task'],
        );
        const [evento] = eventos;
        assert.ok(evento?.$case === 'task');
        assert.equal(estado(evento.value), 'TASK_STATE_COMPLETED');
      });

      test('returnImmediately: responde logo, e a Task conclui depois', async () => {
        const task = await enviar(cliente, reservar('sala-porao', '16'), {}, { returnImmediately: true });
        assert.match(estado(task), /SUBMITTED|WORKING/);
        let atual = task;
        while (/SUBMITTED|WORKING/.test(estado(atual))) atual = await ler(cliente, task.id);
        assert.equal(estado(atual), 'TASK_STATE_COMPLETED');
      });

      test('os erros chegam como as classes do SDK', async () => {
        await assert.rejects(ler(cliente, crypto.randomUUID()), TaskNotFoundError);
        const { id: taskId } = await enviar(cliente, reservar('sala-porao', '17'));
        await assert.rejects(enviar(cliente, 'escolha=sala-fusca', { taskId }), UnsupportedOperationError);
        await assert.rejects(
          enviar(cliente, '', { parts: [{ raw: 'AA==', mediaType: 'application/pdf' }] }),
          ContentTypeNotSupportedError,
        );
        const semId = cliente.sendMessage(pedido('x', { messageId: '' }));
        await assert.rejects(semId, (erro) => {
          // O SDK só reconhece esta classe pelo código do JSON-RPC: a spec não dá um `reason` a ela no HTTP+JSON.
          assert.ok(erro instanceof (transporte === 'JSONRPC' ? RequestMalformedError : A2AError));
          assert.match(erro.message, /message\.messageId: é obrigatório/);
          return true;
        });
        const assinar = juntar(cliente.resubscribeTask(SubscribeToTaskRequest.fromJSON({ id: taskId })));
        await assert.rejects(assinar, UnsupportedOperationError);
      });

      test('a falha de uma sala que não existe é uma Task FAILED, com o texto da ferramenta', async () => {
        const task = await enviar(cliente, reservar('sala-inexistente', '10'));
        assert.equal(estado(task), 'TASK_STATE_FAILED');
        assert.equal(textoDe(task.history.at(-1)), 'Sala inexistente: sala-inexistente');
      });
    });
  }
});

describe('o agente de prova, com streaming', () => {
  let agente: AgenteDeProva;
  before(async () => {
    agente = await subirAgenteDeProva();
  });
  after(() => agente.parar());

  for (const transporte of TRANSPORTES) {
    describe(transporte, () => {
      let cliente: Client;
      before(async () => {
        cliente = await conectar(agente.url, transporte);
      });
      const com = (prefixo: string) => ({ messageId: `${prefixo}-${crypto.randomUUID()}` });

      test('artifacts de texto, arquivo, url e data chegam pelo nome do campo', async () => {
        for (const [prefixo, tipo] of [
          ['tck-artifact-text', 'text'],
          ['tck-artifact-file', 'raw'],
          ['tck-artifact-file-url', 'url'],
          ['tck-artifact-data', 'data'],
        ] as const) {
          const { artifacts } = await enviar(cliente, 'oi', com(prefixo));
          assert.equal(artifacts[0]?.parts[0]?.content?.$case, tipo);
        }
      });

      test('uma resposta direta chega como Message', async () => {
        const resultado = await cliente.sendMessage(pedido('oi', com('tck-message-response')));
        assert.ok('messageId' in resultado);
        assert.equal(textoDe(resultado), 'Direct message response');
      });

      test('stream: task, mudanças e fim, com o artifact em pedaços', async () => {
        const eventos = await juntar(
          cliente.sendMessageStream(pedido('oi', com('tck-stream-artifact-chunked'))),
        );
        assert.deepEqual(
          eventos.map(({ $case }) => $case),
          ['task', 'statusUpdate', 'artifactUpdate', 'artifactUpdate', 'statusUpdate'],
        );
        const pedacos = eventos.flatMap((evento) =>
          evento.$case === 'artifactUpdate'
            ? [[textoDe(evento.value.artifact), evento.value.append, evento.value.lastChunk]]
            : [],
        );
        assert.deepEqual(pedacos, [
          ['chunk-1 ', false, false],
          ['chunk-2', true, true],
        ]);
      });

      test('stream de uma resposta direta: uma Message', async () => {
        const eventos = await juntar(cliente.sendMessageStream(pedido('oi', com('tck-message-response'))));
        assert.deepEqual(
          eventos.map(({ $case }) => $case),
          ['message'],
        );
      });

      test('reassina uma Task em andamento e a vê acabar', async () => {
        const message = com('prova-espera');
        const { id } = await enviar(cliente, 'oi', message, { returnImmediately: true });
        await agente.portao.chegada(message.messageId);
        const casos: string[] = [];
        for await (const { payload } of cliente.resubscribeTask(SubscribeToTaskRequest.fromJSON({ id }))) {
          casos.push(payload?.$case ?? '');
          agente.portao.abrir(message.messageId);
        }
        assert.deepEqual(casos, ['task', 'artifactUpdate', 'statusUpdate']);
        assert.equal(estado(await ler(cliente, id)), 'TASK_STATE_COMPLETED');
      });

      test('um erro ao abrir o stream chega como a classe do SDK', async () => {
        const stream = cliente.sendMessageStream(pedido('oi', { taskId: 'nenhuma' }));
        await assert.rejects(juntar(stream), TaskNotFoundError);
        const { id } = await enviar(cliente, 'oi', com('tck-complete-task'));
        const assinar = juntar(cliente.resubscribeTask(SubscribeToTaskRequest.fromJSON({ id })));
        await assert.rejects(assinar, UnsupportedOperationError);
      });

      test('uma continuação que não pôde ser trabalhada chega como erro, e vale de novo', async () => {
        const { id: taskId } = await enviar(cliente, 'oi', com('tck-input-required'));
        await assert.rejects(enviar(cliente, 'oi', { taskId, ...com('prova-indisponivel') }), A2AError);
        assert.equal(estado(await enviar(cliente, 'oi', { taskId, ...com('fim') })), 'TASK_STATE_COMPLETED');
      });
    });
  }
});
