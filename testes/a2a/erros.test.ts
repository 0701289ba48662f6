/** A tabela de erros da A2A 1.0 (spec §3.3.2, §5.4, §9.5, §11.6) por HTTP, nos dois bindings, um teste por linha. */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { ArmazemEmMemoria } from '../../agente/a2a/armazem-em-memoria.ts';
import type { NomeDeOperacao } from '../../agente/a2a/operacoes.ts';
import { criarServidorA2A } from '../../agente/a2a/servidor.ts';
import { type AgenteDeProva, cardDeProva, subirAgenteDeProva } from '../agente-de-prova.ts';
import { type Cliente, clientes, enviar, Falha, ler, mensagem, type Params } from './clientes.ts';

/** Tudo o que o card pode declarar está declarado, menos o que o núcleo não faz. */
let agente: AgenteDeProva;
/** Nada é declarado, e uma extensão é exigida. */
let modesto: AgenteDeProva;
const EXTENSAO = 'https://example.com/extensao/v1';
before(async () => {
  agente = await subirAgenteDeProva({ card: { capabilities: { streaming: true, extendedAgentCard: true } } });
  modesto = await subirAgenteDeProva({
    card: {
      capabilities: {
        extensions: [
          { uri: EXTENSAO, required: true },
          { uri: 'https://example.com/opcional', required: false },
        ],
      },
    },
  });
});
after(() => Promise.all([agente.parar(), modesto.parar()]));

interface Linha {
  readonly codigo: number;
  readonly http: number;
  readonly status: string;
  readonly reason: string;
}
const TABELA = {
  TASK_NOT_FOUND: { codigo: -32001, http: 404, status: 'NOT_FOUND' },
  TASK_NOT_CANCELABLE: { codigo: -32002, http: 400, status: 'FAILED_PRECONDITION' },
  PUSH_NOTIFICATION_NOT_SUPPORTED: { codigo: -32003, http: 400, status: 'FAILED_PRECONDITION' },
  UNSUPPORTED_OPERATION: { codigo: -32004, http: 400, status: 'FAILED_PRECONDITION' },
  CONTENT_TYPE_NOT_SUPPORTED: { codigo: -32005, http: 400, status: 'INVALID_ARGUMENT' },
  EXTENDED_AGENT_CARD_NOT_CONFIGURED: { codigo: -32007, http: 400, status: 'FAILED_PRECONDITION' },
  EXTENSION_SUPPORT_REQUIRED: { codigo: -32008, http: 400, status: 'FAILED_PRECONDITION' },
  VERSION_NOT_SUPPORTED: { codigo: -32009, http: 400, status: 'FAILED_PRECONDITION' },
  UNAVAILABLE: { codigo: -32603, http: 503, status: 'UNAVAILABLE' },
} as const;

/** A promessa falha com este erro, na forma que o binding lhe dá. */
async function exigir(
  cliente: Cliente,
  reason: keyof typeof TABELA,
  promessa: Promise<unknown>,
): Promise<Params> {
  let metadata: Params = {};
  await assert.rejects(promessa, (erro) => {
    assert.ok(erro instanceof Falha, String(erro));
    const [detalhe, ...outros] = erro.detalhes;
    assert.deepEqual(outros, []);
    assert.equal(detalhe?.['@type'], 'type.googleapis.com/google.rpc.ErrorInfo');
    assert.equal(detalhe?.domain, 'a2a-protocol.org');
    conferirForma(cliente, erro, { ...TABELA[reason], reason: detalhe?.reason as string });
    assert.equal(detalhe?.reason, reason);
    metadata = (detalhe?.metadata ?? {}) as Params;
    for (const valor of Object.values(metadata)) assert.equal(typeof valor, 'string');
    return true;
  });
  return metadata;
}

