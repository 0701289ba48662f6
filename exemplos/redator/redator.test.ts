import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Message, TaskState } from '@a2a-js/sdk';
import { ClientFactory, DefaultAgentCardResolver, JsonRpcTransportFactory } from '@a2a-js/sdk/client';
import type { Part, StreamResponse, Task } from '../../agente/a2a/modelo.ts';
import { type ClienteA2A, conectar, ErroDoAgente } from '../cliente/cliente-a2a.ts';
import { criarRedator } from './agente.ts';
import { PEDIDO, TAMANHO } from './artigo.ts';
import { cardAssinado } from './card-assinado.ts';
import { ciclo } from './ciclo.ts';
import { criarPdf, lerPdf } from './pdf.ts';
import { streaming } from './streaming.ts';

const BASE = 'http://localhost';

function montar(): { buscar: (request: Request) => Promise<Response>; corpos: string[] } {
  const redator = criarRedator({ urlPublica: BASE, escrever: () => {} });
  const corpos: string[] = [];
  return {
    corpos,
    async buscar(request) {
      const resposta = await redator.fetch(request);
      corpos.push(await resposta.clone().text());
      return resposta;
    },
  };
}

const conversar = (): Promise<ClienteA2A> => conectar(BASE, montar().buscar);
const estadosDe = (linhas: readonly string[]): readonly string[] =>
  linhas.flatMap((linha) => /^estado +(\S+)$/.exec(linha)?.[1] ?? []);
const textoDe = ({ status }: Task): string => status.message?.parts[0]?.text ?? '';

test('exercício 1: o ciclo inteiro, com a pausa, o artifact e os dois erros', async () => {
  const linhas: string[] = [];
  await ciclo(BASE, montar().buscar, (linha) => linhas.push(linha));
  assert.deepEqual(estadosDe(linhas), [
    'TASK_STATE_SUBMITTED',
    'TASK_STATE_WORKING',
    'TASK_STATE_INPUT_REQUIRED',
    'TASK_STATE_WORKING',
    'TASK_STATE_COMPLETED',
  ]);
  assert.deepEqual(
    linhas.filter((linha) => linha.startsWith('erro')),
    ['erro      -32004 UNSUPPORTED_OPERATION', 'erro      -32001 TASK_NOT_FOUND'],
  );
});

test('exercício 1: o que o redator leu do PDF não aparece em nada do que ele diz enquanto espera', async () => {
  const { buscar, corpos } = montar();
  const redator = await conectar(BASE, buscar);
  const task = await redator.enviar(PEDIDO);
  assert.equal(task.status.state, 'TASK_STATE_INPUT_REQUIRED');
  await redator.lerTask(task.id);
  assert.doesNotMatch(corpos.join(''), /Um agente delega|frases|arquivo/);
});

test('exercício 2: o card assinado é aceito, e nada mais', async () => {
  const linhas: string[] = [];
  await cardAssinado((linha) => linhas.push(linha.trim()));
  const recusas = [
    'card alterado: recusado',
    'outra chave: recusado',
    'alg none: recusado',
    'sem assinatura: recusado',
  ];
  assert.deepEqual(linhas, [
    'HS256     um segredo que os dois lados têm',
    'como foi publicado: aceito (HS256, segredo-1)',
    ...recusas,
    'ES256     a chave pública está em http://localhost/jwks.json',
    'como foi publicado: aceito (ES256, redator-1)',
    ...recusas,
  ]);
});

test('exercício 3: task, três artifactUpdate, statusUpdate; e o acumulado é o que GetTask devolve', async () => {
  const redator = await conversar();
  const { id: taskId } = await redator.enviar(PEDIDO);
  const eventos: StreamResponse[] = [];
  for await (const evento of redator.acompanhar(TAMANHO, { taskId })) eventos.push(evento);
  assert.deepEqual(
    eventos.flatMap((evento) => Object.keys(evento)),
    ['task', 'artifactUpdate', 'artifactUpdate', 'artifactUpdate', 'statusUpdate'],
  );
  const pedacos = eventos.flatMap((evento) => ('artifactUpdate' in evento ? [evento.artifactUpdate] : []));
  assert.deepEqual(
    pedacos.map(({ append = false, lastChunk = false }) => ({ append, lastChunk })),
    [
      { append: false, lastChunk: false },
      { append: true, lastChunk: false },
      { append: true, lastChunk: true },
    ],
  );

  const { acumulado, guardado } = await streaming(BASE, montar().buscar, () => {});
  assert.equal(acumulado?.parts.length, 3);
  assert.deepEqual(acumulado, guardado);
});

