import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { LIMITE_DO_CORPO, lerJson } from './corpo.ts';

type Corpo = string | Uint8Array<ArrayBuffer> | ReadableStream<Uint8Array>;

function request(body: Corpo, headers: Record<string, string> = {}): Request {
  return new Request('http://localhost/', { method: 'POST', body, headers, duplex: 'half' } as RequestInit);
}

/** Com Content-Length e sem ele o corpo é lido por caminhos diferentes. */
const FORMAS: Record<string, (corpo: string | Uint8Array<ArrayBuffer>) => Request> = {
  'com Content-Length': (corpo) =>
    request(corpo, {
      'content-length': String(
        typeof corpo === 'string' ? new TextEncoder().encode(corpo).length : corpo.length,
      ),
    }),
  'sem Content-Length': (corpo) => request(corpo),
  'com um Content-Length que não é número': (corpo) => request(corpo, { 'content-length': '1e3' }),
};

for (const [forma, montar] of Object.entries(FORMAS)) {
  describe(forma, () => {
    test('um JSON é lido, com acentos e com BOM', async () => {
      assert.deepEqual(await lerJson(montar('{"nome":"João","n":[1,null]}')), {
        valor: { nome: 'João', n: [1, null] },
      });
      assert.deepEqual(await lerJson(montar('\ufeff{}')), { valor: {} });
    });

    test('o que não é JSON é recusado', async () => {
      for (const corpo of [
        '',
        ' ',
        '{',
        '{"a":1',
        "{'a':1}",
        '{}{}',
        'NaN',
        '{"a":undefined}',
        '[1,]',
        '\u0000{}',
        '"\n"',
      ]) {
        const lido = await lerJson(montar(corpo));
        assert.deepEqual(
          lido,
          { falha: 'invalido', motivo: 'O corpo não é um JSON válido' },
          JSON.stringify(corpo),
        );
      }
    });

    test('o que não é UTF-8 é recusado, em vez de virar outro texto', async () => {
      for (const bytes of [
        [0xff],
        [0x22, 0xc3, 0x22],
        [0x22, 0xc0, 0xaf, 0x22],
        [0x22, 0xed, 0xa0, 0x80, 0x22],
      ]) {
        const lido = await lerJson(montar(new Uint8Array(bytes)));
        assert.deepEqual(lido, { falha: 'invalido', motivo: 'O corpo não é UTF-8 válido' });
      }
    });

    test('no limite de bytes é lido, e um byte depois não', async () => {
      const corpo = JSON.stringify('é'.repeat(10));
      assert.equal(new TextEncoder().encode(corpo).length, 22);
      assert.deepEqual(await lerJson(montar(corpo), 22), { valor: 'é'.repeat(10) });
      assert.deepEqual(await lerJson(montar(corpo), 21), {
        falha: 'grande',
        motivo: 'O corpo passa do limite de 21 bytes',
      });
    });

    test('aninhar até 100 níveis passa; mais que isso é recusado sem estourar a pilha', async () => {
      const fundo = (niveis: number): string => '[{"a":'.repeat(niveis / 2) + 0 + '}]'.repeat(niveis / 2);
      assert.ok('valor' in (await lerJson(montar(fundo(100)))));
      assert.deepEqual(await lerJson(montar(fundo(102))), {
        falha: 'invalido',
        motivo: 'O JSON passa de 100 níveis de aninhamento',
      });
      assert.ok('falha' in (await lerJson(montar('['.repeat(500_000)))));
    });

    test('colchetes dentro de um texto não são aninhamento', async () => {
      const texto = `${'[{'.repeat(200)}\\"${'['.repeat(200)}\\`;
      assert.deepEqual(await lerJson(montar(JSON.stringify([texto, '\\']))), { valor: [texto, '\\'] });
    });
  });
}

test('de um corpo sem fim só se lê até passar do limite, e o stream é cancelado', async () => {
  let mandados = 0;
  let cancelado = false;
  const semFim = new ReadableStream<Uint8Array>(
    {
      pull(controle) {
        controle.enqueue(new Uint8Array(64 * 1024));
        mandados += 64 * 1024;
      },
      cancel() {
        cancelado = true;
      },
    },
    { highWaterMark: 0 },
  );
  assert.equal('falha' in (await lerJson(request(semFim))) && cancelado, true);
  assert.ok(mandados <= LIMITE_DO_CORPO + 2 * 64 * 1024, `leu ${mandados}`);
});

test('um Content-Length acima do limite é recusado sem ler nada', async () => {
  let leu = false;
  const corpo = new ReadableStream<Uint8Array>(
    {
      pull() {
        leu = true;
      },
    },
    { highWaterMark: 0 },
  );
  const lido = await lerJson(request(corpo, { 'content-length': String(LIMITE_DO_CORPO + 1) }));
  assert.deepEqual(['falha' in lido && lido.falha, leu], ['grande', false]);
});

test('um corpo que não chega inteiro é recusado, e não uma falha nossa', async () => {
  const corpo = (): ReadableStream<Uint8Array> =>
    new ReadableStream({
      start(controle) {
        controle.enqueue(new TextEncoder().encode('{"a":'));
        controle.error(new Error('ECONNRESET'));
      },
    });
  for (const headers of [{}, { 'content-length': '10' }]) {
    assert.deepEqual(await lerJson(request(corpo(), headers)), {
      falha: 'invalido',
      motivo: 'O corpo não chegou inteiro',
    });
  }
});

test('__proto__ e constructor chegam como chaves comuns e não mudam protótipo nenhum', async () => {
  const lido = await lerJson(
    request('{"__proto__":{"invadido":1},"constructor":{"prototype":{"invadido":1}}}'),
  );
  assert.ok('valor' in lido);
  assert.deepEqual(Object.keys(lido.valor as object), ['__proto__', 'constructor']);
  assert.equal(({} as { invadido?: number }).invadido, undefined);
});
