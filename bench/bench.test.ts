import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import test from 'node:test';
import { fileURLToPath } from 'node:url';
import type { Relatorio } from './tabela.ts';

const BENCH = fileURLToPath(new URL('bench.ts', import.meta.url));

test('o bench roda até o fim, mede todas as linhas e diz com o código de saída se algum alvo falhou', async () => {
  const { codigo, saida } = await rodar('--rapido', '--json');
  const { linhas, alvos, memoria, inicio } = JSON.parse(saida) as Relatorio;

  assert.deepEqual([...new Set(linhas.map(({ grupo }) => grupo))], ['pisos', 'nossas', 'crescimento']);
  for (const { id, cpuUs, porSegundo, p50Ms, p99Ms } of linhas) {
    for (const numero of [cpuUs, porSegundo, p50Ms, p99Ms]) assert.ok(numero > 0, `${id}: ${numero}`);
  }
  assert.ok(memoria.agente.ociosa > 0 && memoria.servidorMcp.depois > 0 && memoria.porTask > 0);
  assert.ok(inicio.nossoMs > 0 && inicio.minimoMs > 0);

  assert.equal(alvos.length, 17);
  for (const alvo of alvos) {
    assert.deepEqual(Object.keys(alvo), ['alvo', 'limite', 'medido', 'ok']);
    assert.equal(alvo.ok, alvo.medido <= alvo.limite, alvo.alvo);
  }
  assert.equal(codigo, alvos.every(({ ok }) => ok) ? 0 : 1);
});

test('o perfil reparte toda a CPU de cada processo entre os donos dela', async () => {
  const { codigo, saida } = await rodar('--rapido', '--perfil');
  assert.equal(codigo, 0);
  const [, , ...linhas] = saida.trim().split('\n');
  const colunas = linhas.map((linha) => linha.split('|').slice(1, 4));
  assert.ok(colunas.some(([dono = '']) => dono.includes('este repositório')));
  assert.ok(colunas.some(([dono = '']) => dono.includes('SDK de MCP')));
  for (const processo of [1, 2]) {
    const soma = colunas.reduce((total, coluna) => total + Number.parseInt(coluna[processo] ?? '', 10), 0);
    assert.ok(Math.abs(soma - 100) <= colunas.length, `${soma}%`);
  }
});

function rodar(...argumentos: string[]): Promise<{ codigo: number; saida: string }> {
  return new Promise((pronto) => {
    const bench = execFile(process.execPath, ['--import', 'tsx', BENCH, ...argumentos], (_erro, saida) =>
      pronto({ codigo: bench.exitCode ?? -1, saida }),
    );
  });
}
