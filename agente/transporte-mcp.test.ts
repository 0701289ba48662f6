import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { novoTraceparent } from '../comum/traceparent.ts';
import { criarHostMcp, type HostMcp, RecusadoPeloServidorMcp } from './host-mcp.ts';

const ids: string[] = [];

/** Um servidor MCP que anota o id de cada request, e recusa a ferramenta `recusa` com HTTP 400. */
async function servidor(_: string | URL, init?: RequestInit): Promise<Response> {
  const { id, params } = JSON.parse(String(init?.body)) as { id: string; params: { name: string } };
  ids.push(id);
  return params.name === 'recusa'
    ? Response.json({ jsonrpc: '2.0', id, error: { code: -32602, message: 'não' } }, { status: 400 })
    : Response.json({ jsonrpc: '2.0', id, result: { resultType: 'complete', content: [] } });
}

function novoHost(fetch = servidor): HostMcp {
  return criarHostMcp({
    nome: 'teste',
    versao: '1',
    url: 'http://localhost/mcp',
    tempoLimiteMs: 500,
    fetch,
  });
}

const chamar = (host: HostMcp, ferramenta = 'qualquer') =>
  host.chamar({ ferramenta, argumentos: {} }, novoTraceparent());

test('dois processos nunca usam o mesmo id, e cada resposta acha o seu request (MRTR: o id do retry é outro)', async () => {
  const [um, outro] = [novoHost(), novoHost()];
  await Promise.all([um, outro, um, outro].map((host) => chamar(host)));
  assert.equal(ids.length, 4);
  assert.equal(new Set(ids).size, 4, ids.join(' '));
});

test('o erro de um HTTP 400 também acha o seu request', async () => {
  await assert.rejects(chamar(novoHost(), 'recusa'), RecusadoPeloServidorMcp);
});

test('uma resposta com o id que outro processo usaria não é aceita', async () => {
  const trocado = novoHost(async () =>
    Response.json({ jsonrpc: '2.0', id: 0, result: { resultType: 'complete', content: [] } }),
  );
  await assert.rejects(chamar(trocado), /não respondeu a tempo/);
});

test('o prazo de uma chamada aborta o fetch dela', async () => {
  let abortado: AbortSignal | null | undefined;
  const mudo = novoHost((_, init) => {
    abortado = init?.signal;
    return new Promise((_pronto, falhou) =>
      abortado?.addEventListener('abort', () => falhou(abortado?.reason)),
    );
  });
  await assert.rejects(chamar(mudo), /não respondeu a tempo/);
  assert.equal(abortado?.aborted, true);
});

test('as chamadas que terminaram não deixam nada na memória do host', async () => {
  setFlagsFromString('--expose-gc');
  const coletar = runInNewContext('gc') as () => void;
  const quieto = novoHost(async (_, init) => {
    const { id } = JSON.parse(String(init?.body)) as { id: string };
    return Response.json({ jsonrpc: '2.0', id, result: { resultType: 'complete', content: [] } });
  });
  const heapDepoisDe = async (chamadas: number): Promise<number> => {
    for (let n = 0; n < chamadas; n++) await chamar(quieto);
    // Um WeakRef vale até o fim do turno em que foi lido, e o que ele segurava só sai na coleta seguinte.
    for (let n = 0; n < 3; n++) {
      await new Promise(setImmediate);
      coletar();
    }
    return process.memoryUsage().heapUsed;
  };
  const heaps = [await heapDepoisDe(4_000), await heapDepoisDe(6_000), await heapDepoisDe(6_000)] as const;
  // Uma vez ou outra o V8 compila ou guarda algo mais no meio; o que vaza cresce nas duas.
  const porChamada = Math.min(heaps[1] - heaps[0], heaps[2] - heaps[1]) / 6_000;
  assert.ok(porChamada < 30, `${porChamada.toFixed(0)} bytes por chamada`);
});
