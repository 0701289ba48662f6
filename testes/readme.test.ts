import assert from 'node:assert/strict';
import { existsSync, readFileSync, statSync } from 'node:fs';
import { describe, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import {
  copiaLimpa,
  type Fim,
  type Processo,
  portaLivre,
  rodar,
  subirAgente,
  subirServidorMcp,
} from './processos.ts';
import { comShell, lerPassos, type Passo, padrao, type Shell } from './roteiro.ts';

const RAIZ = new URL('..', import.meta.url);
const PASTA = fileURLToPath(RAIZ);
const ler = (arquivo: string): string => readFileSync(new URL(arquivo, RAIZ), 'utf8');
const README = ler('README.md');

/** As seções de segundo nível, na ordem. */
const SECOES = new Map(
  README.split(/^## /m)
    .slice(1)
    .map((secao): [string, string] => {
      const fim = secao.indexOf('\n');
      return [secao.slice(0, fim), secao.slice(fim + 1)];
    }),
);

function secao(titulo: string): string {
  const texto = SECOES.get(titulo);
  assert.ok(texto, `falta a seção ${titulo}`);
  return texto;
}

/** Ctrl-C num terminal: chega a todo o grupo, se ainda houver alguém nele. */
function ctrlC({ pid, fim }: Processo): Promise<Fim> {
  try {
    process.kill(-pid, 'SIGINT');
  } catch {
    // O comando acabou antes.
  }
  return fim;
}

describe('README', () => {
  test('as quatro seções do enunciado vêm primeiro, com os títulos dele', () => {
    assert.deepEqual([...SECOES.keys()].slice(0, 4), [
      'Como rodar',
      'Onde a ponte acontece',
      'Decisões técnicas',
      'Saída do validador',
    ]);
  });

  test('todo link leva a um arquivo que existe, ou a uma seção daqui', () => {
    const ancoras = new Set(
      [...SECOES.keys()].map((titulo) => `#${titulo.toLowerCase().replaceAll(' ', '-')}`),
    );
    for (const [, alvo = ''] of README.matchAll(/\]\(([^)]+)\)/g)) {
      if (/^https?:/.test(alvo)) continue;
      assert.ok(alvo.startsWith('#') ? ancoras.has(alvo) : existsSync(new URL(alvo, RAIZ)), alvo);
    }
  });

  test('cada `nome` em [`arquivo`](arquivo) é declarado naquele arquivo', () => {
    const citados = [...README.matchAll(/`(\w+)` em\s+\[`([^`]+)`\]\(([^)]+)\)/g)];
    assert.ok(citados.length >= 12, `só ${citados.length} citações`);
    for (const [, nome = '', rotulo = '', arquivo = ''] of citados) {
      assert.equal(rotulo, arquivo);
      const declaracao = new RegExp(
        `^ *(export )?(async )?(function\\*? |const |class |interface )?${nome}\\b *[<(:={]`,
        'm',
      );
      assert.match(ler(arquivo), declaracao, `${nome} em ${arquivo}`);
    }
  });

  test('os trechos de código de "Onde a ponte acontece" estão nos arquivos, linha por linha e em ordem', () => {
    const trechos = [...secao('Onde a ponte acontece').matchAll(/^```ts\n\/\/ (\S+)\n(.*?)^```$/gms)];
    assert.equal(trechos.length, 2);
    for (const [, arquivo = '', trecho = ''] of trechos) {
      const linhas = ler(arquivo)
        .split('\n')
        .map((linha) => linha.trim());
      let posicao = -1;
      for (const linha of trecho.trim().split('\n')) {
        posicao = linhas.indexOf(linha.trim(), posicao + 1);
        assert.notEqual(posicao, -1, `${arquivo} não tem, ou não nesta ordem: ${linha}`);
      }
    }
  });

  test('todo npm run e todo npm start ou test citado existe no package.json', () => {
    const { scripts } = JSON.parse(ler('package.json')) as { scripts: Record<string, string> };
    const citados = [...README.matchAll(/npm (?:run ([\w:-]+)|(start|test)\b)/g)].map(
      ([, rodado, direto]) => rodado ?? direto ?? '',
    );
    assert.ok(citados.length > 5);
    for (const nome of citados) assert.ok(Object.hasOwn(scripts, nome), nome);
  });

  test('a tabela de variáveis traz todas as que o código lê, e mais nenhuma', () => {
    const lidas = ['comum/ambiente.ts', 'servidor-mcp/ambiente.ts', 'agente/ambiente.ts'].flatMap((arquivo) =>
      [...ler(arquivo).matchAll(/ambiente(?:\.|, ')([A-Z][A-Z_]+)/g)].map(([, nome]) => nome),
    );
    const documentadas = [...secao('Variáveis').matchAll(/`([A-Z][A-Z_]+)`[^|\n]*\|/g)].map(
      ([, nome]) => nome,
    );
    assert.deepEqual([...new Set(documentadas)].sort(), [...new Set(lidas)].sort());
  });

  test('os comandos de "Como rodar" sobem os dois processos, e o do validador dá a saída colada, fora o trace-id', async (t) => {
    const [instalar, terminal1, terminal2, validador, ...resto] = lerPassos(secao('Como rodar')).map(
      (passo) => (passo.tipo === 'comandos' ? passo.bash : ''),
    );
    assert.equal(instalar, 'npm ci\n');
    assert.deepEqual(resto, []);
    const [portaDoMcp, portaDoAgente] = [await portaLivre(), await portaLivre()];
    const variaveis = { MCP_PORT: String(portaDoMcp), AGENTE_PORT: String(portaDoAgente) };
    const cwd = copiaLimpa();
    const terminais = [terminal1, terminal2].map((comandos = '') =>
      rodar(['bash', '-c', comandos], { cwd, variaveis }),
    );
    t.after(() => Promise.all(terminais.map(ctrlC)));
    await Promise.all(terminais.map((terminal) => terminal.linha(/ ouvindo /)));

    const comando = validador?.replace(':7300', `:${portaDoAgente}`).replace(':7301', `:${portaDoMcp}`);
    const impressa = await comShell(PASTA, (shell) => shell(comando ?? ''));
    const [, colada = ''] = /^```text\n(.*?)^```$/ms.exec(secao('Saída do validador')) ?? [];
    assert.equal(colada.match(/^PASS \d\d /gm)?.length, 36);
    const semTraceId = (saida: string): string => saida.replace(/^trace-id: [\da-f]{32}$/m, 'trace-id');
    assert.equal(semTraceId(colada), semTraceId(impressa));
  });

  test('o segredo que os comandos geram tem 32 bytes, e o guardado em .env só o dono lê', async () => {
    const [gerar = ''] = /^export REQUEST_STATE_SECRET=.*$/m.exec(secao('Como rodar')) ?? [];
    const [guardar] = lerPassos(secao('Variáveis'));
    assert.equal(guardar?.tipo, 'comandos');
    const pasta = copiaLimpa();
    await comShell(pasta, async (shell) => {
      assert.match(await shell(`${gerar}\nprintf %s "$REQUEST_STATE_SECRET"`), /^[\da-f]{64}$/);
      assert.equal(await shell(guardar.bash), '');
    });
    assert.match(readFileSync(`${pasta}/.env`, 'utf8'), /^REQUEST_STATE_SECRET=[\da-f]{64}\n$/);
    assert.equal(statSync(`${pasta}/.env`).mode & 0o777, 0o600);
  });
});

test('README: cada comando do passo a passo com curl imprime o que está debaixo dele', async (t) => {
  const passos = lerPassos(secao('Passo a passo com curl'));
  assert.equal(passos.filter(({ tipo }) => tipo === 'comandos').length, 10);
  assert.equal(passos.filter(({ tipo }) => tipo === 'log').length, 1);
  assert.equal(passos.filter(({ tipo }) => tipo === 'reiniciar').length, 1);

  let servidorMcp = await subirServidorMcp();
  t.after(() => servidorMcp.parar());
  const agente = await subirAgente(servidorMcp.url);
  t.after(() => agente.parar());
  /** As portas do README são as de costume; aqui são outras. */
  const comPortas = (texto: string): string =>
    texto.replaceAll(':7300', `:${agente.porta}`).replaceAll(':7301', `:${servidorMcp.porta}`);

  const fazer = async (shell: Shell, passo: Passo): Promise<void> => {
    switch (passo.tipo) {
      case 'comandos':
        assert.match(await shell(comPortas(passo.bash)), padrao(comPortas(passo.saida)), passo.bash);
        return;
      case 'log': {
        // Se o id começa por algarismo, o log o põe entre aspas.
        const log = servidorMcp.stderr().replace(/ id="([^"]*)"/g, ' id=$1');
        const recebidos = log.split('\n').filter((linha) => linha.includes(' request '));
        assert.match(`${recebidos.join('\n')}\n`, padrao(passo.linhas));
        return;
      }
      case 'reiniciar':
        assert.equal(passo.processo, 'servidor-mcp');
        await servidorMcp.parar();
        servidorMcp = await subirServidorMcp({ MCP_PORT: String(servidorMcp.porta) });
    }
  };

  await comShell(PASTA, async (shell) => {
    for (const passo of passos) await fazer(shell, passo);
  });
});
