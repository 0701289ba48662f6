import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { test } from 'node:test';
import { README, rodarSecao, SECAO_DOS_PUBLICOS, SECOES } from './rodar-readme.ts';

const AQUI = new URL('.', import.meta.url);
const ler = (arquivo: string): string => readFileSync(new URL(arquivo, AQUI), 'utf8');

for (const titulo of SECOES.keys()) {
  if (titulo === SECAO_DOS_PUBLICOS) continue;
  test(`exemplos/README.md, "${titulo}": cada comando imprime o que está debaixo dele`, () =>
    rodarSecao(titulo));
}

test('todo comando do README está numa seção que um teste roda, e todo npm run existe', () => {
  assert.ok(SECOES.has(SECAO_DOS_PUBLICOS));
  const blocos = (texto: string): number => texto.match(/^```(bash|sh)$/gm)?.length ?? 0;
  assert.equal(
    Array.from(SECOES.values()).reduce((soma, secao) => soma + blocos(secao), 0),
    blocos(README),
  );
  const scripts = [ler('../package.json'), ler('envolver-mcp/publicos/package.json')].map(
    (texto) => (JSON.parse(texto) as { scripts: object }).scripts,
  );
  for (const [, nome = ''] of README.matchAll(/npm run (?:-s )?([\w:-]+)/g)) {
    assert.ok(
      scripts.some((conjunto) => Object.hasOwn(conjunto, nome)),
      nome,
    );
  }
});

for (const pagina of ['README.md', 'leitura-v1.md', 'envolver-mcp/README.md', 'envolver-mcp/opacidade.md']) {
  test(`exemplos/${pagina}: todo link leva a um arquivo que existe`, () => {
    for (const [, alvo = ''] of ler(pagina).matchAll(/\]\(([^)]+)\)/g)) {
      if (!/^https?:/.test(alvo)) assert.ok(existsSync(new URL(alvo, new URL(pagina, AQUI))), alvo);
    }
  });
}