/** -32602 com uma violação para cada um destes campos. */
async function exigirViolacoes(
  cliente: Cliente,
  campos: readonly string[],
  promessa: Promise<unknown>,
): Promise<void> {
  await assert.rejects(promessa, (erro) => {
    assert.ok(erro instanceof Falha, String(erro));
    const [detalhe, ...outros] = erro.detalhes;
    assert.deepEqual(outros, []);
    assert.equal(detalhe?.['@type'], 'type.googleapis.com/google.rpc.BadRequest');
    const violacoes = detalhe?.fieldViolations as { field: string; description: string }[];
    assert.deepEqual(violacoes.map(({ field }) => field).sort(), [...campos].sort());
    assert.ok(violacoes.every(({ description }) => description.length > 0));
    conferirForma(cliente, erro, { codigo: -32602, http: 400, status: 'INVALID_ARGUMENT', reason: '' });
    return true;
  });
}

function conferirForma({ nome }: Cliente, erro: Falha, { codigo, http, status }: Linha): void {
  const esperada = nome === 'JSON-RPC' ? [200, codigo, undefined] : [http, http, status];
  assert.deepEqual([erro.http, erro.codigo, erro.status], esperada);
  assert.ok(erro.message.length > 0);
}

for (const cliente of clientes(() => agente.url)) {
  describe(cliente.nome, () => {
    const terminadas = ['tck-complete-task', 'prova-falha', 'tck-reject-task', 'cancelada'] as const;
    const terminar = async (prefixo: (typeof terminadas)[number]): Promise<string> => {
      const cancelar = prefixo === 'cancelada';
      const { id } = await enviar(cliente, mensagem(cancelar ? 'tck-input-required' : prefixo));
      if (cancelar) await cliente.chamar('CancelTask', { id });
      return id;
    };

    describe('§5.4 -32001 TaskNotFoundError', () => {
      for (const operacao of ['GetTask', 'CancelTask', 'SubscribeToTask'] as const) {
        for (const id of [
          crypto.randomUUID(),
          'não é um id',
          '..%2f..',
          '__proto__',
          'a'.repeat(500),
          "'; --",
        ]) {
          test(`${operacao} de ${id.slice(0, 40)}`, async () => {
            const metadata = await exigir(cliente, 'TASK_NOT_FOUND', cliente.chamar(operacao, { id }));
            assert.equal(metadata.taskId, id);
          });
        }
      }

      test('§3.4.2 SendMessage com um taskId que não existe não cria a Task', async () => {
        const taskId = crypto.randomUUID();
        await exigir(cliente, 'TASK_NOT_FOUND', enviar(cliente, mensagem('x', { taskId })));
        await exigir(cliente, 'TASK_NOT_FOUND', ler(cliente, taskId));
      });

      test('SendStreamingMessage com um taskId que não existe', async () => {
        const message = mensagem('x', { taskId: 'nenhuma' });
        await exigir(cliente, 'TASK_NOT_FOUND', cliente.acompanhar('SendStreamingMessage', { message }));
      });
    });

    describe('§5.4 -32002 TaskNotCancelableError', () => {
      for (const prefixo of terminadas.filter((cada) => cada !== 'cancelada')) {
        test(`CancelTask depois de ${prefixo}`, async () => {
          const id = await terminar(prefixo);
          const antes = await ler(cliente, id);
          const metadata = await exigir(cliente, 'TASK_NOT_CANCELABLE', cliente.chamar('CancelTask', { id }));
          assert.deepEqual(metadata, { taskId: id, state: antes.status.state });
          assert.deepEqual(await ler(cliente, id), antes);
        });
      }
    });

    describe('§5.4 -32003 PushNotificationNotSupportedError (§3.1.7 a §3.1.10)', () => {
      for (const [operacao, params] of [
        ['CreateTaskPushNotificationConfig', { taskId: 't', url: 'https://example.com/hook' }],
        ['GetTaskPushNotificationConfig', { taskId: 't', id: 'c' }],
        ['ListTaskPushNotificationConfigs', { taskId: 't' }],
        ['DeleteTaskPushNotificationConfig', { taskId: 't', id: 'c' }],
      ] as readonly (readonly [NomeDeOperacao, Params])[]) {
        test(operacao, async () => {
          await exigir(cliente, 'PUSH_NOTIFICATION_NOT_SUPPORTED', cliente.chamar(operacao, params));
        });
      }

      test('§3.2.2 SendMessage com taskPushNotificationConfig não abre Task nenhuma', async () => {
        const contextId = crypto.randomUUID();
        const configuration = { taskPushNotificationConfig: { url: 'https://example.com/hook' } };
        const envio = enviar(cliente, mensagem('tck-complete-task', { contextId }), configuration);
        await exigir(cliente, 'PUSH_NOTIFICATION_NOT_SUPPORTED', envio);
        const { totalSize } = (await cliente.chamar('ListTasks', { contextId })) as { totalSize: number };
        assert.equal(totalSize, 0);
      });
    });

    describe('§5.4 -32004 UnsupportedOperationError', () => {
      for (const prefixo of terminadas) {
        test(`§3.1.1 SendMessage a uma Task terminada (${prefixo}) não a muda`, async () => {
          const id = await terminar(prefixo);
          const antes = await ler(cliente, id);
          const envio = enviar(cliente, mensagem('tck-complete-task', { taskId: id }));
          const metadata = await exigir(cliente, 'UNSUPPORTED_OPERATION', envio);
          assert.deepEqual(metadata, { taskId: id, state: antes.status.state });
          assert.deepEqual(await ler(cliente, id), antes);
        });

        test(`§3.1.2, §3.1.6 stream de uma Task terminada (${prefixo})`, async () => {
          const id = await terminar(prefixo);
          const message = mensagem('x', { taskId: id });
          const envio = cliente.acompanhar('SendStreamingMessage', { message });
          await exigir(cliente, 'UNSUPPORTED_OPERATION', envio);
          await exigir(cliente, 'UNSUPPORTED_OPERATION', cliente.acompanhar('SubscribeToTask', { id }));
        });
      }

      test('§3.4.3 SendMessage a uma Task que está sendo trabalhada', async () => {
        const message = mensagem('prova-espera');
        const { id } = await enviar(cliente, message, { returnImmediately: true });
        await agente.portao.chegada(message.messageId);
        const antes = await ler(cliente, id);
        await exigir(cliente, 'UNSUPPORTED_OPERATION', enviar(cliente, mensagem('x', { taskId: id })));
        assert.deepEqual(await ler(cliente, id), antes);
        agente.portao.abrir(message.messageId);
      });
    });

    describe('§5.4 -32005 ContentTypeNotSupportedError', () => {
      for (const part of [
        { raw: 'AA==', mediaType: 'application/pdf' },
        { url: 'https://example.com/a', mediaType: 'video/mp4' },
        { text: 'a,b', mediaType: 'text/csv' },
        { data: {}, mediaType: 'application/xml' },
        { text: 'oi', mediaType: 'isto não é um tipo' },
      ]) {
        test(`Part com mediaType ${part.mediaType}`, async () => {
          const contextId = crypto.randomUUID();
          const message = mensagem('tck-complete-task', { contextId, parts: [{ text: 'boa' }, part] });
          const metadata = await exigir(cliente, 'CONTENT_TYPE_NOT_SUPPORTED', enviar(cliente, message));
          assert.equal(metadata.mediaType, part.mediaType.toLowerCase());
          assert.match(String(metadata.supported), /text\/plain.*image\/png/);
          const { totalSize } = (await cliente.chamar('ListTasks', { contextId })) as { totalSize: number };
          assert.equal(totalSize, 0);
        });
      }

      test('numa continuação, a pausa continua como estava', async () => {
        const pausada = await enviar(cliente, mensagem('tck-input-required'));
        const parts = [{ raw: 'AA==', mediaType: 'application/pdf' }];
        const envio = enviar(cliente, mensagem('x', { taskId: pausada.id, parts }));
        await exigir(cliente, 'CONTENT_TYPE_NOT_SUPPORTED', envio);
        assert.deepEqual(await ler(cliente, pausada.id), pausada);
      });

      test('§4.4.5 os modos do agente e os de cada skill valem, com parâmetros e em maiúsculas', async () => {
        const parts = [
          { text: 'a', mediaType: 'text/plain; charset=utf-8' },
          { text: 'a', mediaType: 'TEXT/Plain' },
          { raw: 'AA==', mediaType: 'image/png' },
          { raw: 'AA==' },
          { data: null },
        ];
        const { status } = await enviar(cliente, mensagem('tck-complete-task', { parts }));
        assert.equal(status.state, 'TASK_STATE_COMPLETED');
      });
    });

    test('§5.4 -32007 ExtendedAgentCardNotConfiguredError: declarado no card, mas não há um', async () => {
      await exigir(cliente, 'EXTENDED_AGENT_CARD_NOT_CONFIGURED', cliente.chamar('GetExtendedAgentCard', {}));
    });

    describe('§5.4 -32009 VersionNotSupportedError (§3.6.2)', () => {
      for (const versao of ['0.3', '1.7', '2.0', '99.0', 'abc']) {
        for (const [operacao, params] of [
          ['SendMessage', { message: mensagem('tck-complete-task') }],
          ['GetTask', { id: 'x' }],
          ['ListTasks', {}],
          ['CancelTask', { id: 'x' }],
        ] as readonly (readonly [NomeDeOperacao, Params])[]) {
          test(`${operacao} com A2A-Version ${versao}`, async () => {
            const chamada = cliente.chamar(operacao, params, { 'a2a-version': versao });
            const metadata = await exigir(cliente, 'VERSION_NOT_SUPPORTED', chamada);
            assert.deepEqual(metadata, { requested: versao, supported: '1.0' });
          });
        }
      }

      for (const versao of ['1.0', '1.0.1', '']) {
        test(`A2A-Version "${versao}" é aceita`, async () => {
          const task = await enviar(cliente, mensagem('tck-complete-task'), {}, { 'a2a-version': versao });
          assert.equal(task.status.state, 'TASK_STATE_COMPLETED');
        });
      }
    });

    test('§9.5 -32603 com UNAVAILABLE: o agente não pôde trabalhar agora uma continuação', async () => {
      const { id: taskId } = await enviar(cliente, mensagem('tck-input-required'));
      await exigir(cliente, 'UNAVAILABLE', enviar(cliente, mensagem('prova-indisponivel', { taskId })));
    });

    describe('§9.5 -32602 InvalidParamsError', () => {
      const comParte = (...parts: unknown[]): Params => ({ message: mensagem('x', { parts }) });
      for (const [caso, operacao, params, campos] of [
        ['sem message', 'SendMessage', { metadata: {} }, ['message']],
        ['message que é texto', 'SendMessage', { message: 'oi' }, ['message']],
        ['message que é lista', 'SendMessage', { message: [] }, ['message']],
        ['message null', 'SendMessage', { message: null }, ['message']],
        [
          'message vazia: cada campo que falta',
          'SendMessage',
          { message: {} },
          ['message.messageId', 'message.role', 'message.parts'],
        ],
        [
          'messageId vazio',
          'SendMessage',
          { message: mensagem('x', { messageId: '' }) },
          ['message.messageId'],
        ],
        [
          'messageId numérico',
          'SendMessage',
          { message: mensagem('x', { messageId: 1 }) },
          ['message.messageId'],
        ],
        ['role ausente', 'SendMessage', { message: mensagem('x', { role: null }) }, ['message.role']],
        ['role desconhecido', 'SendMessage', { message: mensagem('x', { role: 'user' }) }, ['message.role']],
        [
          'role do agente',
          'SendMessage',
          { message: mensagem('x', { role: 'ROLE_AGENT' }) },
          ['message.role'],
        ],
        ['parts ausente', 'SendMessage', { message: mensagem('x', { parts: null }) }, ['message.parts']],
        ['parts vazio', 'SendMessage', { message: mensagem('x', { parts: [] }) }, ['message.parts']],
        ['parts que é texto', 'SendMessage', { message: mensagem('x', { parts: 'oi' }) }, ['message.parts']],
        ['§4.1.6 Part sem conteúdo', 'SendMessage', comParte({ text: 'boa' }, {}), ['message.parts[1]']],
        [
          '§4.1.6 Part só com mediaType',
          'SendMessage',
          comParte({ mediaType: 'text/plain' }),
          ['message.parts[0]'],
        ],
        [
          '§4.1.6 Part com dois conteúdos',
          'SendMessage',
          comParte({ text: 'a', url: 'b' }),
          ['message.parts[0]'],
        ],
        [
          '§4.1.6 Part com text e data null',
          'SendMessage',
          comParte({ text: 'a', data: null }),
          ['message.parts[0]'],
        ],
        ['Part null', 'SendMessage', comParte(null), ['message.parts[0]']],
        ['text numérico', 'SendMessage', comParte({ text: 1 }), ['message.parts[0].text']],
        ['raw que não é base64', 'SendMessage', comParte({ raw: 'não' }), ['message.parts[0].raw']],
        [
          'metadata que é lista',
          'SendMessage',
          { message: mensagem('x', { metadata: [] }) },
          ['message.metadata'],
        ],
        [
          'extensions que é texto',
          'SendMessage',
          { message: mensagem('x', { extensions: 'a' }) },
          ['message.extensions'],
        ],
        [
          'historyLength negativo',
          'SendMessage',
          { message: mensagem('x'), configuration: { historyLength: -1 } },
          ['configuration.historyLength'],
        ],
        [
          'returnImmediately que é texto',
          'SendMessage',
          { message: mensagem('x'), configuration: { returnImmediately: 'sim' } },
          ['configuration.returnImmediately'],
        ],
        [
          'acceptedOutputModes que é texto',
          'SendMessage',
          { message: mensagem('x'), configuration: { acceptedOutputModes: 'text/plain' } },
          ['configuration.acceptedOutputModes'],
        ],
        [
          '§3.1.2 sem parts',
          'SendStreamingMessage',
          { message: mensagem('x', { parts: [] }) },
          ['message.parts'],
        ],
        ['historyLength negativo', 'GetTask', { id: 'x', historyLength: -1 }, ['historyLength']],
        ['historyLength fracionário', 'GetTask', { id: 'x', historyLength: 1.5 }, ['historyLength']],
        ['historyLength que não é número', 'GetTask', { id: 'x', historyLength: 'dez' }, ['historyLength']],
        ['§3.1.4 pageSize 0', 'ListTasks', { pageSize: 0 }, ['pageSize']],
        ['§3.1.4 pageSize 101', 'ListTasks', { pageSize: 101 }, ['pageSize']],
        ['§3.1.4 pageSize negativo', 'ListTasks', { pageSize: -1 }, ['pageSize']],
        ['§3.1.4 status desconhecido', 'ListTasks', { status: 'PRONTA' }, ['status']],
        ['§3.1.4 historyLength negativo', 'ListTasks', { historyLength: -1 }, ['historyLength']],
        ['§3.1.4 pageToken inventado', 'ListTasks', { pageToken: 'inventado' }, ['pageToken']],
        [
          '§3.1.4 includeArtifacts que é texto',
          'ListTasks',
          { includeArtifacts: 'sim' },
          ['includeArtifacts'],
        ],
        [
          '§3.1.4 instante sem fuso',
          'ListTasks',
          { statusTimestampAfter: '2026-11-03T14:00:00' },
          ['statusTimestampAfter'],
        ],
        [
          '§3.1.4 instante que não existe',
          'ListTasks',
          { statusTimestampAfter: '2026-02-30T14:00:00Z' },
          ['statusTimestampAfter'],
        ],
        ['§3.1.4 dois de uma vez', 'ListTasks', { pageSize: 0, status: 'X' }, ['pageSize', 'status']],
      ] as readonly (readonly [string, NomeDeOperacao, Params, readonly string[]])[]) {
        test(`${operacao}: ${caso}`, () =>
          exigirViolacoes(cliente, campos, cliente.chamar(operacao, params)));
      }

      test('o erro não lista campos sem fim', async () => {
        const parts = Array.from({ length: 5_000 }, () => ({}));
        const erro = await enviar(cliente, mensagem('x', { parts })).catch((motivo: Falha) => motivo);
        assert.ok(erro instanceof Falha);
        const tamanho = JSON.stringify(erro.detalhes).length + erro.message.length;
        assert.ok(tamanho < 10_000, `${tamanho} caracteres`);
      });
    });
  });
}

