import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { AgentCard } from '../../agente/a2a/card.ts';
import { CAMINHO_DO_CARD } from '../../agente/a2a/card.ts';
import type { Part, Task } from '../../agente/a2a/modelo.ts';
import type { ClienteA2A } from '../cliente/cliente-a2a.ts';
import { EXTENSAO_DE_FERRAMENTAS } from './card.ts';
import { type Bancada, montar } from './testes/bancada.ts';
import { ESTADO, servidorDePerguntas } from './testes/servidor-de-perguntas.ts';

const dados = (data: unknown): readonly Part[] => [{ data, mediaType: 'application/json' }];
const chamar = (cliente: ClienteA2A, ferramenta: string, argumentos = {}): Promise<Task> =>
  cliente.enviar(dados({ ferramenta, argumentos }));
const responder = (cliente: ClienteA2A, { id }: Task, respostas: unknown): Promise<Task> =>
  cliente.enviar(dados({ respostas }), { taskId: id });
const textoDe = ({ status }: Task): string =>
  (status.message?.parts ?? []).map(({ text }) => text ?? '').join('\n');
const pedidosDe = ({ status }: Task): Record<string, unknown> => {
  const data = status.message?.parts.find((part) => part.data !== undefined)?.data;
  return (data as { pedidos: Record<string, unknown> }).pedidos;
};

async function preparar(): Promise<{ bancada: Bancada; cliente: ClienteA2A }> {
  const bancada = montar(servidorDePerguntas());
  return { bancada, cliente: await bancada.conectar() };
}

test('cada ferramenta vira uma skill, e os esquemas vão na extensão do card', async () => {
  const { card } = (await preparar()).cliente;
  assert.equal(card.name, 'Perguntas');
  assert.equal(card.version, '9.9.9');
  assert.deepEqual(card.skills[0], {
    id: 'formulario',
    name: 'Formulário',
    description: 'Pergunta tudo',
    tags: ['mcp'],
  });
  assert.ok(
    card.skills.every(({ id, name, description, tags }) => id && name && description && tags.length > 0),
  );
  const [extensao] = (card.capabilities.extensions ?? []) as readonly {
    uri: string;
    params: { ferramentas: Record<string, { inputSchema: { properties: object } }> };
  }[];
  assert.equal(extensao?.uri, EXTENSAO_DE_FERRAMENTAS);
  const { ferramentas = {} } = extensao?.params ?? {};
  assert.deepEqual(
    Object.keys(ferramentas),
    card.skills.map(({ id }) => id),
  );
  assert.deepEqual(ferramentas.formulario?.inputSchema.properties, { assunto: { type: 'string' } });
});

test('o card acompanha a lista de ferramentas: mudou a lista, mudou o ETag', async () => {
  const extras = new Set<string>();
  const bancada = montar(servidorDePerguntas(extras));
  const ler = (etag = ''): Promise<Response> =>
    bancada.buscar(CAMINHO_DO_CARD, { headers: { 'if-none-match': etag } });
  const antes = await ler();
  const etag = antes.headers.get('etag') ?? '';
  assert.equal((await ler(etag)).status, 304);
  extras.add('recem-chegada');
  const depois = await ler(etag);
  assert.equal(depois.status, 200);
  assert.notEqual(depois.headers.get('etag'), etag);
  const { skills } = (await depois.json()) as AgentCard;
  assert.deepEqual(skills.at(-1), {
    id: 'recem-chegada',
    name: 'recem-chegada',
    description: 'recem-chegada',
    tags: ['mcp'],
  });
  extras.delete('recem-chegada');
  assert.equal((await ler(etag)).status, 304);
});

