/** Um processo medido: subir, perguntar quanto gastou, derrubar. */
import { type ChildProcess, fork } from 'node:child_process';
import { closeSync, openSync, readFileSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { connect, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import { Canal } from './canal.ts';

/** Como subir um processo. */
export interface ComoSubir {
  readonly nome: string;
  /** O arquivo JavaScript. */
  readonly arquivo: string;
  /** O que se carrega antes dele (medidor.ts). */
  readonly medidor: string;
  readonly env?: Readonly<Record<string, string>>;
  /** Porta em que ele vai escutar; sem ela não se espera nada. */
  readonly porta?: number | undefined;
  /** Arquivo que recebe o stderr, como um serviço em produção. */
  readonly log: string;
}

/** O ambiente de quem se mede: nada do que houver no de quem roda o bench muda o que se mede. */
export function ambiente(variaveis: Readonly<Record<string, string>> = {}): Record<string, string> {
  const { PATH = '', HOME = '', TMPDIR = tmpdir() } = process.env;
  return {
    PATH,
    HOME,
    TMPDIR,
    REQUEST_STATE_SECRET: 'um segredo que so existe neste bench e nada vale',
    ...variaveis,
  };
}

export class Processo {
  readonly nome: string;
  readonly log: string;
  readonly #filho: ChildProcess;
  readonly #canal: Canal;

  private constructor({ nome, arquivo, medidor, env, log }: ComoSubir) {
    this.nome = nome;
    this.log = log;
    const saida = openSync(log, 'a');
    this.#filho = fork(arquivo, {
      // Ocioso entre uma linha e outra, o V8 coletaria e jogaria fora código otimizado, o que sob carga contínua não faz.
      execArgv: ['--no-memory-reducer', '--import', pathToFileURL(medidor).href],
      env: ambiente(env),
      // Longe de qualquer .env.
      cwd: dirname(log),
      stdio: ['ignore', 'ignore', saida, 'ipc'],
    });
    closeSync(saida);
    this.#canal = new Canal(this.#filho, nome);
  }

  /** Sobe e espera a porta abrir. */
  static async subir(como: ComoSubir): Promise<Processo> {
    const processo = new Processo(como);
    if (como.porta === undefined) return processo;
    const saiu = new Promise<never>((_, falhou) => {
      processo.#filho.on('exit', (codigo) =>
        falhou(
          new Error(`${como.nome} não subiu (${codigo}): ${readFileSync(como.log, 'utf8').slice(-500)}`),
        ),
      );
    });
    await Promise.race([portaAberta(como.porta), saiu]);
    return processo;
  }

  pedir<T>(operacao: string, argumentos?: unknown): Promise<T> {
    return this.#canal.pedir<T>(operacao, argumentos);
  }

  /** CPU gasta até agora, em microssegundos. */
  cpu(): Promise<number> {
    return this.pedir('cpu');
  }

  derrubar(): Promise<void> {
    return new Promise((pronto) => {
      if (this.#filho.exitCode !== null || this.#filho.signalCode !== null) return pronto();
      this.#filho.on('exit', () => pronto());
      this.#filho.kill('SIGKILL');
    });
  }
}

/** Uma porta que estava livre agora há pouco. */
export async function portaLivre(): Promise<number> {
  const servidor = createServer();
  await new Promise<void>((pronto) => servidor.listen(0, '127.0.0.1', pronto));
  const { port } = servidor.address() as AddressInfo;
  await new Promise((pronto) => servidor.close(pronto));
  return port;
}

const ESPERA_DA_PORTA_MS = 60_000;

/** Espera alguém escutar na porta. @throws {Error} se demorar demais. */
export async function portaAberta(porta: number): Promise<void> {
  const prazo = performance.now() + ESPERA_DA_PORTA_MS;
  while (!(await conecta(porta))) {
    if (performance.now() > prazo) throw new Error(`ninguém escutou na porta ${porta}`);
    await setTimeout(5);
  }
}

function conecta(porta: number): Promise<boolean> {
  return new Promise((pronto) => {
    const conexao = connect(porta, '127.0.0.1', () => {
      conexao.destroy();
      pronto(true);
    });
    conexao.on('error', () => pronto(false));
  });
}