for (const cliente of clientes(() => modesto.url)) {
  describe(`${cliente.nome}, com um card que não declara nada`, () => {
    test('§3.3.4 -32004 SendStreamingMessage sem capabilities.streaming', async () => {
      const contextId = crypto.randomUUID();
      const params = { message: mensagem('tck-complete-task', { contextId }) };
      await exigir(cliente, 'UNSUPPORTED_OPERATION', cliente.acompanhar('SendStreamingMessage', params));
      const { totalSize } = (await cliente.chamar('ListTasks', { contextId })) as { totalSize: number };
      assert.equal(totalSize, 0);
    });
    test('§3.3.4 -32004 SubscribeToTask sem capabilities.streaming', async () => {
      await exigir(cliente, 'UNSUPPORTED_OPERATION', cliente.acompanhar('SubscribeToTask', { id: 'x' }));
    });
    test('§3.3.4 -32004 GetExtendedAgentCard sem capabilities.extendedAgentCard', async () => {
      await exigir(cliente, 'UNSUPPORTED_OPERATION', cliente.chamar('GetExtendedAgentCard', {}));
    });

    test('§5.4 -32008 ExtensionSupportRequiredError: o card exige uma extensão que o cliente não declara', async () => {
      for (const declaradas of [undefined, '', 'https://example.com/outra', `${EXTENSAO}/nao`]) {
        const headers: Record<string, string> =
          declaradas === undefined ? {} : { 'a2a-extensions': declaradas };
        const envio = enviar(cliente, mensagem('tck-complete-task'), {}, headers);
        assert.deepEqual(await exigir(cliente, 'EXTENSION_SUPPORT_REQUIRED', envio), { required: EXTENSAO });
      }
    });

    test('§3.2.6 a extensão exigida, no meio de outras desconhecidas, abre a porta', async () => {
      const headers = { 'a2a-extensions': `urn:outra, ${EXTENSAO} ,urn:mais` };
      const { status } = await enviar(cliente, mensagem('tck-complete-task'), {}, headers);
      assert.equal(status.state, 'TASK_STATE_COMPLETED');
    });
  });
}

test('§3.3.4 um card que promete push notifications não sobe: o núcleo não as manda', () => {
  const card = cardDeProva('http://localhost', { capabilities: { pushNotifications: true } });
  assert.throws(
    () => criarServidorA2A({ card, executor: async function* () {}, log: () => undefined }),
    TypeError,
  );
});

test('§9.5 -32603 com UNAVAILABLE: não cabe mais nada aberto, e cancelar uma Task abre espaço', async () => {
  const cheio = await subirAgenteDeProva({ armazem: new ArmazemEmMemoria(Date.now, { caracteres: 10_000 }) });
  try {
    for (const cliente of clientes(() => cheio.url)) {
      const grande = () => mensagem('tck-input-required', { parts: [{ text: 'x'.repeat(6_000) }] });
      const { id } = await enviar(cliente, grande());
      await exigir(cliente, 'UNAVAILABLE', enviar(cliente, grande()));
      await cliente.chamar('CancelTask', { id });
      await cliente.chamar('CancelTask', { id: (await enviar(cliente, grande())).id });
    }
  } finally {
    await cheio.parar();
  }
});