test('a pausa pergunta a uma pessoa (texto) e a um programa (data), sem mostrar o requestState', async () => {
  const { bancada, cliente } = await preparar();
  const task = await chamar(cliente, 'formulario', { assunto: 'reunião' });
  assert.equal(task.status.state, 'TASK_STATE_INPUT_REQUIRED');
  assert.deepEqual(textoDe(task).split('\n'), [
    'dados: Dados de reunião',
    '  nome (obrigatório; texto no mínimo 2 caracteres): Nome, como no crachá',
    '  email (opcional; texto email)',
    '  sala (obrigatório; uma de: a, b)',
    '  cor (opcional; uma de: #f00 (Vermelho), #00f (Azul))',
    '  pessoas (obrigatório; número inteiro de 1 a 20; se faltar: 4)',
    '  peso (opcional; número no máximo 99.5)',
    '  projetor (opcional; true ou false)',
    '  mesa (opcional; lista (no máximo 1) de: p, g)',
    '  lanches (opcional; lista de: cafe, bolo)',
    '  cafes (opcional; lista (no mínimo 1) de: curto (Curto), longo (Longo))',
    'Responda nesta Task com uma Part data: {"respostas": {"<chave>": {"action": "accept", "content": {...}}}}; action também pode ser decline ou cancel',
    '',
  ]);
  const { mensagem, esquema } = pedidosDe(task).dados as {
    mensagem: string;
    esquema: { required: string[]; properties: object };
  };
  assert.equal(mensagem, 'Dados de reunião');
  assert.deepEqual(esquema.required, ['nome', 'sala', 'pessoas']);
  assert.deepEqual((esquema.properties as Record<string, unknown>).cor, {
    type: 'string',
    oneOf: [
      { const: '#f00', title: 'Vermelho' },
      { const: '#00f', title: 'Azul' },
    ],
  });
  assert.ok(!bancada.saidas().includes(ESTADO));
});

const VALIDA = { nome: 'Marty', sala: 'a' };
const ERRADAS: readonly (readonly [string, unknown, RegExp])[] = [
  ['obrigatório que falta', { sala: 'a' }, /^Não serve: dados\.nome: falta$/m],
  ['texto curto', { ...VALIDA, nome: 'M' }, /^Não serve: dados\.nome: não cabe/m],
  ['formato', { ...VALIDA, email: 'marty' }, /^Não serve: dados\.email: não cabe/m],
  ['fora do enum', { ...VALIDA, sala: 'c' }, /^Não serve: dados\.sala: não cabe/m],
  ['fora do enum com títulos', { ...VALIDA, cor: 'Vermelho' }, /^Não serve: dados\.cor: não cabe/m],
  ['inteiro quebrado', { ...VALIDA, pessoas: 1.5 }, /^Não serve: dados\.pessoas: não cabe/m],
  ['número acima', { ...VALIDA, peso: 100 }, /^Não serve: dados\.peso: não cabe/m],
  ['booleano em texto', { ...VALIDA, projetor: 'true' }, /^Não serve: dados\.projetor: não cabe/m],
  ['lista com estranho', { ...VALIDA, lanches: ['cafe', 'suco'] }, /^Não serve: dados\.lanches: não cabe/m],
  ['lista curta', { ...VALIDA, cafes: [] }, /^Não serve: dados\.cafes: não cabe/m],
  ['campo que não existe', { ...VALIDA, projetr: true }, /^Não serve: dados\.projetr: não foi pedido$/m],
  [
    'nome herdado de objeto',
    { ...VALIDA, constructor: 'x' },
    /^Não serve: dados\.constructor: não foi pedido$/m,
  ],
];
for (const [caso, content, esperado] of ERRADAS) {
  test(`uma resposta que não cabe no esquema mantém a pausa e diz o campo: ${caso}`, async () => {
    const { cliente } = await preparar();
    const task = await chamar(cliente, 'formulario', { assunto: 'x' });
    const outra = await responder(cliente, task, { dados: { action: 'accept', content } });
    assert.equal(outra.status.state, 'TASK_STATE_INPUT_REQUIRED');
    assert.match(textoDe(outra), esperado);
    assert.deepEqual(pedidosDe(outra), pedidosDe(task));
    const fim = await responder(cliente, task, { dados: { action: 'accept', content: VALIDA } });
    assert.equal(fim.status.state, 'TASK_STATE_COMPLETED');
  });
}

