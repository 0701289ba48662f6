import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
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
    assert.equal(alvo.ok, alvo.medido > 0 && alvo.medido <= alvo.limite, alvo.alvo);
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

test('uma opção que não existe é um erro claro, de uma linha', async () => {
  const bench = execFile(process.execPath, ['--import', 'tsx', BENCH, '--foo']);
  let erro = '';
  bench.stderr?.on('data', (pedaco) => {
    erro += pedaco;
  });
  assert.deepEqual(await once(bench, 'close'), [2, null]);
  assert.match(erro, /^bench: .*--foo.*--json, --perfil e --rapido\n$/);
});

test('interrompido no meio, apaga a pasta temporária', async (t) => {
  const pasta = mkdtempSync(join(tmpdir(), 'teste-do-bench-'));
  t.after(() => rmSync(pasta, { recursive: true, force: true }));
  const bench = execFile(process.execPath, ['--import', 'tsx', BENCH, '--rapido'], {
    env: { ...process.env, TMPDIR: pasta },
  });
  const nossas = (): string[] => readdirSync(pasta).filter((nome) => nome.startsWith('a-ponte-bench-'));
  const avisos = bench.stderr?.setEncoding('utf8') as AsyncIterable<string>;
  for await (const aviso of avisos) if (aviso.includes('partida')) break;
  assert.equal(nossas().length, 1);
  bench.kill('SIGTERM');
  assert.deepEqual(await once(bench, 'exit'), [143, null]);
  assert.deepEqual(nossas(), []);
});

function rodar(...argumentos: string[]): Promise<{ codigo: number; saida: string }> {
  return new Promise((pronto) => {
    const bench = execFile(process.execPath, ['--import', 'tsx', BENCH, ...argumentos], (_erro, saida) =>
      pronto({ codigo: bench.exitCode ?? -1, saida }),
    );
  });
}
