import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { builtinModules } from 'node:module';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { build, transformSync } from 'esbuild';

const RAIZ = fileURLToPath(new URL('..', import.meta.url));

const GLOBAIS_DE_UM_RUNTIME = /\b(process|Buffer|global|require|Deno|Bun)\b[.(]|\b__(dir|file)name\b/;

interface Alcance {
  /** Módulos que algum arquivo do pacote espera do runtime. */
  readonly externos: readonly string[];
  /** Arquivos deste repositório que entram no pacote. */
  readonly arquivos: readonly string[];
}

/** O que só o workerd oferece, e só as entradas dele podem pedir. */
const DO_WORKERD = 'cloudflare:workers';

/**
 * Plataforma neutra: o esbuild não supõe nenhum módulo embutido. As condições escolhem, nos pacotes que têm um arquivo
 * para cada plataforma, a dos Workers e a dos navegadores; sem nenhuma, o SDK do MCP dá a do Node.
 */
const CONDICOES = { workers: ['workerd', 'worker', 'browser'], navegadores: ['browser'] } as const;

/** Empacota e diz o que se alcança. */
async function alcancar(entrada: string, condicoes: readonly string[]): Promise<Alcance> {
  const { metafile } = await build({
    absWorkingDir: RAIZ,
    entryPoints: [entrada],
    bundle: true,
    write: false,
    metafile: true,
    format: 'esm',
    platform: 'neutral',
    mainFields: ['module', 'main'],
    conditions: [...condicoes],
    external: ['node:*', ...builtinModules, DO_WORKERD],
  });
  const arquivos = Object.keys(metafile.inputs).filter((arquivo) => !arquivo.startsWith('node_modules/'));
  const externos = Object.values(metafile.inputs)
    .flatMap(({ imports }) => imports)
    .filter(({ external }) => external)
    .map(({ path }) => path);
  return { externos, arquivos };
}

for (const entrada of [
  'servidor-mcp/app.ts',
  'agente/app.ts',
  'agente/a2a/servidor.ts',
  'exemplos/redator/agente.ts',
  'exemplos/envolver-mcp/app.ts',
]) {
  for (const [plataforma, condicoes] of Object.entries(CONDICOES)) {
    test(`${entrada} não alcança módulo, global nem adaptador de Node, nem objeto durável (${plataforma})`, async () => {
      const { externos, arquivos } = await alcancar(entrada, condicoes);
      assert.deepEqual(externos, []);
      assert.deepEqual(
        arquivos.filter((arquivo) =>
          /(^|\/)(node|bun|deno|processo|worker|workerd)\.ts$|\/duravel\//.test(arquivo),
        ),
        [],
      );
      conferirGlobais(arquivos);
    });
  }
}

for (const entrada of [
  'servidor-mcp/workerd.ts',
  'servidor-mcp/duravel/workerd.ts',
  'agente/workerd.ts',
  'agente/duravel/workerd.ts',
]) {
  test(`${entrada} só pede ao runtime o que o workerd oferece`, async () => {
    const { externos, arquivos } = await alcancar(entrada, CONDICOES.workers);
    assert.deepEqual(new Set(externos), new Set([DO_WORKERD]));
    assert.deepEqual(
      arquivos.filter((arquivo) => /(^|\/)(node|bun|deno|processo)\.ts$/.test(arquivo)),
      [],
    );
    conferirGlobais(arquivos);
  });
}

test('a conferência acha o que procura: a entrada de Node alcança o Node', async () => {
  const { externos, arquivos } = await alcancar('agente/node.ts', CONDICOES.workers);
  assert.ok(externos.includes('node:http'), externos.join());
  assert.ok(arquivos.includes('comum/processo.ts'), arquivos.join());
});

function conferirGlobais(arquivos: readonly string[]): void {
  for (const arquivo of arquivos) {
    // Sem os comentários, que podem falar de outros runtimes.
    const { code } = transformSync(readFileSync(`${RAIZ}/${arquivo}`, 'utf8'), {
      loader: arquivo.endsWith('.json') ? 'json' : arquivo.endsWith('.md') ? 'text' : 'ts',
      minifyWhitespace: true,
    });
    assert.doesNotMatch(code, GLOBAIS_DE_UM_RUNTIME, arquivo);
  }
}
