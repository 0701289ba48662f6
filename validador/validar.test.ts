import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, test } from 'node:test';
import { portaLivre } from '../testes/processos.ts';
import { ACEITOS, CASOS, derrubadas, emRodadas } from './casos.ts';
import { rodarComEstragos } from './interceptador.ts';
import { type Rodada, rodarValidador } from './rodar.ts';

const TODAS = Array.from({ length: 36 }, (_, indice) => indice + 1);

/** Exige que só as verificações dadas falhem, e o código de saída que isso pede. */
function exigirFalhas(
  rodada: Rodada,
  esperadas: readonly number[],
  codigo = esperadas.length > 0 ? 1 : 0,
): void {
  assert.deepEqual(rodada.falharam, esperadas, rodada.linhas.join('\n'));
  assert.deepEqual(
    rodada.passaram,
    TODAS.filter((numero) => !esperadas.includes(numero)),
  );
  assert.equal(rodada.codigo, codigo);
}

describe('validador contra os serviços', { concurrency: 2 }, () => {
  test('sem estrago, as 36 passam em ordem, com código 0 e o trace-id na primeira linha', async () => {
    const rodada = await rodarComEstragos();
    exigirFalhas(rodada, []);
    assert.match(rodada.linhas[0] ?? '', /^trace-id: [0-9a-f]{32}$/);
  });

  test('a tabela de estragos visa cada uma das 36', () => {
    assert.deepEqual(
      [...new Set(CASOS.map(({ v }) => v))].sort((a, b) => a - b),
      TODAS,
    );
  });

  for (const casos of emRodadas(CASOS)) {
    const nomes = casos.map(({ v, que }) => `${v}: ${que}`);
    test(`só reprovam as verificações visadas ao estragar ${nomes.join('; ')}`, async () => {
      exigirFalhas(await rodarComEstragos(...casos), derrubadas(...casos));
    });
  }

  for (const aceito of ACEITOS) {
    test(`nenhuma reprova: ${aceito.que}`, async () => {
      exigirFalhas(await rodarComEstragos(aceito), []);
    });
  }
});

describe('validador contra serviços que não são estes', () => {
  /** Roda o validador com os dois serviços trocados pelo mesmo ouvinte. */
  async function rodarContra(ouvinte: RequestListener, ...opcoes: string[]): Promise<Rodada> {
    const servidor = createServer(ouvinte);
    servidor.listen(0, '127.0.0.1');
    await once(servidor, 'listening');
    const url = `http://127.0.0.1:${(servidor.address() as AddressInfo).port}`;
    try {
      return await rodarValidador('--mcp', url, '--agente', url, ...opcoes);
    } finally {
      servidor.closeAllConnections();
      servidor.close();
    }
  }

  /** Responde a tudo com o mesmo corpo, dizendo que é JSON. */
  const sempre =
    (corpo: string): RequestListener =>
    (pedido, resposta) => {
      pedido.resume().on('end', () => resposta.setHeader('content-type', 'application/json').end(corpo));
    };

  const LIXO: Record<string, RequestListener> = {
    'nada é JSON': sempre('<h1>oi</h1>'),
    'JSON fundo demais para o interpretador': sempre('['.repeat(200_000)),
    'listas no lugar de objetos': sempre('[]'),
    'só null': sempre('null'),
    'um surrogate sozinho e quebras de linha': sempre('"\\ud800\\nPASS 99 forjada\\u2028\\u001b[2J"'),
    'um corpo que não acaba': (_, resposta) => {
      const mandar = (): void => {
        if (!resposta.closed) resposta.write('x'.repeat(1 << 20), mandar);
      };
      mandar();
    },
  };
  for (const [que, ouvinte] of Object.entries(LIXO)) {
    test(`as 36 falham, sem traceback: ${que}`, async () => {
      const rodada = await rodarContra(ouvinte);
      exigirFalhas(rodada, TODAS);
      assert.doesNotMatch(rodada.linhas.join(''), /\p{Cc}|\p{Zl}/u);
    });
  }

  test('as 36 falham no prazo: ninguém responde', async () => {
    exigirFalhas(await rodarContra(() => undefined, '--prazo', '0.05'), TODAS);
  });

  test('as 36 falham no prazo: a resposta vem a conta-gotas', async () => {
    const rodada = await rodarContra(
      (pedido, resposta) => {
        const gotas = setInterval(() => resposta.write(' '), 20);
        pedido.on('close', () => clearInterval(gotas));
      },
      '--prazo',
      '0.1',
    );
    exigirFalhas(rodada, TODAS);
  });

  test('ninguém na porta: código 2, as 36 falham e a mensagem diz quem não atende', async () => {
    const url = `http://127.0.0.1:${await portaLivre()}`;
    const rodada = await rodarValidador('--mcp', url, '--agente', url);
    exigirFalhas(rodada, TODAS, 2);
    assert.match(rodada.linhas[0] ?? '', /^trace-id: /);
    assert.match(rodada.linhas[1] ?? '', /^ERRO: o servidor MCP não atende em http:/);
    assert.match(rodada.linhas[2] ?? '', /^ERRO: o agente não atende em http:/);
  });
});
