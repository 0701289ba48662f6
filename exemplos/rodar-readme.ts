/** Roda os comandos de exemplos/README.md, seção por seção, e confere que cada um imprime o que está debaixo dele. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { copiaLimpa, type Processo, portaLivre, rodar, SEGREDO } from '../testes/processos.ts';
import { comShell, lerPassos, type Passo, padrao } from '../testes/roteiro.ts';

const RAIZ = fileURLToPath(new URL('..', import.meta.url));

/** O README dos exemplos. */
export const README = readFileSync(new URL('README.md', import.meta.url), 'utf8');

/** A única seção que instala pacotes: quem a roda é `npm run test:publicos`. */
export const SECAO_DOS_PUBLICOS = 'Envolver servidores que ninguém daqui escreveu';

/** Cada seção de segundo nível que tem comandos. */
export const SECOES = new Map(
  README.split(/^## /m)
    .slice(1)
    .filter((secao) => /^```(bash|sh)$/m.test(secao))
    .map((secao): [string, string] => {
      const fim = secao.indexOf('\n');
      return [secao.slice(0, fim), secao.slice(fim)];
    }),
);

/** Um bloco `sh` fica rodando: a linha do stderr que diz que ele está pronto. */
const PRONTO: readonly (readonly [RegExp, RegExp])[] = [
  [/npm start/, /^agente ouvindo /],
  [/ envolver /, / card-novo /],
  [/ tudo /, / listening on port /],
];

/** As portas do README são as de costume; aqui são outras. */
const PORTAS = ['7300', '7301', '7400', '7401', '3001'] as const;

/** Roda os comandos de uma seção, os que ficam rodando primeiro. Falha no primeiro que não imprime o prometido. */
export async function rodarSecao(titulo: string): Promise<void> {
  const texto = SECOES.get(titulo);
  assert.ok(texto, `falta a seção ${titulo}`);
  const livres = new Map<string, number>();
  for (const porta of PORTAS) livres.set(porta, await portaLivre());
  const comPortas = (comandos: string): string =>
    comandos.replace(/(?<=localhost:|--porta )\d+/g, (porta) => String(livres.get(porta) ?? porta));

  // O que vem antes do primeiro `sh` prepara o que ele usa.
  const [antes = ''] = texto.split('```sh\n');
  const passos = lerPassos(texto);
  const preparo = antes === texto ? 0 : lerPassos(antes).length;
  const servicos: Processo[] = [];
  try {
    await comShell(RAIZ, async (shell) => {
      const conferir = async (passo: Passo): Promise<void> => {
        assert.ok(passo.tipo === 'comandos');
        assert.match(await shell(comPortas(passo.bash)), padrao(comPortas(passo.saida)), passo.bash);
      };
      for (const passo of passos.slice(0, preparo)) await conferir(passo);
      for (const [, comando = ''] of texto.matchAll(/^```sh\n(.*?)^```$/gms)) {
        servicos.push(await deixarRodando(comPortas(comando), livres));
      }
      for (const passo of passos.slice(preparo)) await conferir(passo);
    });
  } finally {
    for (const { pid, fim } of servicos.reverse()) {
      process.kill(-pid, 'SIGINT'); // como um Ctrl-C, que chega a todo o grupo
      await fim;
    }
  }
}

async function deixarRodando(comando: string, portas: ReadonlyMap<string, number>): Promise<Processo> {
  const pronto = PRONTO.find(([qual]) => qual.test(comando))?.[1];
  assert.ok(pronto, `não se sabe quando está pronto: ${comando}`);
  const porta = (nome: (typeof PORTAS)[number]): string => String(portas.get(nome));
  const processo = rodar(['bash', '-c', comando], {
    // Um `.env` novo, se for preciso um, fica na cópia.
    cwd: comando.includes('npm start') ? copiaLimpa() : RAIZ,
    variaveis: {
      AGENTE_PORT: porta('7300'),
      MCP_PORT: porta('7301'),
      PORT: porta('3001'),
      REQUEST_STATE_SECRET: SEGREDO,
    },
  });
  await processo.linha(pronto);
  return processo;
}
