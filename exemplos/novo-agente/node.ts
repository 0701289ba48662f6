/** `npm run exemplo:novo-agente -- <plano.json>`: a especificação no stdout, ou as recusas no stderr. */
import { readFile } from 'node:fs/promises';
import * as z from 'zod';
import { especificar } from './especificacao.ts';
import { Plano, type PlanoAceito, recusar } from './plano.ts';

const [arquivo = 'exemplos/novo-agente/redator.json'] = process.argv.slice(2);

try {
  const lido = Plano.safeParse(JSON.parse(await readFile(arquivo, 'utf8')), {
    error: z.locales.pt().localeError,
  });
  const recusas = lido.success
    ? recusar(lido.data)
    : lido.error.issues.map(({ path, message }) => `${path.join('.') || 'plano'}: ${message}`);
  if (lido.success && recusas.length === 0) process.stdout.write(especificar(lido.data as PlanoAceito));
  else {
    console.error(
      `${arquivo} não pode virar um agente:\n${recusas.map((recusa) => `- ${recusa}`).join('\n')}`,
    );
    process.exitCode = 1;
  }
} catch (erro) {
  console.error(`Não consegui ler o plano em ${arquivo}: ${erro instanceof Error ? erro.message : erro}`);
  process.exitCode = 1;
}
