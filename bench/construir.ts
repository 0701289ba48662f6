/** Monta numa pasta temporária tudo o que o bench roda, empacotado com as opções de scripts/construir.mjs. */
import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { reservasIniciais } from './grade.ts';

const RAIZ = fileURLToPath(new URL('..', import.meta.url));
const MEDIDOS = join(RAIZ, 'bench/medidos');

/** Onde ficou cada coisa. */
export interface Construido {
  /** A raiz de uma instalação completa do projeto: `package.json`, `dist/`, `dados/`. */
  readonly projeto: string;
  /** A raiz de um pacote que só tem um serviço Hono mínimo, com o seu `npm start`. */
  readonly minimo: string;
  /** O caminho de um dos processos de bench/ (`carga`, `medidor`, ou um de medidos/). */
  bench(nome: string): string;
  /** O caminho do servidor MCP de produção que começa com tantas reservas. */
  servidorMcp(reservas: number): string;
}

/** @param pasta vazia, e só do bench. @param reservas os tamanhos de agenda de que se vai precisar. */
export async function construir(pasta: string, reservas: readonly number[]): Promise<Construido> {
  const projeto = join(pasta, 'projeto');
  mkdirSync(projeto);
  cpSync(join(RAIZ, 'package.json'), join(projeto, 'package.json'));
  cpSync(join(RAIZ, 'dados'), join(projeto, 'dados'), { recursive: true });
  execFileSync(process.execPath, ['scripts/construir.mjs', join(projeto, 'dist')], {
    cwd: RAIZ,
    stdio: 'inherit',
  });

  // O servidor lê ../dados a partir de si mesmo: uma cópia por tamanho de agenda dispensa mexer nele.
  for (const quantas of reservas) {
    cpSync(projeto, join(pasta, `com-${quantas}`), { recursive: true });
    writeFileSync(
      join(pasta, `com-${quantas}`, 'dados/reservas.json'),
      JSON.stringify(reservasIniciais(quantas)),
    );
  }

  const minimo = join(pasta, 'minimo');
  mkdirSync(minimo);
  const pacote = {
    name: 'minimo',
    private: true,
    type: 'module',
    scripts: { start: 'exec node rota-hono.js' },
  };
  writeFileSync(join(minimo, 'package.json'), JSON.stringify(pacote));

  await build({
    entryPoints: [
      ...['carga', 'medidor'].map((nome) => join(RAIZ, 'bench', `${nome}.ts`)),
      ...readdirSync(MEDIDOS).map((arquivo) => join(MEDIDOS, arquivo)),
    ],
    outdir: join(pasta, 'bench'),
    entryNames: '[name]',
    outExtension: { '.js': '.mjs' },
    bundle: true,
    minifyWhitespace: true,
    minifySyntax: true,
    platform: 'node',
    format: 'esm',
    target: 'node20',
    logLevel: 'warning',
  });
  cpSync(join(pasta, 'bench/rota-hono.mjs'), join(minimo, 'rota-hono.js'));

  return {
    projeto,
    minimo,
    bench: (nome) => join(pasta, 'bench', `${nome}.mjs`),
    servidorMcp: (quantas) => join(pasta, `com-${quantas}`, 'dist/servidor-mcp.js'),
  };
}
