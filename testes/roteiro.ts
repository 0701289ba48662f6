/** Um roteiro em Markdown: os blocos de comandos, o que cada um promete imprimir, e um bash que os roda em ordem. */
import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';

/** Um passo do roteiro, na ordem do texto. */
export type Passo =
  | { readonly tipo: 'comandos'; readonly bash: string; readonly saida: string }
  | { readonly tipo: 'log'; readonly linhas: string }
  | { readonly tipo: 'reiniciar'; readonly processo: string };

/** Um bloco ```bash e o ```text que o segue, um bloco ```log, ou um comentário `<!-- reiniciar: nome -->`. */
const PASSO =
  /^```bash\n(?<bash>.*?)^```\n(?:\n```text\n(?<saida>.*?)^```$)?|^```log\n(?<log>.*?)^```$|^<!-- reiniciar: (?<processo>[\w-]+) -->$/gms;

/** Lê os passos de um trecho de Markdown. Sem bloco `text`, os comandos prometem não imprimir nada. */
export function lerPassos(markdown: string): readonly Passo[] {
  return [...markdown.matchAll(PASSO)].map(({ groups = {} }): Passo => {
    const { bash, saida = '', log, processo } = groups;
    if (bash !== undefined) return { tipo: 'comandos', bash, saida };
    if (log !== undefined) return { tipo: 'log', linhas: log };
    return { tipo: 'reiniciar', processo: processo as string };
  });
}

/** A expressão que casa com um texto em que `…` vale por qualquer coisa, na mesma linha. */
export function padrao(texto: string): RegExp {
  const partes = texto.split('…').map((parte) => parte.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&'));
  return new RegExp(`^${partes.join('.*')}$`);
}

/** Roda os comandos no bash aberto. @returns o que eles imprimiram, no stdout e no stderr. */
export type Shell = (comandos: string) => Promise<string>;

/** Abre um bash na pasta dada, enquanto durar `usar`: o que um comando define, o seguinte vê. */
export async function comShell<T>(cwd: string, usar: (shell: Shell) => Promise<T>): Promise<T> {
  const processo = spawn('bash', ['--noprofile', '--norc'], { cwd, stdio: ['pipe', 'pipe', 'ignore'] });
  const linhas = createInterface({ input: processo.stdout })[Symbol.asyncIterator]();
  processo.stdin.write('exec 2>&1\n');
  try {
    return await usar(async (comandos) => {
      const marca = `fim-${crypto.randomUUID()}`;
      processo.stdin.write(`${comandos}\nprintf '\\n%s\\n' ${marca}\n`);
      let saida = '';
      for (let lida = await linhas.next(); lida.value !== marca; lida = await linhas.next()) {
        if (lida.done) throw new Error(`O bash acabou no meio de:\n${comandos}\n${saida}`);
        saida += `${lida.value}\n`;
      }
      // A marca vem depois de uma quebra de linha nossa.
      return saida.slice(0, -1);
    });
  } finally {
    processo.kill();
  }
}