for (const [caso, data] of [
  ['sem respostas', { escolha: 'a' }],
  ['action desconhecida', { respostas: { dados: { action: 'aceitar' } } }],
  ['content que não é objeto', { respostas: { dados: { action: 'accept', content: 'a' } } }],
  ['campo a mais', { respostas: { dados: { action: 'accept', content: VALIDA, motivo: 'x' } } }],
  [
    'chave que não foi perguntada',
    { respostas: { dados: { action: 'accept', content: VALIDA }, outra: { action: 'decline' } } },
  ],
  ['nada', {}],
] as const) {
  test(`uma resposta fora do formato mantém a pausa: ${caso}`, async () => {
    const { cliente } = await preparar();
    const task = await chamar(cliente, 'formulario', { assunto: 'x' });
    const outra = await cliente.enviar(dados(data), { taskId: task.id });
    assert.equal(outra.status.state, 'TASK_STATE_INPUT_REQUIRED');
    assert.match(textoDe(outra), /^Não serve: /);
  });
}

test('a resposta que serve chega inteira ao servidor, com os padrões preenchidos', async () => {
  const { cliente } = await preparar();
  const task = await chamar(cliente, 'formulario', { assunto: 'x' });
  const content = {
    ...VALIDA,
    cor: '#00f',
    peso: 1.5,
    projetor: false,
    lanches: ['bolo'],
    cafes: ['curto', 'longo'],
  };
  const fim = await responder(cliente, task, { dados: { action: 'accept', content } });
  assert.equal(fim.status.state, 'TASK_STATE_COMPLETED');
  assert.deepEqual(fim.artifacts[0]?.parts.at(-1)?.data, { recebido: { ...content, pessoas: 4 } });
});

test('várias perguntas de uma vez: todas têm de ser respondidas, e cada uma pode ser recusada', async () => {
  const { cliente } = await preparar();
  const aceitar = (campo: string) => ({ action: 'accept', content: { [campo]: 'x' } });
  const task = await chamar(cliente, 'duas-perguntas');
  assert.deepEqual(Object.keys(pedidosDe(task)), ['nome', 'apelido']);
  const metade = await responder(cliente, task, { nome: aceitar('nome') });
  assert.equal(metade.status.state, 'TASK_STATE_INPUT_REQUIRED');
  assert.match(textoDe(metade), /^Não serve: apelido: falta responder$/m);
  const fim = await responder(cliente, task, { nome: aceitar('nome'), apelido: { action: 'decline' } });
  // O servidor concluiu com o que teve: quem decide se uma recusa impede o resto é ele.
  assert.equal(fim.status.state, 'TASK_STATE_COMPLETED');
  assert.equal(fim.artifacts[0]?.parts[0]?.text, 'nome=x apelido=-');
});

test('várias rodadas: cada resposta pode trazer outra pergunta', async () => {
  const { bancada, cliente } = await preparar();
  const task = await chamar(cliente, 'rodadas');
  const segunda = await responder(cliente, task, { um: { action: 'accept', content: { um: 'A' } } });
  assert.equal(segunda.status.state, 'TASK_STATE_INPUT_REQUIRED');
  assert.deepEqual(Object.keys(pedidosDe(segunda)), ['dois']);
  const fim = await responder(cliente, task, { dois: { action: 'accept', content: { dois: 'B' } } });
  assert.equal(fim.status.state, 'TASK_STATE_COMPLETED');
  assert.equal(fim.artifacts[0]?.parts[0]?.text, 'A e B');
  assert.ok(!bancada.saidas().includes(ESTADO));
});

for (const action of ['decline', 'cancel'] as const) {
  test(`${action} em tudo termina a Task em CANCELED, com o que o servidor disse`, async () => {
    const { cliente } = await preparar();
    const task = await chamar(cliente, 'duas-perguntas');
    const fim = await responder(cliente, task, { nome: { action }, apelido: { action } });
    assert.equal(fim.status.state, 'TASK_STATE_CANCELED');
    assert.match(textoDe(fim), /nome=- apelido=-/);
    assert.deepEqual(fim.artifacts, []);
  });

  test(`${action} em tudo não perde o que o servidor concluiu e não é só texto: vem no artifact`, async () => {
    const { cliente } = await preparar();
    const task = await chamar(cliente, 'formulario', { assunto: 'x' });
    const fim = await responder(cliente, task, { dados: { action } });
    assert.equal(fim.status.state, 'TASK_STATE_CANCELED');
    assert.deepEqual(fim.artifacts[0]?.parts, [
      { text: action, mediaType: 'text/plain' },
      { data: { recebido: {} }, mediaType: 'application/json' },
    ]);
  });

  test(`${action} a que o servidor responde com isError termina em FAILED, com o texto`, async () => {
    const { cliente } = await preparar();
    const task = await chamar(cliente, 'confirmar');
    const fim = await responder(cliente, task, { certeza: { action } });
    assert.equal(fim.status.state, 'TASK_STATE_FAILED');
    assert.equal(textoDe(fim), 'Não confirmado');
    assert.deepEqual(fim.artifacts, []);
  });
}

