import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';

test('quem fecha a saída no meio não vê erro nenhum, e o código é 0', async () => {
  let cliente: ChildProcess | undefined;
  const skill = { id: 's', description: 'd', inputModes: ['a/b'], outputModes: ['a/b'] };
  const servidor = createServer((_request, response) => {
    // Só responde com a saída já fechada: as linhas do card não têm para onde ir.
    cliente?.stdout?.destroy();
    const supportedInterfaces = [{ url: 'http://x', protocolBinding: 'JSONRPC', protocolVersion: '1.0' }];
    response.end(
      JSON.stringify({ name: 'n', version: '1', supportedInterfaces, skills: Array(50).fill(skill) }),
    );
  });
  await once(servidor.listen(0, '127.0.0.1'), 'listening');
  const url = `http://127.0.0.1:${(servidor.address() as AddressInfo).port}`;
  try {
    const caminho = fileURLToPath(new URL('node.ts', import.meta.url));
    cliente = spawn(process.execPath, ['--import', 'tsx', caminho, '--agente', url]);
    let stderr = '';
    cliente.stderr?.on('data', (pedaco) => {
      stderr += String(pedaco);
    });
    const [codigo] = await once(cliente, 'close');
    assert.equal(stderr, '');
    assert.equal(codigo, 0);
  } finally {
    servidor.close();
  }
});
