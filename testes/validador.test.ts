import assert from 'node:assert/strict';
import { test } from 'node:test';
import { rodarValidador } from '../validador/rodar.ts';
import { portaLivre, subirAgente, subirServidorMcp } from './processos.ts';

const base = (url: string): string => new URL(url).origin;

for (const vez of ['primeira', 'segunda']) {
  test(`o validador passa nas 36 com os processos recém-iniciados (${vez} vez)`, async () => {
    const mcp = await subirServidorMcp();
    const agente = await subirAgente(mcp.url);
    const rodada = await rodarValidador('--mcp', base(mcp.url), '--agente', base(agente.url));
    await agente.parar();
    await mcp.parar();
    assert.equal(rodada.passaram.length, 36, rodada.linhas.join('\n'));
    assert.equal(rodada.codigo, 0);

    // O passo 5 do avaliador: o trace-id impresso está no log do servidor MCP, e o agente descobriu antes de chamar.
    const traceId = /^trace-id: ([0-9a-f]{32})$/.exec(rodada.linhas[0] ?? '')?.[1];
    assert.ok(traceId);
    const doTrace = mcp
      .stderr()
      .split('\n')
      .filter((linha) => linha.includes(`traceparent=00-${traceId}-`))
      .map((linha) => /metodo=(\S+)/.exec(linha)?.[1]);
    // A única linha do próprio validador com trace é a do conflito da 13, e vem antes de ele falar com o agente.
    const [doValidador, ...doAgente] = doTrace;
    assert.equal(doValidador, 'tools/call');
    assert.ok(doAgente.includes('tools/call'), mcp.stderr());
    assert.ok(doAgente.indexOf('tools/list') >= 0, mcp.stderr());
    assert.ok(doAgente.indexOf('tools/list') < doAgente.indexOf('tools/call'), mcp.stderr());
  });
}

test('com só o servidor MCP no ar, as 20 dele passam e o código de saída é 2', async () => {
  const mcp = await subirServidorMcp();
  const rodada = await rodarValidador(
    '--mcp',
    base(mcp.url),
    '--agente',
    `http://127.0.0.1:${await portaLivre()}`,
  );
  await mcp.parar();
  assert.deepEqual(
    rodada.passaram,
    Array.from({ length: 20 }, (_, indice) => indice + 1),
  );
  assert.equal(rodada.falharam.length, 16);
  assert.equal(rodada.codigo, 2);
});