test('com o tamanho no primeiro pedido não há pausa, e o resumo tem os parágrafos pedidos', async () => {
  const redator = await conversar();
  for (const [tamanho, paragrafos] of [
    ['1 paragraph', 1],
    ['2 paragraphs', 2],
    ['10 paragraphs', 6],
  ] as const) {
    const task = await redator.enviar([...PEDIDO, { data: { targetLength: tamanho } }]);
    assert.equal(task.status.state, 'TASK_STATE_COMPLETED');
    const [artifact] = task.artifacts;
    assert.ok(artifact);
    assert.ok(artifact.parts.every(({ mediaType }) => mediaType === 'text/markdown'));
    const markdown = artifact.parts.map(({ text }) => text).join('');
    assert.equal(markdown.trim().split('\n\n').length, paragrafos + 2, markdown);
  }
});

for (const mediaType of ['Application/PDF', 'application/pdf; x=1']) {
  test(`um PDF é um PDF como quer que se escreva o tipo dele: ${mediaType}`, async () => {
    const cliente = await conversar();
    const task = await cliente.enviar(PEDIDO.map((part) => (part.raw ? { ...part, mediaType } : part)));
    assert.equal(task.status.state, 'TASK_STATE_INPUT_REQUIRED');
  });
}

test('um tamanho que não dá para entender mantém a pausa', async () => {
  const redator = await conversar();
  const { id: taskId } = await redator.enviar(PEDIDO);
  for (const targetLength of ['0 paragraphs', '11 paragraphs', 'curto', 3, null]) {
    const task = await redator.enviar([{ data: { targetLength } }], { taskId });
    assert.equal(task.status.state, 'TASK_STATE_INPUT_REQUIRED');
    assert.match(textoDe(task), /targetLength/);
  }
  assert.equal((await redator.enviar(TAMANHO, { taskId })).status.state, 'TASK_STATE_COMPLETED');
});

test('sem um PDF com texto, o pedido é recusado', async () => {
  const redator = await conversar();
  for (const parts of [
    TAMANHO,
    [{ text: 'Resuma.' }],
    [{ raw: btoa('não é PDF'), mediaType: 'application/pdf' }],
    [{ raw: criarPdf([]), mediaType: 'application/pdf' }],
  ]) {
    assert.equal((await redator.enviar(parts)).status.state, 'TASK_STATE_REJECTED');
  }
});

test('o que o card não aceita não chega ao redator (-32005)', async () => {
  const redator = await conversar();
  await assert.rejects(redator.enviar([{ raw: 'AAAA', mediaType: 'image/png' }]), (erro) => {
    assert.ok(erro instanceof ErroDoAgente);
    assert.equal(erro.codigo, -32005);
    return true;
  });
});

test('o PDF que se faz é um PDF: cada posição da tabela aponta para o seu objeto, e o texto volta igual', () => {
  const linhas = ['Acentuação (entre parênteses)', 'e uma \\ barra'];
  const base64 = criarPdf(linhas);
  assert.deepEqual(lerPdf(base64), linhas);
  const bytes = atob(base64);
  const posicoes = Array.from(bytes.matchAll(/^(\d{10}) 00000 n $/gm), ([, posicao]) => Number(posicao));
  assert.equal(posicoes.length, 5);
  for (const [i, posicao] of posicoes.entries()) assert.ok(bytes.startsWith(`${i + 1} 0 obj`, posicao));
  assert.ok(bytes.startsWith('xref', Number(/startxref\n(\d+)/.exec(bytes)?.[1])));
});

test('o cliente oficial (@a2a-js/sdk) conversa com o redator do mesmo jeito', async () => {
  const { buscar } = montar();
  const fetchImpl: typeof fetch = (alvo, init) => buscar(new Request(alvo, init));
  const cliente = await new ClientFactory({
    transports: [new JsonRpcTransportFactory({ fetchImpl })],
    cardResolver: new DefaultAgentCardResolver({ fetchImpl }),
  }).createFromUrl(BASE);
  const pedir = (parts: readonly Part[], taskId = '') => ({
    tenant: '',
    message: Message.fromJSON({ messageId: crypto.randomUUID(), role: 'ROLE_USER', parts, taskId }),
    configuration: undefined,
    metadata: undefined,
  });

  const pausada = await cliente.sendMessage(pedir(PEDIDO));
  assert.ok('status' in pausada);
  assert.equal(pausada.status?.state, TaskState.TASK_STATE_INPUT_REQUIRED);
  const tipos: string[] = [];
  for await (const { payload } of cliente.sendMessageStream(pedir(TAMANHO, pausada.id)))
    tipos.push(payload?.$case ?? '');
  assert.deepEqual(tipos, ['task', 'artifactUpdate', 'artifactUpdate', 'artifactUpdate', 'statusUpdate']);
  const { status, artifacts } = await cliente.getTask({ tenant: '', id: pausada.id });
  assert.equal(status?.state, TaskState.TASK_STATE_COMPLETED);
  assert.equal(artifacts[0]?.parts.length, 3);
});
