/** As receitas de wrangler-free.md: os comandos que o texto mostra são os que o teste roda. */
import { readFileSync } from 'node:fs';

const DOCUMENTO = new URL('../../wrangler-free.md', import.meta.url);
const BLOCO = /^```sh (?<nome>[\w-]+)\n(?<comandos>.*?)^```$/gms;

/** Os scripts de cada receita, na ordem do texto: um por processo, e o do servidor MCP vem antes do do agente. */
export type Receitas = ReadonlyMap<string, readonly string[]>;

/** Lê todos os blocos ` ```sh nome ` do documento. */
export function lerReceitas(): Receitas {
  const receitas = new Map<string, string[]>();
  for (const { groups = {} } of readFileSync(DOCUMENTO, 'utf8').matchAll(BLOCO)) {
    const { nome = '', comandos = '' } = groups;
    receitas.set(nome, [...(receitas.get(nome) ?? []), comandos]);
  }
  return receitas;
}

/**
 * Um script pronto para ser um processo só: o último comando toma o lugar do shell, para que os sinais cheguem a ele.
 */
export function comoProcesso(script: string): readonly ['bash', ...string[]] {
  const inteiro = script.trim().replaceAll('\\\n', ' ').split('\n');
  const ultimo = inteiro.pop() as string;
  return ['bash', '-ec', [...inteiro, `exec ${ultimo}`].join('\n')];
}
