import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { builtinModules } from 'node:module';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { build, transformSync } from 'esbuild';

const RAIZ = fileURLToPath(new URL('..', import.meta.url));

const GLOBAIS_DE_UM_RUNTIME = /\b(process|Buffer|global|require|Deno|Bun)\b[.(]|\b__(dir|file)name\b/;

interface Alcance {
  /** Módulos embutidos do Node que algum arquivo do pacote importa. */
  readonly doNode: readonly string[];
  /** Arquivos deste repositório que entram no pacote. */
  readonly arquivos: readonly string[];
}

/** Empacota para uma plataforma qualquer, como fazem Bun, Deno, workerd e os navegadores, e diz o que se alcança. */
async function alcancar(entrada: string): Promise<Alcance> {
  const { metafile } = await build({
    absWorkingDir: RAIZ,
    entryPoints: [entrada],
    bundle: true,
    write: false,
    metafile: true,
    format: 'esm',
    platform: 'browser',
    conditions: ['workerd', 'worker'],
    external: ['node:*', ...builtinModules],
  });
  const arquivos = Object.keys(metafile.inputs).filter((arquivo) => !arquivo.startsWith('node_modules/'));
  const doNode = Object.values(metafile.inputs)
    .flatMap(({ imports }) => imports)
    .filter(({ external }) => external)
    .map(({ path }) => path);
  return { doNode, arquivos };
}

for (const entrada of [
  'servidor-mcp/app.ts',
  'agente/app.ts',
  'agente/a2a/servidor.ts',
  'exemplos/redator/agente.ts',
  'exemplos/envolver-mcp/app.ts',
]) {
  test(`${entrada} não alcança módulo, global nem adaptador de Node, nem objeto durável`, async () => {
    const { doNode, arquivos } = await alcancar(entrada);
    assert.deepEqual(doNode, []);
    assert.deepEqual(
      arquivos.filter((arquivo) =>
        /(^|\/)(node|bun|deno|processo|worker|workerd)\.ts$|\/duravel\//.test(arquivo),
      ),
      [],
    );
    for (const arquivo of arquivos) {
      // Sem os comentários, que podem falar de outros runtimes.
      const { code } = transformSync(readFileSync(`${RAIZ}/${arquivo}`, 'utf8'), {
        loader: 'ts',
        minifyWhitespace: true,
      });
      assert.doesNotMatch(code, GLOBAIS_DE_UM_RUNTIME, arquivo);
    }
  });
}

test('a conferência acha o que procura: a entrada de Node alcança o Node', async () => {
  const { doNode, arquivos } = await alcancar('agente/node.ts');
  assert.ok(doNode.includes('node:http'), doNode.join());
  assert.ok(arquivos.includes('comum/processo.ts'), arquivos.join());
});
