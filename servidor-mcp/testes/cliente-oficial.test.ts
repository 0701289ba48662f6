import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { GARAGEM_OCUPADA, VERSAO } from './cliente.ts';
import { type ServidorNoAr, subirServidor } from './servidor-no-ar.ts';

let servidor: ServidorNoAr;
let cliente: Client;
/** O que o usuário responde à pergunta seguinte. */
let resposta: { action: 'accept'; content: { sala: string } } | { action: 'decline' };

before(async () => {
  servidor = await subirServidor();
  cliente = new Client(
    { name: 'teste', version: '1.0.0' },
    {
      capabilities: { elicitation: { form: {} } },
      versionNegotiation: { mode: { pin: VERSAO } },
    },
  );
  cliente.setRequestHandler('elicitation/create', async () => resposta);
  await cliente.connect(new StreamableHTTPClientTransport(new URL(servidor.url)));
});
after(async () => {
  await cliente.close();
  await servidor.parar();
});

test('o cliente oficial lê as ferramentas e a política', async () => {
  const { tools } = await cliente.listTools();
  assert.equal(tools.length, 3);
  const { contents } = await cliente.readResource({ uri: 'politica://uso' });
  assert.match(JSON.stringify(contents), /versao: 2026-11-01/);
});

test('o cliente oficial confere o resultado com o outputSchema, e o aceita nas três ferramentas', async () => {
  await cliente.listTools();
  const salas = await cliente.callTool({ name: 'listar_salas', arguments: {} });
  assert.ok(salas.structuredContent);
  const { responsavel: _, ...consulta } = GARAGEM_OCUPADA;
  const ocupada = await cliente.callTool({ name: 'consultar_disponibilidade', arguments: consulta });
  assert.equal((ocupada.structuredContent as { livre: boolean }).livre, false);
});

test('o cliente oficial responde à pergunta e repete o request sozinho', async () => {
  resposta = { action: 'decline' };
  const recusada = await cliente.callTool({ name: 'reservar_sala', arguments: GARAGEM_OCUPADA });
  assert.deepEqual(recusada.structuredContent, { reservado: false, motivo: 'recusado' });
  resposta = { action: 'accept', content: { sala: 'sala-mirante' } };
  const feita = await cliente.callTool({ name: 'reservar_sala', arguments: GARAGEM_OCUPADA });
  assert.equal((feita.structuredContent as { sala: string }).sala, 'sala-mirante');
});
