import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Hono } from 'hono';
import { servir } from '../../comum/node.ts';
import { type Assinatura, Canais } from './canais.ts';
import type { Task } from './modelo.ts';
import { responderEventos } from './sse.ts';

const em = (state: Task['status']['state']): Task => ({
  id: 't',
  contextId: 'c',
  status: { state, timestamp: '2026-11-03T14:00:00.000Z' },
  artifacts: [],
  history: [],
});

test('§3.5.2: quando o cliente vai embora, ou só pede os headers, a assinatura dele acaba sem esperar um evento', async () => {
  const canais = new Canais();
  const saidas: Promise<void>[] = [];
  const avisarSaida = (eventos: Assinatura): void => {
    const sair = eventos.return.bind(eventos);
    saidas.push(
      new Promise((saiu) => {
        eventos.return = () => {
          saiu();
          return sair();
        };
      }),
    );
  };
  const app = new Hono().get('/', (c) => {
    const eventos = canais.assinar('t', 'task').comecarPor({ task: em('TASK_STATE_WORKING') }, 1);
    avisarSaida(eventos);
    return responderEventos(c, eventos, (evento) => evento);
  });
  const servidor = await servir(
    { fetch: async (request) => app.fetch(request) },
    { porta: 0, host: '127.0.0.1' },
  );
  try {
    const head = await fetch(`http://127.0.0.1:${servidor.porta}/`, { method: 'HEAD' });
    assert.equal(head.headers.get('content-type'), 'text/event-stream');
    assert.equal(canais.tamanho, 0);
    const controle = new AbortController();
    const abrir = async (signal: AbortSignal | null = null) => {
      const { body } = await fetch(`http://127.0.0.1:${servidor.porta}/`, { signal });
      const leitor = (body as ReadableStream<Uint8Array>).getReader();
      assert.match(new TextDecoder().decode((await leitor.read()).value), /^data: \{"task":/);
      return leitor;
    };
    await Promise.all([abrir(controle.signal), abrir(controle.signal), abrir(controle.signal)]);
    const fica = await abrir();
    controle.abort();
    await Promise.all(saidas.slice(1, 4));
    assert.equal(canais.tamanho, 1);
    canais.publicar(em('TASK_STATE_COMPLETED'), { task: em('TASK_STATE_COMPLETED') }, 2);
    assert.match(new TextDecoder().decode((await fica.read()).value), /COMPLETED/);
    assert.equal((await fica.read()).done, true);
    assert.equal(canais.tamanho, 0);
  } finally {
    await servidor.parar();
  }
});
