/** As operações da A2A 1.0 por HTTP, nos dois bindings: o que a spec diz de cada uma, um teste por linha. */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { ArmazemEmMemoria } from '../../agente/a2a/armazem-em-memoria.ts';
import type { Message, Part, Task } from '../../agente/a2a/modelo.ts';
import { type AgenteDeProva, subirAgenteDeProva } from '../agente-de-prova.ts';
import { type Cliente, clientes, enviar, Falha, ler, mensagem, type Params } from './clientes.ts';

let agente: AgenteDeProva;
before(async () => {
  agente = await subirAgenteDeProva();
});
after(() => agente.parar());

/** A página de um ListTasks. */
interface Lista {
  readonly tasks: readonly Task[];
  readonly nextPageToken: string;
  readonly pageSize: number;
  readonly totalSize: number;
}
const listar = async (cliente: Cliente, params: Params): Promise<Lista> =>
  (await cliente.chamar('ListTasks', params)) as Lista;

const textos = (task: Task): (string | undefined)[] => task.history.map(({ parts }) => parts[0]?.text);

for (const cliente of clientes(() => agente.url)) {
  describe(cliente.nome, () => {
    describe('§3.1.1 SendMessage', () => {
      test('sem taskId abre uma Task, espera o fim e a devolve inteira', async () => {
        const message = mensagem('tck-complete-task');
        const task = await enviar(cliente, message);
        assert.equal(task.status.state, 'TASK_STATE_COMPLETED');
        assert.equal(task.status.message?.parts[0]?.text, 'Hello from TCK');
        assert.deepEqual(textos(task), ['oi', 'Hello from TCK']);
        assert.deepEqual(await ler(cliente, task.id), task);
      });

      for (const [prefixo, part] of [
        ['tck-artifact-text', { text: 'Generated text content' }],
        ['tck-artifact-file', { raw: 'c2HDrWRh', filename: 'output.txt', mediaType: 'text/plain' }],
        [
          'tck-artifact-file-url',
          { url: 'https://example.com/output.txt', filename: 'output.txt', mediaType: 'text/plain' },
        ],
        ['tck-artifact-data', { data: { key: 'value', count: 42 } }],
      ] as readonly (readonly [string, Part])[]) {
        test(`§4.1.7 conclui com um artifact: ${prefixo}`, async () => {
          const { artifacts, status } = await enviar(cliente, mensagem(prefixo));
          assert.equal(status.state, 'TASK_STATE_COMPLETED');
          assert.equal(artifacts.length, 1);
          assert.ok(artifacts[0]?.artifactId);
          assert.deepEqual(artifacts[0].parts, [part]);
        });
      }

      test('pode responder direto, sem Task: { message } com contextId e sem taskId', async () => {
        const message = mensagem('tck-message-response', { contextId: 'conversa' });
        const resultado = (await cliente.chamar('SendMessage', { message })) as { message: Message };
        assert.deepEqual(Object.keys(resultado), ['message']);
        const { role, messageId, contextId, taskId, parts } = resultado.message;
        assert.deepEqual([role, contextId, taskId], ['ROLE_AGENT', 'conversa', undefined]);
        assert.ok(messageId && messageId !== message.messageId);
        assert.deepEqual(parts, [{ text: 'Direct message response' }]);
        assert.equal((await listar(cliente, { contextId: 'conversa' })).totalSize, 0);
      });

      test('§3.2.2 pausa em INPUT_REQUIRED e continua pelo mesmo taskId', async () => {
        const pausada = await enviar(cliente, mensagem('tck-input-required'));
        assert.equal(pausada.status.state, 'TASK_STATE_INPUT_REQUIRED');
        const { id: taskId, contextId } = pausada;
        const final = await enviar(
          cliente,
          mensagem('fim', { taskId, contextId, parts: [{ text: 'isto' }] }),
        );
        assert.equal(final.id, taskId);
        assert.equal(final.status.state, 'TASK_STATE_COMPLETED');
        assert.deepEqual(textos(final), ['oi', 'Qual?', 'isto', 'Hello from TCK']);
      });

      test('pode ser rejeitado, ou falhar, com o motivo no estado e no histórico', async () => {
        const rejeitada = await enviar(cliente, mensagem('tck-reject-task'));
        assert.equal(rejeitada.status.state, 'TASK_STATE_REJECTED');
        assert.deepEqual(textos(rejeitada), ['oi', 'rejected']);
        const falha = await enviar(cliente, mensagem('prova-falha'));
        assert.equal(falha.status.state, 'TASK_STATE_FAILED');
        assert.deepEqual(falha.status.message, falha.history.at(-1));
        assert.deepEqual(textos(falha), ['oi', 'não deu']);
      });

      test('§3.3.1 o mesmo messageId duas vezes são duas Tasks', async () => {
        const message = mensagem('tck-complete-task');
        const [uma, outra] = [await enviar(cliente, message), await enviar(cliente, message)];
        assert.notEqual(uma.id, outra.id);
      });

      test('o executor recebe o que veio com a mensagem', async () => {
        const params = {
          message: mensagem('prova-contexto', { metadata: { da: 'mensagem' }, referenceTaskIds: ['r'] }),
          configuration: { acceptedOutputModes: ['text/plain', 'application/json'] },
          metadata: { do: 'pedido' },
        };
        const { task } = (await cliente.chamar('SendMessage', params)) as { task: Task };
        const visto = task.artifacts[0]?.parts[0]?.data as Params & { message: Message };
        assert.deepEqual(visto.acceptedOutputModes, ['text/plain', 'application/json']);
        assert.deepEqual(visto.metadata, { do: 'pedido' });
        assert.deepEqual(visto.message.metadata, { da: 'mensagem' });
        assert.deepEqual(visto.message.referenceTaskIds, ['r']);
        assert.equal(visto.estado, 'TASK_STATE_SUBMITTED');
      });

      test('uma mensagem de quase 1 MiB passa, e volta inteira no histórico', async () => {
        const text = 'é'.repeat(500_000);
        const task = await enviar(cliente, mensagem('tck-complete-task', { parts: [{ text }] }));
        assert.equal(task.history[0]?.parts[0]?.text, text);
      });

      test('metadata e data voltam como vieram, com chaves de qualquer nome', async () => {
        const livre = JSON.parse('{"__proto__":{"x":1},"constructor":2,"fundo":[[{"":null}]],"1e3":1.5}');
        const message = mensagem('tck-complete-task', { metadata: livre, parts: [{ data: livre }] });
        const { history } = await enviar(cliente, message);
        assert.equal(JSON.stringify(history[0]?.metadata), JSON.stringify(livre));
        assert.equal(JSON.stringify(history[0]?.parts[0]?.data), JSON.stringify(livre));
      });
    });

    describe('§3.2.2 returnImmediately', () => {
      test('responde antes de o trabalho acabar, e a resposta não muda depois', async () => {
        const message = mensagem('prova-espera');
        const task = await enviar(cliente, message, { returnImmediately: true });
        assert.ok(['TASK_STATE_SUBMITTED', 'TASK_STATE_WORKING'].includes(task.status.state));
        assert.deepEqual(task.artifacts, []);
        await agente.portao.chegada(message.messageId);
        assert.equal((await ler(cliente, task.id)).status.state, 'TASK_STATE_WORKING');
        agente.portao.abrir(message.messageId);
        let atual = await ler(cliente, task.id);
        while (atual.status.state === 'TASK_STATE_WORKING') atual = await ler(cliente, task.id);
        assert.equal(atual.status.state, 'TASK_STATE_COMPLETED');
        assert.equal(atual.artifacts.length, 1);
      });

      test('numa continuação, devolve a Task já em WORKING com a mensagem no histórico', async () => {
        const { id: taskId } = await enviar(cliente, mensagem('tck-input-required'));
        const message = mensagem('prova-espera', { taskId });
        const task = await enviar(cliente, message, { returnImmediately: true });
        assert.equal(task.status.state, 'TASK_STATE_WORKING');
        assert.equal(task.history.at(-1)?.messageId, message.messageId);
        agente.portao.abrir(message.messageId);
      });

      test('não tem efeito quando a resposta é direta', async () => {
        const params = {
          message: mensagem('tck-message-response'),
          configuration: { returnImmediately: true },
        };
        assert.ok('message' in ((await cliente.chamar('SendMessage', params)) as object));
      });
    });

    describe('§3.2.4 historyLength', () => {
      const casos: readonly (readonly [Params, number | undefined])[] = [
        [{}, 4],
        [{ historyLength: 0 }, undefined],
        [{ historyLength: 1 }, 1],
        [{ historyLength: 3 }, 3],
        [{ historyLength: 100 }, 4],
      ];

      for (const [params, quantas] of casos) {
        const caso = JSON.stringify(params);
        test(`SendMessage com ${caso}: ${quantas ?? 'sem history'}`, async () => {
          conferirHistorico(await enviar(cliente, mensagem('prova-fala'), params), quantas);
        });
        test(`GetTask com ${caso}: ${quantas ?? 'sem history'}`, async () => {
          const { id } = await enviar(cliente, mensagem('prova-fala'));
          conferirHistorico(await ler(cliente, id, params), quantas);
        });
        test(`ListTasks com ${caso}: ${quantas ?? 'sem history'}`, async () => {
          const { contextId } = await enviar(cliente, mensagem('prova-fala'));
          const { tasks } = await listar(cliente, { contextId, ...params });
          conferirHistorico(tasks[0], quantas);
        });
      }

      function conferirHistorico(task: Task | undefined, quantas: number | undefined): void {
        assert.ok(task);
        assert.equal('history' in task, quantas !== undefined);
        if (quantas === undefined) return;
        assert.deepEqual(textos(task), ['oi', 'começando', 'quase', 'pronto'].slice(-quantas));
      }
    });

    describe('§3.4 contextId e taskId', () => {
      test('§3.4.1 o contextId do cliente é mantido, e o que ele não manda é criado', async () => {
        const task = await enviar(cliente, mensagem('tck-complete-task', { contextId: 'meu/contexto é' }));
        assert.equal(task.contextId, 'meu/contexto é');
        assert.ok(
          task.history.every(({ contextId, taskId }) => contextId === task.contextId && taskId === task.id),
        );
        const [uma, outra] = [await enviar(cliente, mensagem('a')), await enviar(cliente, mensagem('b'))];
        assert.notEqual(uma.contextId, outra.contextId);
      });

      test('§3.4.3 duas Tasks cabem num contexto, e são listadas por ele', async () => {
        const { id, contextId } = await enviar(cliente, mensagem('a'));
        const outra = await enviar(cliente, mensagem('b', { contextId }));
        const { tasks, totalSize } = await listar(cliente, { contextId });
        assert.deepEqual([tasks.map((task) => task.id), totalSize], [[outra.id, id], 2]);
      });

      test('§3.4.3 só com o taskId, o contextId é o da Task', async () => {
        const { id: taskId, contextId } = await enviar(cliente, mensagem('tck-input-required'));
        const task = await enviar(cliente, mensagem('fim', { taskId }));
        assert.equal(task.contextId, contextId);
        assert.equal(task.history[2]?.contextId, contextId);
      });

      test('§3.4.3 um contextId que não é o da Task é recusado antes de qualquer efeito', async () => {
        const pausada = await enviar(cliente, mensagem('tck-input-required'));
        const message = mensagem('fim', { taskId: pausada.id, contextId: 'outro' });
        await assert.rejects(enviar(cliente, message), (erro) => {
          assert.ok(erro instanceof Falha);
          const [{ fieldViolations } = {}] = erro.detalhes as [{ fieldViolations?: { field: string }[] }?];
          assert.equal(fieldViolations?.[0]?.field, 'message.contextId');
          return true;
        });
        assert.deepEqual(await ler(cliente, pausada.id), pausada);
        assert.equal((await listar(cliente, { contextId: 'outro' })).totalSize, 0);
      });
    });

    describe('§3.1.3 GetTask', () => {
      test('dá a Task nua, com estado, artifacts e histórico', async () => {
        const { id } = await enviar(cliente, mensagem('tck-artifact-text'));
        const task = await ler(cliente, id);
        assert.deepEqual(Object.keys(task).sort(), ['artifacts', 'contextId', 'history', 'id', 'status']);
        assert.match(task.status.timestamp, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
      });
    });

    describe('§3.1.4 ListTasks', () => {
      test('da mudada há menos tempo para a mudada há mais, sem artifacts por padrão', async () => {
        const contextId = crypto.randomUUID();
        const primeira = await enviar(cliente, mensagem('tck-input-required', { contextId }));
        await enviar(cliente, mensagem('tck-artifact-text', { contextId }));
        await enviar(cliente, mensagem('fim', { taskId: primeira.id }));
        const { tasks, nextPageToken, pageSize, totalSize } = await listar(cliente, { contextId });
        assert.equal(tasks[0]?.id, primeira.id);
        assert.ok(tasks.every((task) => !('artifacts' in task)));
        assert.deepEqual([tasks.length, nextPageToken, pageSize, totalSize], [2, '', 50, 2]);
      });

      test('includeArtifacts: true traz os artifacts, também a lista vazia', async () => {
        const contextId = crypto.randomUUID();
        await enviar(cliente, mensagem('tck-artifact-text', { contextId }));
        await enviar(cliente, mensagem('tck-complete-task', { contextId }));
        const { tasks } = await listar(cliente, { contextId, includeArtifacts: true });
        assert.deepEqual(
          tasks.map(({ artifacts }) => artifacts.length),
          [0, 1],
        );
        const sem = await listar(cliente, { contextId, includeArtifacts: false });
        assert.ok(!('artifacts' in (sem.tasks[0] ?? {})));
      });

      test('nenhuma Task: lista vazia, cursor vazio, total zero', async () => {
        const vazia = await listar(cliente, { contextId: 'ninguém usou este' });
        assert.deepEqual(vazia, { tasks: [], nextPageToken: '', pageSize: 50, totalSize: 0 });
      });

      test('filtra por status', async () => {
        const contextId = crypto.randomUUID();
        const pausada = await enviar(cliente, mensagem('tck-input-required', { contextId }));
        await enviar(cliente, mensagem('tck-complete-task', { contextId }));
        const { tasks, totalSize } = await listar(cliente, {
          contextId,
          status: 'TASK_STATE_INPUT_REQUIRED',
        });
        assert.deepEqual([tasks.map(({ id }) => id), totalSize], [[pausada.id], 1]);
      });

      test('statusTimestampAfter inclui o próprio instante', async () => {
        const contextId = crypto.randomUUID();
        const { status } = await enviar(cliente, mensagem('tck-complete-task', { contextId }));
        const depois = new Date(Date.parse(status.timestamp) + 1).toISOString();
        const quantas = async (statusTimestampAfter: string): Promise<number> =>
          (await listar(cliente, { contextId, statusTimestampAfter })).totalSize;
        assert.equal(await quantas(status.timestamp), 1);
        assert.equal(await quantas(depois), 0);
        assert.equal(await quantas('2020-01-01T00:00:00-03:00'), 1);
      });

      test('pagina por cursor, sem repetir nem pular, com Tasks entrando a cada página', async () => {
        const contextId = crypto.randomUUID();
        const criadas: string[] = [];
        for (let n = 0; n < 7; n++) criadas.unshift((await enviar(cliente, mensagem('x', { contextId }))).id);
        const vistas: string[] = [];
        let pageToken = '';
        do {
          const pagina = await listar(cliente, { contextId, pageSize: 3, ...(pageToken && { pageToken }) });
          vistas.push(...pagina.tasks.map(({ id }) => id));
          assert.equal(pagina.pageSize, 3);
          pageToken = pagina.nextPageToken;
          await enviar(cliente, mensagem('nova', { contextId }));
        } while (pageToken);
        assert.deepEqual(vistas, criadas);
      });
    });

    describe('§3.1.5 CancelTask', () => {
      test('uma Task pausada larga a pausa e fica CANCELED; cancelar de novo dá a mesma Task', async () => {
        const { id } = await enviar(cliente, mensagem('tck-input-required'));
        const cancelada = (await cliente.chamar('CancelTask', { id })) as Task;
        assert.equal(cancelada.status.state, 'TASK_STATE_CANCELED');
        assert.deepEqual(await cliente.chamar('CancelTask', { id, metadata: { por: 'teste' } }), cancelada);
        assert.deepEqual(await ler(cliente, id), cancelada);
      });

      test('em andamento e ainda a tempo: CANCELED, e nada foi feito', async () => {
        const message = mensagem('prova-espera');
        const { id } = await enviar(cliente, message, { returnImmediately: true });
        await agente.portao.chegada(message.messageId);
        const cancelada = (await cliente.chamar('CancelTask', { id })) as Task;
        assert.equal(cancelada.status.state, 'TASK_STATE_CANCELED');
        assert.deepEqual(cancelada.artifacts, []);
        assert.deepEqual(await ler(cliente, id), cancelada);
      });

      test('em andamento e tarde demais: -32002, e GetTask mostra a Task concluída', async () => {
        const message = mensagem('prova-surda');
        const { id } = await enviar(cliente, message, { returnImmediately: true });
        await agente.portao.chegada(message.messageId);
        const cancelamento = cliente.chamar('CancelTask', { id });
        agente.portao.abrir(message.messageId);
        await assert.rejects(cancelamento, Falha);
        assert.equal((await ler(cliente, id)).status.state, 'TASK_STATE_COMPLETED');
      });

      test('em andamento, de uma que ia pausar: CANCELED, sem pausa', async () => {
        const message = mensagem('prova-pausa-surda');
        const { id } = await enviar(cliente, message, { returnImmediately: true });
        await agente.portao.chegada(message.messageId);
        const cancelamento = cliente.chamar('CancelTask', { id });
        agente.portao.abrir(message.messageId);
        assert.equal(((await cancelamento) as Task).status.state, 'TASK_STATE_CANCELED');
      });
    });

    test('§3.4.2 de 10 continuações simultâneas exatamente uma age, e a recusa das outras não deixa rastro', async () => {
      const { id: taskId } = await enviar(cliente, mensagem('tck-input-required'));
      const resultados = await Promise.allSettled(
        Array.from({ length: 10 }, () => enviar(cliente, mensagem('tck-artifact-text', { taskId }))),
      );
      assert.equal(resultados.filter(({ status }) => status === 'fulfilled').length, 1);
      const { history, artifacts } = await ler(cliente, taskId);
      assert.equal(history.length, 3);
      assert.equal(artifacts.length, 1);
    });

    test('§3.3.2 uma continuação que não pôde ser trabalhada devolve a pausa, sem rastro', async () => {
      const pausada = await enviar(cliente, mensagem('tck-input-required'));
      await assert.rejects(
        enviar(cliente, mensagem('prova-indisponivel', { taskId: pausada.id })),
        (erro) => {
          assert.ok(erro instanceof Falha);
          assert.equal(erro.message, 'O serviço de trás está fora do ar');
          assert.equal(erro.detalhes[0]?.reason, 'UNAVAILABLE');
          assert.ok([-32603, 503].includes(erro.codigo));
          return true;
        },
      );
      const { status, history } = await ler(cliente, pausada.id);
      assert.equal(status.state, 'TASK_STATE_INPUT_REQUIRED');
      assert.deepEqual(history, pausada.history);
      const final = await enviar(cliente, mensagem('fim', { taskId: pausada.id }));
      assert.equal(final.status.state, 'TASK_STATE_COMPLETED');
    });

    for (const prefixo of [
      'prova-lanca-antes',
      'prova-lanca',
      'prova-acaba-sem-estado',
      'prova-nada',
      'prova-resposta-vazia',
      'prova-artifact-vazio',
      'prova-resposta-tardia',
    ]) {
      test(`§3.3.2 um executor com defeito (${prefixo}) dá numa Task FAILED, e o motivo só vai para o log`, async () => {
        const task = await enviar(cliente, mensagem(prefixo));
        assert.equal(task.status.state, 'TASK_STATE_FAILED');
        assert.doesNotMatch(JSON.stringify(task), /segredo|servidor\.ts/);
        assert.deepEqual(textos(task), ['oi', 'O agente falhou ao trabalhar este pedido']);
        assert.ok(agente.linhas.some((linha) => linha.includes(task.id)));
      });
    }
  });
}

test('§5.1 uma Task criada num binding é a mesma no outro', async () => {
  const [rpc, rest] = clientes(() => agente.url);
  const { id } = await enviar(rpc, mensagem('tck-input-required'));
  const final = await enviar(rest, mensagem('tck-artifact-data', { taskId: id }));
  assert.deepEqual(await ler(rpc, id), final);
  assert.deepEqual(await ler(rest, id), final);
});

test('§3.1.3 uma Task terminada que já saiu do armazém não existe mais; uma pausada fica', async () => {
  const pequeno = await subirAgenteDeProva({ armazem: new ArmazemEmMemoria(Date.now, { terminadas: 2 }) });
  try {
    for (const cliente of clientes(() => pequeno.url)) {
      const pausada = await enviar(cliente, mensagem('tck-input-required'));
      const primeira = await enviar(cliente, mensagem('tck-complete-task'));
      for (let n = 0; n < 2; n++) await enviar(cliente, mensagem('tck-complete-task'));
      await assert.rejects(ler(cliente, primeira.id), Falha);
      assert.deepEqual(await ler(cliente, pausada.id), pausada);
      assert.equal((await listar(cliente, { status: 'TASK_STATE_COMPLETED' })).totalSize, 2);
    }
  } finally {
    await pequeno.parar();
  }
});
