/** Roda equivalencia.ts dentro do workerd, com objetos duráveis de verdade num disco só dele. */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { portaLivre, rodar } from '../processos.ts';
import { esperarQueAtendam, RAIZ } from './no-ar.ts';

/**
 * @param workerd caminho do executável.
 * @param sementes uma sequência de operações para cada uma.
 * @throws {Error} com a semente e a primeira diferença entre a memória e os objetos.
 */
export async function conferirEquivalencia(workerd: string, sementes: readonly number[]): Promise<void> {
  const construir = ['scripts/construir-workerd.mjs', 'equivalencia=testes/runtimes/equivalencia.ts'];
  execFileSync(process.execPath, construir, { cwd: RAIZ });
  const disco = mkdtempSync(join(tmpdir(), 'ponte-disco-'));
  const porta = await portaLivre();
  const onde = ['--socket-addr', `http=localhost:${porta}`, '--directory-path', `disco=${disco}`];
  const processo = rodar([workerd, 'serve', 'testes/runtimes/equivalencia.capnp', ...onde], { cwd: RAIZ });
  try {
    const url = `http://localhost:${porta}/`;
    await esperarQueAtendam([url], [processo]);
    for (const semente of sementes) {
      const resposta = await fetch(`${url}?semente=${semente}`);
      if (!resposta.ok) throw new Error(await resposta.text());
    }
  } finally {
    await processo.parar('SIGKILL');
    rmSync(disco, { recursive: true, force: true });
  }
}
