import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:net';
import { text } from 'node:stream/consumers';
import { test } from 'node:test';
import { chamar } from './cliente.ts';
import { rodar, SEGREDO, subirServidor } from './servidor-no-ar.ts';

/** Roda um processo que não deve subir e devolve o que ele disse. */
async function falhaAoSubir(ambiente: Record<string, string>): Promise<{ codigo: unknown; stderr: string }> {
  const processo = rodar(ambiente);
  const [stderr, [codigo]] = await Promise.all([
    text(processo.stderr as NodeJS.ReadableStream),
    once(processo, 'exit'),
  ]);
  return { codigo, stderr };
}

test('sem segredo não sobe, e diz como gerar e exportar um', async () => {
  for (const ambiente of [{}, { REQUEST_STATE_SECRET: 'curto' }] as Record<string, string>[]) {
    const { codigo, stderr } = await falhaAoSubir(ambiente);
    assert.equal(codigo, 1);
    assert.match(
      stderr,
      /export REQUEST_STATE_SECRET=\$\(python3 -c "import secrets; print\(secrets\.token_hex\(32\)\)"\)/,
    );
    assert.doesNotMatch(stderr, /\n\s+at |curto/);
  }
});

test('configuração fora da faixa não sobe, e diz qual', async () => {
  for (const [nome, valor] of [
    ['MCP_PORT', '70000'],
    ['REQUEST_STATE_TTL_SECONDS', '60'],
  ] as const) {
    const { codigo, stderr } = await falhaAoSubir({ REQUEST_STATE_SECRET: SEGREDO, [nome]: valor });
    assert.equal(codigo, 1);
    assert.match(stderr, new RegExp(`^${nome} .*"${valor}"\\n$`));
  }
});

test('porta ocupada não sobe, e diz isso', async (t) => {
  const ocupante = createServer().listen(0, '127.0.0.1');
  t.after(() => ocupante.close());
  await once(ocupante, 'listening');
  const { port } = ocupante.address() as { port: number };
  const { codigo, stderr } = await falhaAoSubir({ REQUEST_STATE_SECRET: SEGREDO, MCP_PORT: String(port) });
  assert.equal(codigo, 1);
  assert.match(stderr, new RegExp(`^A porta ${port} já está em uso`));
});

for (const sinal of ['SIGTERM', 'SIGINT'] as const) {
  test(`${sinal} encerra com código 0, e o que já foi pedido é respondido`, async () => {
    const servidor = await subirServidor();
    const pedidos = Array.from({ length: 20 }, () => chamar(servidor.url, 'tools/list'));
    await servidor.linha(/metodo=tools\/list/);
    const fim = servidor.parar(sinal);
    const respondidos = await Promise.allSettled(pedidos);
    assert.equal(await fim, 0);
    assert.ok(respondidos.some(({ status }) => status === 'fulfilled'));
    const recebidos = servidor.linhas.filter((linha) => linha.includes('metodo=tools/list')).length;
    assert.equal(respondidos.filter(({ status }) => status === 'fulfilled').length, recebidos);
    assert.match(servidor.linhas.at(-1) ?? '', /parado/);
  });
}

test('ALLOWED_HOSTS troca os nomes aceitos', async (t) => {
  const servidor = await subirServidor({ ALLOWED_HOSTS: 'salas.exemplo, outro.exemplo' });
  t.after(() => servidor.parar());
  assert.equal((await fetch(servidor.url, { method: 'POST' })).status, 403);
});
