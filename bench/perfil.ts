/**
 * `npm run bench -- --perfil`: de quem é a CPU de uma reserva A2A. Os dois serviços, com as dependências fora do pacote
 * para que cada função diga de onde veio, e o perfil que o próprio Node grava (`--cpu-prof`).
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, mkdirSync, readFileSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { emitir } from './emissao.ts';
import { OPERACOES } from './operacoes.ts';
import { ambiente, portaAberta, portaLivre } from './processo.ts';

const RAIZ = fileURLToPath(new URL('..', import.meta.url));
const SERVICOS = ['agente', 'servidor-mcp'] as const;
const EM_VOO = 8;

/** Quanto de cada processo, de 0 a 1, gastou cada dono. */
export type Perfil = Readonly<Record<(typeof SERVICOS)[number], ReadonlyMap<string, number>>>;

/** @param pasta vazia, e só do bench. @param reservas quantas fazer, com o perfil ligado desde a primeira. */
export async function medirPerfil(pasta: string, reservas: number): Promise<Perfil> {
  mkdirSync(join(pasta, 'dist'), { recursive: true });
  cpSync(join(RAIZ, 'dados'), join(pasta, 'dados'), { recursive: true });
  cpSync(join(RAIZ, 'package.json'), join(pasta, 'package.json'));
  symlinkSync(join(RAIZ, 'node_modules'), join(pasta, 'node_modules'));
  await build({
    entryPoints: Object.fromEntries(SERVICOS.map((nome) => [nome, join(RAIZ, nome, 'node.ts')])),
    outdir: join(pasta, 'dist'),
    bundle: true,
    packages: 'external',
    platform: 'node',
    format: 'esm',
    target: 'node20',
    logLevel: 'warning',
  });

  const [portaDoAgente, portaDoMcp] = [await portaLivre(), await portaLivre()];
  const url = `http://127.0.0.1:${portaDoAgente}/a2a`;
  const mcp = `http://127.0.0.1:${portaDoMcp}/mcp`;
  const env = ambiente({
    AGENTE_PORT: String(portaDoAgente),
    MCP_PORT: String(portaDoMcp),
    MCP_URL: mcp,
  });
  const processos = SERVICOS.map((nome) =>
    spawn(
      process.execPath,
      ['--cpu-prof', `--cpu-prof-name=${nome}.cpuprofile`, `--cpu-prof-dir=${pasta}`, `dist/${nome}.js`],
      { cwd: pasta, env, stdio: 'ignore' },
    ),
  );
  const derrubar = (): void => {
    // Com SIGTERM o processo sai por conta própria, e é ao sair que grava o perfil.
    for (const processo of processos) processo.kill();
  };
  process.once('exit', derrubar);
  try {
    await Promise.all([portaDoAgente, portaDoMcp].map(portaAberta));
    await emitir(reservas, EM_VOO, () =>
      OPERACOES.a2aReservar.executar({ url, mcp, iniciais: 5 }, undefined),
    );
  } finally {
    process.off('exit', derrubar);
    derrubar();
    await Promise.all(processos.map((processo) => processo.exitCode ?? once(processo, 'exit')));
  }
  return Object.fromEntries(
    SERVICOS.map((nome) => [nome, repartir(join(pasta, `${nome}.cpuprofile`))]),
  ) as Perfil;
}

/** O perfil para ler, em Markdown: um dono por linha. */
export function imprimirPerfil(perfil: Perfil): string {
  const donos = new Set(SERVICOS.flatMap((nome) => [...perfil[nome].keys()]));
  const parte = (nome: (typeof SERVICOS)[number], dono: string): number => perfil[nome].get(dono) ?? 0;
  const peso = (dono: string): number => SERVICOS.reduce((soma, nome) => soma + parte(nome, dono), 0);
  return [
    `| CPU de uma reserva | ${SERVICOS.join(' | ')} |`,
    '|---|---:|---:|',
    ...[...donos]
      .sort((a, b) => peso(b) - peso(a))
      .map(
        (dono) =>
          `| ${dono} | ${SERVICOS.map((nome) => `${(100 * parte(nome, dono)).toFixed(0)}%`).join(' | ')} |`,
      ),
  ].join('\n');
}

interface No {
  readonly id: number;
  readonly callFrame: { readonly functionName: string; readonly url: string; readonly lineNumber: number };
  readonly children?: readonly number[];
}

interface Gravado {
  readonly nodes: readonly No[];
  readonly samples: readonly number[];
  readonly timeDeltas: readonly number[];
}

const NODE = 'Node: HTTP, streams, promessas';
/** Os pacotes que não se chamam pelo próprio nome. */
const DONOS: Readonly<Record<string, string>> = { '@modelcontextprotocol': 'SDK de MCP', '@hono': 'hono' };
const PARADO = new Set(['(idle)', '(program)', '(root)']);

function repartir(arquivo: string): ReadonlyMap<string, number> {
  const { nodes, samples, timeDeltas } = JSON.parse(readFileSync(arquivo, 'utf8')) as Gravado;
  const porId = new Map(nodes.map((no) => [no.id, no]));
  const donos = new Map<number, string>();
  const percorrer = (no: No, chamador: string): void => {
    const dono = donoDe(no, chamador);
    donos.set(no.id, dono);
    for (const filho of no.children ?? []) percorrer(porId.get(filho) as No, dono);
  };
  percorrer(nodes[0] as No, NODE);

  const tempos = new Map<string, number>();
  let soma = 0;
  samples.forEach((id, i) => {
    if (PARADO.has((porId.get(id) as No).callFrame.functionName)) return;
    const [dono, tempo] = [donos.get(id) as string, timeDeltas[i] as number];
    tempos.set(dono, (tempos.get(dono) ?? 0) + tempo);
    soma += tempo;
  });
  return new Map([...tempos].map(([dono, tempo]) => [dono, tempo / soma]));
}

function donoDe({ callFrame: { functionName, url, lineNumber } }: No, chamador: string): string {
  if (functionName === '(garbage collector)') return 'coleta de lixo';
  const pacote = /node_modules\/(@?[^/]+)/.exec(url)?.[1];
  if (pacote) return DONOS[pacote] ?? pacote;
  if (url.startsWith('file:')) return 'este repositório';
  // Sem arquivo mas com linha é o código que o zod gera para cada esquema: é de quem o chamou.
  return url === '' && lineNumber >= 0 ? chamador : NODE;
}