test('cada tipo de bloco vira a Part do seu tipo, e o structuredContent uma Part data', async () => {
  const { cliente } = await preparar();
  const { artifacts } = await chamar(cliente, 'de-tudo');
  assert.deepEqual(artifacts[0]?.parts, [
    { text: 'olá', mediaType: 'text/plain' },
    { raw: 'AAEC', mediaType: 'image/png' },
    { raw: 'AwQF', mediaType: 'audio/wav' },
    { url: 'https://exemplo.example/a.pdf', filename: 'a.pdf', mediaType: 'application/pdf' },
    { text: '# nota', filename: 'nota://1', mediaType: 'text/markdown' },
    { raw: 'BgcI', filename: 'bin://1', mediaType: 'application/zip' },
    { data: { ok: true }, mediaType: 'application/json' },
  ]);
  const aceito = (mediaType = ''): boolean =>
    cliente.card.defaultOutputModes.some((modo) => [mediaType, '*/*'].includes(modo));
  assert.ok(
    artifacts[0]?.parts.every(({ mediaType }) => aceito(mediaType)),
    'o card diz que tipos podem vir',
  );
});

test('isError termina em FAILED com o texto; sem conteúdo, COMPLETED sem artifact', async () => {
  const { cliente } = await preparar();
  const erro = await chamar(cliente, 'erro');
  assert.equal(erro.status.state, 'TASK_STATE_FAILED');
  assert.equal(textoDe(erro), 'Deu errado assim');
  const vazio = await chamar(cliente, 'vazio');
  assert.equal(vazio.status.state, 'TASK_STATE_COMPLETED');
  assert.deepEqual(vazio.artifacts, []);
});

test('o que não é um pedido é recusado, com o formato; o que o servidor não aceita falha, com o que ele disse', async () => {
  const { cliente } = await preparar();
  for (const parts of [
    [{ text: 'chame a ferramenta erro' }],
    dados({ ferramenta: 'erro', args: {} }),
    dados({ ferramenta: '' }),
    [...dados({ ferramenta: 'erro' }), ...dados({ ferramenta: 'vazio' })],
  ]) {
    const task = await cliente.enviar(parts);
    assert.equal(task.status.state, 'TASK_STATE_REJECTED');
    assert.match(textoDe(task), /"ferramenta"/);
  }
  const desconhecida = await chamar(cliente, 'nao-existe');
  assert.equal(desconhecida.status.state, 'TASK_STATE_FAILED');
  assert.match(textoDe(desconhecida), /nao-existe/);
  const semArgumento = await chamar(cliente, 'formulario');
  assert.equal(semArgumento.status.state, 'TASK_STATE_FAILED');
  assert.match(textoDe(semArgumento), /assunto/);
});

test('os dois bindings e o streaming servem o mesmo agente', async () => {
  const { bancada, cliente } = await preparar();
  const estados: string[] = [];
  for await (const evento of cliente.acompanhar(dados({ ferramenta: 'rodadas' }))) {
    if ('task' in evento) estados.push(evento.task.status.state);
    if ('statusUpdate' in evento) estados.push(evento.statusUpdate.status.state);
  }
  assert.equal(estados.at(-1), 'TASK_STATE_INPUT_REQUIRED');
  const resposta = await bancada.buscar('/message:send', {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'a2a-version': '1.0' },
    body: JSON.stringify({
      message: { messageId: 'm', role: 'ROLE_USER', parts: dados({ ferramenta: 'erro' }) },
    }),
  });
  const { task } = (await resposta.json()) as { task: Task };
  assert.equal(task.status.state, 'TASK_STATE_FAILED');
});
