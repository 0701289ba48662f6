/** Roda `validar.py` como um usuário o rodaria, e lê o que ele imprimiu. */
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';

/** O que o validador imprimiu e como terminou. */
export interface Rodada {
  readonly codigo: number | null;
  readonly linhas: readonly string[];
  /** Números das verificações que passaram e das que falharam, na ordem impressa. */
  readonly passaram: readonly number[];
  readonly falharam: readonly number[];
}

const VALIDADOR = fileURLToPath(new URL('validar.py', import.meta.url));

// Um gerenciador de versões pode pôr no PATH um script que leva mais tempo para achar o Python do que o validador leva
// para rodar.
const PYTHON = execFileSync('python3', ['-c', 'import sys; print(sys.executable)'], {
  encoding: 'utf8',
}).trim();

/**
 * Roda o validador e espera ele terminar.
 * @param argumentos linha de comando, sem o nome do script.
 */
export async function rodarValidador(...argumentos: readonly string[]): Promise<Rodada> {
  const processo = spawn(PYTHON, [VALIDADOR, ...argumentos], { stdio: ['ignore', 'pipe', 'pipe'] });
  const [saida, erros, [codigo]] = await Promise.all([
    text(processo.stdout),
    text(processo.stderr),
    once(processo, 'exit') as Promise<[number | null]>,
  ]);
  if (erros) throw new Error(`O validador escreveu no stderr:\n${erros}`);
  const linhas = saida.split('\n');
  const numeros = (veredito: string): number[] =>
    linhas.filter((linha) => linha.startsWith(`${veredito} `)).map((linha) => Number(linha.slice(5, 7)));
  return { codigo, linhas, passaram: numeros('PASS'), falharam: numeros('FAIL') };
}
