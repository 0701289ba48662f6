/**
 * Os processos de verdade, como o `npm start` os roda: os pacotes de `dist/`, numa cópia limpa do repositório, em portas
 * livres. Cada arquivo de teste constrói a sua cópia, para nunca testar um `dist/` velho.
 */
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** Como um processo terminou: o código de saída ou, se foi morto, o sinal. */
export interface Fim {
  readonly codigo: number | null;
  readonly sinal: NodeJS.Signals | null;
}

/** Um processo rodando. */
export interface Processo {
  readonly pid: number;
  readonly fim: Promise<Fim>;
  /** Tudo o que saiu no stderr até agora. */
  stderr(): string;
  /** Espera uma linha do stderr que case, contando as que já saíram. Falha se o processo acabar sem ela. */
  linha(padrao: RegExp): Promise<string>;
  /** Fecha o lado de cá do stderr: a próxima escrita do processo dá EPIPE. */
  fecharStderr(): void;
  /** Manda um sinal e espera o fim; um SIGKILL vai para o grupo inteiro. */
  parar(sinal?: NodeJS.Signals): Promise<Fim>;
}

/** Um dos dois serviços, já ouvindo. */
export interface Servico extends Processo {
  readonly porta: number;
  /** URL do endpoint: `/mcp` ou `/a2a`. */
  readonly url: string;
}

/** Variáveis que o processo recebe, além de PATH. Nada mais do ambiente de quem testa chega a ele. */
export type Variaveis = Readonly<Record<string, string>>;

/** Um segredo que só os testes usam. */
export const SEGREDO = 'um segredo que so os testes usam e que nao protege nada';

const RAIZ = fileURLToPath(new URL('..', import.meta.url));
const vivos = new Set<number>();
const pastas: string[] = [];

// Um teste que falha no meio, ou um Ctrl-C, não pode deixar processos nem pastas para trás.
for (const sinal of ['SIGTERM', 'SIGINT'] as const) process.once(sinal, () => process.exit(1));
process.on('exit', () => {
  for (const pid of vivos) matarGrupo(pid);
  for (const pasta of pastas) rmSync(pasta, { recursive: true, force: true });
});

function matarGrupo(pid: number): void {
  try {
    process.kill(-pid, 'SIGKILL');
  } catch {
    // Já não há ninguém no grupo.
  }
}

let construida: string | undefined;

/** Uma pasta nova com o que basta para `npm start` e nada mais: `package.json`, `dados/` e `dist/`. */
export function copiaLimpa(): string {
  const pasta = mkdtempSync(join(tmpdir(), 'ponte-'));
  pastas.push(pasta);
  if (!construida)
    execFileSync(process.execPath, ['scripts/construir.mjs', join(pasta, 'dist')], { cwd: RAIZ });
  else cpSync(join(construida, 'dist'), join(pasta, 'dist'), { recursive: true });
  construida ??= pasta;
  cpSync(join(RAIZ, 'dados'), join(pasta, 'dados'), { recursive: true });
  cpSync(join(RAIZ, 'package.json'), join(pasta, 'package.json'));
  return pasta;
}

/**
 * Roda um comando num grupo de processos só dele.
 * @param cwd onde rodar; o padrão é uma pasta sem `.env`.
 */
export function rodar(
  [comando, ...argumentos]: readonly [string, ...string[]],
  { cwd = pastaDoDist(), variaveis = {} }: { readonly cwd?: string; readonly variaveis?: Variaveis } = {},
): Processo {
  const { PATH } = process.env;
  const filho = spawn(comando, argumentos, {
    cwd,
    env: { ...(PATH && { PATH }), ...variaveis },
    stdio: ['ignore', 'ignore', 'pipe'],
    detached: true,
  });
  const pid = filho.pid as number;
  vivos.add(pid);
  let stderr = '';
  const esperas = new Set<() => void>();
  filho.stderr.setEncoding('utf8').on('data', (pedaco) => {
    stderr += pedaco;
    for (const conferir of esperas) conferir();
  });
  // `close` vem depois de o stderr acabar, `exit` não.
  const fim = once(filho, 'close').then(([codigo, sinal]): Fim => {
    vivos.delete(pid);
    return { codigo, sinal };
  });
  return {
    pid,
    fim,
    stderr: () => stderr,
    linha: (padrao) =>
      new Promise((pronto, falhou) => {
        const conferir = (): void => {
          const achada = stderr
            .split('\n')
            .slice(0, -1)
            .find((candidata) => padrao.test(candidata));
          if (achada === undefined) return;
          esperas.delete(conferir);
          pronto(achada);
        };
        esperas.add(conferir);
        conferir();
        fim.then(({ codigo, sinal }) =>
          falhou(new Error(`o processo acabou (${codigo ?? sinal}) sem ${padrao}:\n${stderr}`)),
        );
      }),
    fecharStderr: () => filho.stderr.destroy(),
    parar(sinal = 'SIGTERM') {
      if (sinal === 'SIGKILL') matarGrupo(pid);
      else filho.kill(sinal);
      return fim;
    },
  };
}

/** Sobe o servidor MCP e espera que esteja ouvindo; numa porta livre, se `MCP_PORT` não vier. */
export function subirServidorMcp(variaveis: Variaveis = {}): Promise<Servico> {
  return subir('servidor-mcp', '/mcp', { MCP_PORT: '0', REQUEST_STATE_SECRET: SEGREDO, ...variaveis });
}

/** Sobe o agente e espera que esteja ouvindo; numa porta livre, se `AGENTE_PORT` não vier. */
export function subirAgente(urlDoMcp: string, variaveis: Variaveis = {}): Promise<Servico> {
  return subir('agente', '/a2a', { AGENTE_PORT: '0', MCP_URL: urlDoMcp, ...variaveis });
}

/** Uma porta TCP que estava livre agora há pouco. */
export async function portaLivre(): Promise<number> {
  const servidor = createServer().listen(0, '127.0.0.1');
  await once(servidor, 'listening');
  const { port } = servidor.address() as { port: number };
  servidor.close();
  await once(servidor, 'close');
  return port;
}

async function subir(nome: string, caminho: string, variaveis: Variaveis): Promise<Servico> {
  const processo = rodar([process.execPath, `dist/${nome}.js`], { variaveis });
  const porta = Number(/porta=(\d+)/.exec(await processo.linha(/ ouvindo /))?.[1]);
  return { ...processo, porta, url: `http://127.0.0.1:${porta}${caminho}` };
}

function pastaDoDist(): string {
  return construida ?? copiaLimpa();
}
