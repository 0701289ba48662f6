import assert from 'node:assert/strict';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { test } from 'node:test';
import { rodar } from './servidor-no-ar.ts';

test('sem segredo, ou com um curto, não sobe, e diz como gerar e exportar um', async () => {
  for (const ambiente of [{}, { REQUEST_STATE_SECRET: 'curto' }] as Record<string, string>[]) {
    const processo = rodar(ambiente);
    const [stderr, [codigo]] = await Promise.all([
      text(processo.stderr as NodeJS.ReadableStream),
      once(processo, 'exit'),
    ]);
    assert.equal(codigo, 1);
    assert.match(
      stderr,
      /export REQUEST_STATE_SECRET=\$\(python3 -c "import secrets; print\(secrets\.token_hex\(32\)\)"\)/,
    );
    assert.doesNotMatch(stderr, /\n\s+at |curto/);
  }
});
