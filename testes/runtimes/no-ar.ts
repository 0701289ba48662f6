/** Os dois serviços no ar, por uma receita, em portas livres: sobe, mede, mata, sobe de novo e para. */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { enviar } from '../chamadas.ts';
import { type Processo, portaLivre, rodar, SEGREDO } from '../processos.ts';
import { comoProcesso } from './receitas.ts';

/** A raiz do repositório, com a barra no fim. */
export const RAIZ = fileURLToPath(new URL('../..', import.meta.url));
const PRAZO_PARA_SUBIR_MS = 30_000;
const ENTRE_TENTATIVAS_MS = 20;

export class NoAr {
  /** Bases, sem barra no fim. */
  readonly agente: string;
  readonly outroAgente: string;
  readonly mcp: string;
  /** Do comando à primeira resposta que passou pelos dois serviços. */
  primeiraRespostaMs = 0;
  readonly #scripts: readonly string[];
  readonly #variaveis: Readonly<Record<string, string>>;
  readonly #estado = mkdtempSync(join(tmpdir(), 'ponte-estado-'));
  #processos: Processo[] = [];

  private constructor(
    scripts: readonly string[],
    variaveis: Readonly<Record<string, string>>,
    [mcp, agente, outro]: readonly [number, number, number],
  ) {
    this.#scripts = scripts;
    this.agente = `http://localhost:${agente}`;
    this.outroAgente = `http://localhost:${outro}`;
    this.mcp = `http://localhost:${mcp}`;
    this.#variaveis = {
      HOME: tmpdir(),
      REQUEST_STATE_SECRET: SEGREDO,
      MCP_PORT: String(mcp),
      AGENTE_PORT: String(agente),
      OUTRO_AGENTE_PORT: String(outro),
      ESTADO: this.#estado,
      ...variaveis,
    };
  }

  /** Sobe todos os processos da receita e espera que atendam. */
  static async subir(
    scripts: readonly string[],
    variaveis: Readonly<Record<string, string>> = {},
  ): Promise<NoAr> {
    const portas = [await portaLivre(), await portaLivre(), await portaLivre()] as const;
    const noAr = new NoAr(scripts, variaveis, portas);
    const inicio = performance.now();
    noAr.#processos = scripts.map((script) => noAr.#rodar(script));
    await noAr.#esperar();
    await enviar(`${noAr.agente}/a2a`, PEDIDO_QUE_NADA_RESERVA);
    noAr.primeiraRespostaMs = performance.now() - inicio;
    return noAr;
  }

  /** Mata o processo do servidor MCP (o primeiro da receita, que pode ser o único) e sobe outro igual. */
  async matarServidorMcp(): Promise<void> {
    await this.#processos[0]?.parar('SIGKILL');
    this.#processos[0] = this.#rodar(this.#scripts[0] as string);
    await this.#esperar();
  }

  /** Memória residente de tudo o que a receita deixou rodando, em MB. */
  memoriaMB(): number {
    const linhas = execFileSync('ps', ['-eo', 'pid=,ppid=,rss='], { encoding: 'utf8' }).trim().split('\n');
    const tabela = linhas.map((linha) => linha.trim().split(/\s+/).map(Number) as [number, number, number]);
    const arvore = new Set(this.#processos.map(({ pid }) => pid));
    // Filhos nascem depois dos pais, mas nem sempre com número maior: repete até não achar mais ninguém.
    for (let antes = 0; antes !== arvore.size; ) {
      antes = arvore.size;
      for (const [pid, ppid] of tabela) if (arvore.has(ppid)) arvore.add(pid);
    }
    const kb = tabela.reduce((soma, [pid, , rss]) => (arvore.has(pid) ? soma + rss : soma), 0);
    return kb / 1024;
  }

  /** Para com calma. @returns o que não foi calmo: um código de saída que não é 0, uma falha no log. */
  async parar(): Promise<readonly string[]> {
    const queixas: string[] = [];
    for (const processo of [...this.#processos].reverse()) {
      const { codigo, sinal } = await processo.parar();
      if (codigo !== 0) queixas.push(`SIGTERM: saiu com ${codigo ?? sinal}`);
      queixas.push(...(processo.stderr().match(/^.*(?:falha|[Ee]rror\b|[Ee]xception).*$/gm) ?? []));
    }
    rmSync(this.#estado, { recursive: true, force: true });
    return queixas;
  }

  /** Mata o que ainda estiver rodando, de qualquer jeito. */
  async derrubar(): Promise<void> {
    await Promise.all(this.#processos.map((processo) => processo.parar('SIGKILL')));
    rmSync(this.#estado, { recursive: true, force: true });
  }

  #rodar(script: string): Processo {
    return rodar(comoProcesso(script), { cwd: RAIZ, variaveis: this.#variaveis });
  }

  #esperar(): Promise<void> {
    return esperarQueAtendam(
      [`${this.mcp}/mcp`, `${this.agente}/.well-known/agent-card.json`],
      this.#processos,
    );
  }
}

/**
 * Espera que todos os endereços respondam, seja o que for. O workerd não avisa quando está pronto: só resta perguntar.
 * @throws {Error} se um dos processos acabar antes, com o stderr dele.
 */
export async function esperarQueAtendam(
  urls: readonly string[],
  processos: readonly Processo[],
): Promise<void> {
  const morte = Promise.race(
    processos.map(async (processo) => {
      const { codigo, sinal } = await processo.fim;
      throw new Error(`saiu com ${codigo ?? sinal} antes de atender:\n${processo.stderr()}`);
    }),
  );
  morte.catch(() => undefined); // depois de pronto, acabar é o esperado
  const limite = performance.now() + PRAZO_PARA_SUBIR_MS;
  for (const url of urls) {
    while (!(await Promise.race([atende(url), morte]))) {
      if (performance.now() > limite) throw new Error(`nada atende em ${url}`);
      await new Promise((pronto) => setTimeout(pronto, ENTRE_TENTATIVAS_MS));
    }
  }
}

const PEDIDO_QUE_NADA_RESERVA =
  'reservar sala=sala-inexistente inicio=2026-11-03T09:00:00-03:00 fim=2026-11-03T10:00:00-03:00 responsavel=Biff';

async function atende(url: string): Promise<boolean> {
  try {
    await (await fetch(url)).text();
    return true;
  } catch {
    return false;
  }
}
