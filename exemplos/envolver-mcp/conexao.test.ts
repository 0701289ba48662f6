import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createMcpHandler, McpServer } from '@modelcontextprotocol/server';
import { CAMINHO_DO_CARD } from '../../agente/a2a/card.ts';
import type { Task } from '../../agente/a2a/modelo.ts';
import type { Manipulador } from '../../comum/manipulador.ts';
import type { ClienteA2A } from '../cliente/cliente-a2a.ts';
import { montar } from './testes/bancada.ts';
import { servidorDe2025 } from './testes/servidor-de-2025.ts';
import { servidorDePerguntas } from './testes/servidor-de-perguntas.ts';

const chamar = (cliente: ClienteA2A, ferramenta: string, argumentos = {}): Promise<Task> =>
  cliente.enviar([{ data: { ferramenta, argumentos } }]);
const somar = (cliente: ClienteA2A): Promise<Task> => chamar(cliente, 'somar', { a: 2, b: 3 });
const somou = ({ status, artifacts }: Task): void => {
  assert.equal(status.state, 'TASK_STATE_COMPLETED', status.message?.parts[0]?.text);
  assert.equal(artifacts[0]?.parts[0]?.text, '5');
};

test('um servidor de 2025 é atendido pela negociação, sem elicitation declarada', async () => {
  const mcp = servidorDe2025(404);
  const cliente = await montar(mcp).conectar();
  assert.equal(cliente.card.name, 'antigo');
  somou(await somar(cliente));
  const aperto = mcp.ouvidos.find(({ method }) => method === 'initialize');
  assert.deepEqual(aperto?.params?.capabilities, {});
  const pergunta = await chamar(cliente, 'perguntar');
  assert.equal(pergunta.status.state, 'TASK_STATE_FAILED');
  assert.match(pergunta.status.message?.parts[0]?.text ?? '', /elicitation/i);
});

for (const status of [404, 400] as const) {
  test(`a sessão que o servidor esqueceu (HTTP ${status}) é refeita, e o pedido não se perde nem se repete`, async () => {
    const mcp = servidorDe2025(status);
    const cliente = await montar(mcp).conectar();
    somou(await somar(cliente));
    mcp.esquecer();
    const antes = mcp.ouvidos.filter(({ method }) => method === 'tools/call').length;
    somou(await somar(cliente));
    somou(await somar(cliente));
    assert.equal(mcp.ouvidos.filter(({ method }) => method === 'tools/call').length, antes + 2);
    assert.equal(mcp.ouvidos.filter(({ method }) => method === 'initialize').length, 2);
  });
}

test('um HTTP 400 que não fala da sessão pode vir depois da execução: a chamada não é repetida', async () => {
  const mcp = servidorDe2025(400);
  const cliente = await montar(mcp).conectar();
  const error = { code: -32000, message: 'executado, mas o recibo é inválido' };
  mcp.estragar(async () => Response.json({ jsonrpc: '2.0', id: null, error }, { status: 400 }));
  assert.equal((await somar(cliente)).status.state, 'TASK_STATE_FAILED');
  assert.equal(mcp.ouvidos.filter(({ method }) => method === 'tools/call').length, 1);
  assert.equal(mcp.ouvidos.filter(({ method }) => method === 'initialize').length, 1);
});

test('a sessão que se perde durante uma chamada não a repete, nem derruba a que ainda responde', async () => {
  const mcp = servidorDe2025(404);
  const cliente = await montar(mcp).conectar();
  let derrubar = (): void => {};
  const executou = new Promise<void>((avisar) => {
    mcp.estragar(async () => {
      avisar();
      await new Promise<void>((resolve) => {
        derrubar = resolve;
      });
      throw new TypeError('fetch failed');
    });
  });
  const primeira = somar(cliente);
  await executou;
  mcp.esquecer();
  somou(await somar(cliente));
  derrubar();
  assert.equal((await primeira).status.state, 'TASK_STATE_FAILED');
  assert.equal(mcp.ouvidos.filter(({ method }) => method === 'tools/call').length, 2);
});

test('vários pedidos que descobrem juntos a sessão perdida refazem uma só', async () => {
  const mcp = servidorDe2025(404);
  const cliente = await montar(mcp).conectar();
  mcp.esquecer();
  for (const task of await Promise.all([somar(cliente), somar(cliente), somar(cliente)])) somou(task);
  assert.equal(mcp.sessoes(), 1);
});

test('ao parar, a sessão é encerrada no servidor', async () => {
  const mcp = servidorDe2025(404);
  const bancada = montar(mcp);
  somou(await somar(await bancada.conectar()));
  assert.equal(mcp.sessoes(), 1);
  await bancada.envoltorio.fechar();
  assert.equal(mcp.sessoes(), 0);
});

test('um servidor de 2025 sem sessão também é atendido', async () => {
  const handler = createMcpHandler(() => {
    const servidor = new McpServer({ name: 'sem sessão', version: '1.0.0' });
    servidor.registerTool('somar', {}, async () => ({ content: [{ type: 'text', text: '5' }] }));
    return servidor;
  });
  // Sem o server/discover, o SDK só tem o aperto de mão de 2025.
  const mcp: Manipulador = {
    async fetch(request) {
      const texto = await request.clone().text();
      return texto.includes('server/discover')
        ? new Response('não sei', { status: 400 })
        : handler.fetch(request);
    },
  };
  somou(await somar(await montar(mcp).conectar()));
});

test('com o servidor fora do ar não há card (503); quando ele volta, há, e se cair de novo o último fica', async () => {
  const certo = servidorDePerguntas();
  const mcp: { fetch: Manipulador['fetch'] } = { fetch: foraDoAr };
  const bancada = montar(mcp);
  const ler = (): Promise<Response> => bancada.buscar(CAMINHO_DO_CARD);
  assert.equal((await ler()).status, 503);
  mcp.fetch = certo.fetch;
  assert.equal((await ler()).status, 200);
  const cliente = await bancada.conectar();
  mcp.fetch = foraDoAr;
  assert.equal((await ler()).status, 200);
  const task = await chamar(cliente, 'vazio');
  assert.equal(task.status.state, 'TASK_STATE_FAILED');
  assert.match(task.status.message?.parts[0]?.text ?? '', /fora do ar/);
});

test('o que não é um servidor MCP não derruba o envoltório, e o erro não diz onde ele está', async () => {
  const bancada = montar(
    { fetch: async () => new Response('<html>', { headers: { 'content-type': 'text/html' } }) },
    1_000,
  );
  const resposta = await bancada.buscar(CAMINHO_DO_CARD);
  assert.equal(resposta.status, 503);
  const texto = await resposta.text();
  assert.match(texto, /não fala uma revisão conhecida/);
  assert.doesNotMatch(texto, /localhost|<html>/);
});

test('um servidor sem ferramentas não tem card: uma skill é o mínimo', async () => {
  const handler = createMcpHandler(
    () => new McpServer({ name: 'vazio', version: '1' }, { capabilities: { tools: {} } }),
  );
  const resposta = await montar({ fetch: (request) => handler.fetch(request) }).buscar(CAMINHO_DO_CARD);
  assert.equal(resposta.status, 503);
});

async function foraDoAr(): Promise<Response> {
  throw new TypeError('fetch failed');
}
