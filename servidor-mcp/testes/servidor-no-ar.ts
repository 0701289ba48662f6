/** Sobe o processo de verdade, numa porta livre, e deixa ver o que ele escreve no stderr. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { tmpdir } from 'node:os';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';

/** Um segredo que só os testes usam. */
export const SEGREDO = 'segredo-que-so-os-testes-usam-'.repeat(2);

// Só para que um teste com defeito falhe em vez de esperar para sempre.
const PRAZO_DE_UMA_LINHA_MS = 60_000;

const ENTRADA = fileURLToPath(new URL('../node.ts', import.meta.url));

/** Um processo do servidor MCP. */
export interface ServidorNoAr {
  readonly porta: number;
  /** URL do endpoint `/mcp`. */
  readonly url: string;
  /** As linhas do stderr até agora. */
  readonly linhas: readonly string[];
  /** Espera uma linha que case com o padrão, contando as que já saíram. */
  linha(padrao: RegExp): Promise<string>;
  /** Manda um sinal e espera o fim; devolve o código de saída, ou `null` se o sinal o matou. */
  parar(sinal?: NodeJS.Signals): Promise<number | null>;
}

/** Roda a entrada de Node com este ambiente, numa pasta sem `.env`. */
export function rodar(ambiente: Record<string, string>): ChildProcess {
  const { PATH } = process.env;
  return spawn(process.execPath, ['--import', import.meta.resolve('tsx'), ENTRADA], {
    cwd: tmpdir(),
    env: { ...(PATH && { PATH }), MCP_PORT: '0', ...ambiente },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
}

/** Sobe um servidor e espera que esteja ouvindo. */
export async function subirServidor(ambiente: Record<string, string> = {}): Promise<ServidorNoAr> {
  const processo = rodar({ REQUEST_STATE_SECRET: SEGREDO, ...ambiente });
  const linhas: string[] = [];
  const esperas = new Set<() => void>();
  const avisar = (): void => {
    for (const conferir of esperas) conferir();
  };
  const leitor = createInterface({ input: processo.stderr as NodeJS.ReadableStream });
  leitor.on('line', (linha) => {
    linhas.push(linha);
    avisar();
  });
  // Só acabou quando a última linha foi lida, e não já quando o processo saiu.
  const fim = Promise.all([once(processo, 'exit'), once(leitor, 'close')]).then(
    ([[codigo]]) => codigo as number | null,
  );

  const linha = (padrao: RegExp): Promise<string> =>
    new Promise((pronto, falhou) => {
      const desistir = (porque: string): void =>
        falhou(new Error(`${porque} sem ${padrao}:\n${linhas.join('\n')}`));
      const prazo = setTimeout(() => desistir('o prazo acabou'), PRAZO_DE_UMA_LINHA_MS);
      const conferir = (): void => {
        const achada = linhas.find((candidata) => padrao.test(candidata));
        if (achada === undefined) return;
        esperas.delete(conferir);
        clearTimeout(prazo);
        pronto(achada);
      };
      esperas.add(conferir);
      conferir();
      fim.then((codigo) => {
        clearTimeout(prazo);
        desistir(`o processo saiu (${codigo})`);
      });
    });

  const porta = Number(/porta=(\d+)/.exec(await linha(/ouvindo/))?.[1]);
  return {
    porta,
    url: `http://127.0.0.1:${porta}/mcp`,
    linhas,
    linha,
    parar(sinal = 'SIGTERM') {
      processo.kill(sinal);
      return fim;
    },
  };
}
