import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { lerAmbienteDoAgente } from '../agente/ambiente.ts';
import type { Ambiente } from '../comum/ambiente.ts';
import { configuracaoDoAmbiente } from '../servidor-mcp/ambiente.ts';

const CONFIG = readFileSync(new URL('../workerd/config.capnp', import.meta.url), 'utf8');

/** Quem escuta é o workerd, no endereço de cada socket. */
const DO_SOCKET = ['HOST', 'MCP_PORT'];

/** Que variáveis uma leitura do ambiente procura. */
function procuradas(ler: (ambiente: Ambiente) => unknown): readonly string[] {
  const nomes = new Set<string>();
  const ambiente = new Proxy<Record<string, string>>(
    { REQUEST_STATE_SECRET: 'x'.repeat(32) },
    {
      get(valores, nome) {
        nomes.add(String(nome));
        return valores[String(nome)];
      },
    },
  );
  ler(ambiente);
  return [...nomes].filter((nome) => !DO_SOCKET.includes(nome));
}

for (const [servico, modulo, ler] of [
  ['agente', /modules = \.moduloDoAgente/, lerAmbienteDoAgente],
  ['servidor MCP', /embed "[^"]*servidor-mcp/, configuracaoDoAmbiente],
] as const) {
  test(`todo worker do ${servico} recebe todas as variáveis que ele lê`, () => {
    const listas = CONFIG.split(/modules = /)
      .map((resto) => `modules = ${resto}`)
      .filter((worker) => modulo.test(worker.split('\n')[0] ?? ''))
      .map((worker) => /bindings = \[([^\]]*)\]/.exec(worker)?.[1] ?? '');
    assert.ok(listas.length >= 2);
    for (const lista of listas) {
      const recebidas = Array.from(lista.matchAll(/name = "(\w+)", fromEnvironment/g), ([, nome]) => nome);
      assert.deepEqual(
        procuradas(ler).filter((nome) => !recebidas.includes(nome)),
        [],
        lista,
      );
    }
  });
}
