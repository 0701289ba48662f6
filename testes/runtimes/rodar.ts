/**
 * `npm run test:runtimes`: os mesmos handlers, em cada runtime, pelas receitas de wrangler-free.md.
 * Uma linha por runtime; sai com código 1 se alguma falhar. Com argumentos, só as linhas cujo nome contém um deles.
 */
import { execFileSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { conferirEquivalencia } from './equivalencia-no-ar.ts';
import { NoAr } from './no-ar.ts';
import {
  clienteOficial,
  doisAgentes,
  type Prova,
  reinicioDoServidor,
  reinicioDosDois,
  reinicioDuravel,
  validador,
} from './provas.ts';
import { lerReceitas } from './receitas.ts';

interface Linha {
  readonly nome: string;
  readonly receita: string;
  readonly provas: readonly Prova[];
  /** O executável que se roda, e que diz a sua versão com `--version`. */
  readonly executavel: string;
  /** Pasta a pôr na frente do PATH, para trocar o `node` que as receitas de Node usam. */
  readonly caminho?: string;
}

const RAIZ = fileURLToPath(new URL('../..', import.meta.url));
const BIN = `${RAIZ}runtimes/node_modules/.bin`;
const pasta = (versao: string): string => `${RAIZ}runtimes/node_modules/node-${versao}/bin`;
const deNode = (versao: string, receita: string, provas: readonly Prova[]): Linha => ({
  nome: `Node ${versao} (${receita})`,
  receita,
  provas,
  executavel: `${pasta(versao)}/node`,
  caminho: pasta(versao),
});

const JUNTOS = [validador, clienteOficial];
const SEPARADOS = [...JUNTOS, reinicioDoServidor];

const LINHAS: readonly Linha[] = [
  { nome: 'Node (npm-start)', receita: 'npm-start', provas: JUNTOS, executavel: process.execPath },
  { nome: 'Node (npm-run)', receita: 'npm-run', provas: SEPARADOS, executavel: process.execPath },
  deNode('22', 'npm-start', JUNTOS),
  deNode('22', 'fontes', SEPARADOS),
  deNode('24', 'npm-start', JUNTOS),
  deNode('24', 'fontes', SEPARADOS),
  { nome: 'Bun', receita: 'bun', provas: SEPARADOS, executavel: `${BIN}/bun` },
  { nome: 'Deno', receita: 'deno', provas: SEPARADOS, executavel: `${BIN}/deno` },
  { nome: 'workerd (HTTP)', receita: 'workerd', provas: SEPARADOS, executavel: `${BIN}/workerd` },
  {
    nome: 'workerd (binding)',
    receita: 'workerd-binding',
    provas: [...JUNTOS, reinicioDosDois],
    executavel: `${BIN}/workerd`,
  },
  {
    nome: 'workerd (durável)',
    receita: 'workerd-duravel',
    provas: [...JUNTOS, doisAgentes, reinicioDuravel],
    executavel: `${BIN}/workerd`,
  },
];

const receitas = lerReceitas();
for (const script of receitas.get('preparo') ?? []) {
  execFileSync('bash', ['-ec', script], { cwd: RAIZ, stdio: 'inherit' });
}

const escolhidas = process.argv.slice(2);
const resultados: boolean[] = [];
for (const linha of LINHAS) await relatar(linha.nome, () => provar(linha));
await relatar('memória = durável', async () => {
  const sementes = [1, 2, Math.trunc(Math.random() * 1e9)];
  await conferirEquivalencia(`${BIN}/workerd`, sementes);
  return `sementes ${sementes.join(', ')}`;
});
const passaram = resultados.filter(Boolean).length;
console.log(`${passaram} passed, ${resultados.length - passaram} failed`);
process.exit(passaram === resultados.length ? 0 : 1);

async function relatar(nome: string, fazer: () => Promise<string>): Promise<void> {
  if (escolhidas.length > 0 && !escolhidas.some((parte) => nome.includes(parte))) return;
  try {
    const detalhes = await fazer();
    console.log(`ok      ${nome.padEnd(20)} ${detalhes}`);
    resultados.push(true);
  } catch (erro) {
    console.log(`FALHOU  ${nome.padEnd(20)} ${erro instanceof Error ? erro.message : erro}`);
    resultados.push(false);
  }
}

/** Uma linha da tabela: sobe, prova, mede e para. */
async function provar({ receita, provas, executavel, caminho }: Linha): Promise<string> {
  const scripts = receitas.get(receita);
  if (!scripts) throw new Error(`wrangler-free.md não tem a receita ${receita}`);
  const versao = /\d[\d.-]*/.exec(execFileSync(executavel, ['--version'], { encoding: 'utf8' }))?.[0] ?? '?';
  const noAr = await NoAr.subir(scripts, caminho ? { PATH: `${caminho}:${process.env.PATH}` } : {});
  try {
    for (const prova of provas) await prova(noAr);
    const [ms, mb] = [noAr.primeiraRespostaMs, noAr.memoriaMB()].map((n) => n.toFixed(0).padStart(5));
    const queixas = await noAr.parar();
    if (queixas.length > 0) throw new Error(queixas.join('\n'));
    return `${versao.padEnd(10)}  36/36  ${ms} ms  ${mb} MB`;
  } finally {
    await noAr.derrubar();
  }
}
