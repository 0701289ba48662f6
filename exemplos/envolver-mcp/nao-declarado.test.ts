import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Manipulador } from '../../comum/manipulador.ts';
import { montar } from './testes/bancada.ts';

/** Um servidor que pede o que este host não declarou: o SDK não deixa, então ele é feito à mão. */
function servidorAbusado(inputRequests: unknown): Manipulador {
  const resultados: Record<string, object> = {
    'server/discover': {
      supportedVersions: ['2026-07-28'],
      capabilities: { tools: {} },
      ttlMs: 0,
      cacheScope: 'private',
    },
    'tools/list': {
      tools: [{ name: 'pedir', inputSchema: { type: 'object' } }],
      ttlMs: 0,
      cacheScope: 'private',
    },
    'tools/call': { resultType: 'input_required', inputRequests, requestState: 'lacre' },
  };
  return {
    async fetch(request) {
      const { id, method } = (await request.json()) as { id: unknown; method: string };
      return Response.json({ jsonrpc: '2.0', id, result: { resultType: 'complete', ...resultados[method] } });
    },
  };
}

function formulario(properties: object, required: readonly string[] = []): object {
  const esquema = { type: 'object', properties, required };
  return { method: 'elicitation/create', params: { message: 'm', requestedSchema: esquema } };
}

const requestedSchema = { type: 'object', properties: { a: { type: 'string' } } };
const CASOS: readonly (readonly [string, object, RegExp])[] = [
  [
    'elicitation por URL',
    {
      method: 'elicitation/create',
      params: { mode: 'url', message: 'Entre', url: 'https://x.example', elicitationId: '1' },
    },
    /elicitation por URL/,
  ],
  [
    'sampling',
    {
      method: 'sampling/createMessage',
      params: { messages: [{ role: 'user', content: { type: 'text', text: 'oi' } }], maxTokens: 1 },
    },
    /sampling\/createMessage/,
  ],
  ['roots', { method: 'roots/list' }, /roots\/list/],
  [
    'formulário com objeto dentro de objeto',
    {
      method: 'elicitation/create',
      params: {
        message: 'm',
        requestedSchema: { type: 'object', properties: { a: { type: 'object', properties: {} } } },
      },
    },
    /não é plano/,
  ],
  ['pattern que não compila', formulario({ a: { type: 'string', pattern: '(' } }), /não sabe conferir \(a\)/],
  [
    'pattern que não compila, num campo de escolha',
    formulario({ a: { type: 'string', enum: ['x'], pattern: '[' } }),
    /não sabe conferir \(a\)/,
  ],
  [
    'campo __proto__',
    formulario(JSON.parse('{"__proto__": {"type": "string"}}'), ['__proto__']),
    /não sabe conferir \(a\)/,
  ],
  ['obrigatório que não é campo', formulario({}, ['b']), /não sabe conferir \(a\)/],
];
for (const [caso, pedido, esperado] of CASOS) {
  test(`um servidor que pede o que não foi declarado faz a Task falhar com o motivo: ${caso}`, async () => {
    const cliente = await montar(servidorAbusado({ a: pedido })).conectar();
    const task = await cliente.enviar([{ data: { ferramenta: 'pedir' } }]);
    assert.equal(task.status.state, 'TASK_STATE_FAILED');
    const texto = task.status.message?.parts[0]?.text ?? '';
    assert.match(texto, esperado);
    assert.doesNotMatch(JSON.stringify(task), /lacre/);
  });
}

test('uma pergunta boa ao lado de uma que não se sabe fazer também falha: meia resposta não serve ao servidor', async () => {
  const boa = { method: 'elicitation/create', params: { message: 'm', requestedSchema } };
  const cliente = await montar(servidorAbusado({ boa, ruim: { method: 'roots/list' } })).conectar();
  const task = await cliente.enviar([{ data: { ferramenta: 'pedir' } }]);
  assert.equal(task.status.state, 'TASK_STATE_FAILED');
});

test('um campo com nome herdado de objeto só está na resposta se foi mandado, e o que falta é dito', async () => {
  const campos = { toString: { type: 'string' }, hasOwnProperty: { type: 'boolean' } };
  const mcp = servidorAbusado({ a: formulario(campos, ['toString']) });
  const cliente = await montar(mcp).conectar();
  const { id } = await cliente.enviar([{ data: { ferramenta: 'pedir' } }]);
  const responder = (content: object) =>
    cliente.enviar([{ data: { respostas: { a: { action: 'accept', content } } } }], { taskId: id });
  for (const content of [{}, { hasOwnProperty: true }, { hasOwnProperty: 'não' }]) {
    const { status } = await responder(content);
    assert.equal(status.state, 'TASK_STATE_INPUT_REQUIRED');
    assert.match(status.message?.parts[0]?.text ?? '', /^Não serve: a\.toString: falta$/m);
  }
  // Esta serve: vai ao servidor, que pergunta de novo.
  const { status } = await responder({ toString: 'x' });
  assert.doesNotMatch(status.message?.parts[0]?.text ?? '', /Não serve/);
});
