/** A vida dos dois processos e do `npm start`: sobem, avisam, aguentam clientes lentos e param com calma. */
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { describe, type TestContext, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { instante, pedido } from './bancada.ts';
import { enviar, ferramenta } from './chamadas.ts';
import { abrirConexao, lerRespostas } from './http-cru.ts';
import {
  copiaLimpa,
  type Processo,
  portaLivre,
  rodar,
  SEGREDO,
  type Servico,
  subirAgente,
  subirServidorMcp,
  type Variaveis,
} from './processos.ts';

const DIA = '2026-12-01';
const RESERVA = pedido('sala-porao', DIA, 9, 10, 'Doc');
/** Nenhum teste espera este prazo passar: se um processo depende dele para parar, o teste não acaba. */
const PRAZO_ENORME = { REQUEST_TIMEOUT_MS: '600000' };
const PRAZO_CURTO = { REQUEST_TIMEOUT_MS: '600' };
/** Um processo que não para, ou que sobe quando não devia, reprova em vez de prender a suíte. */
const GUARDA = { timeout: 180_000, concurrency: 2 };
/** Muitas vezes o prazo curto, e menos do que os 30 s de que o Node se serviria sozinho. */
const HORA_DE_DESISTIR_MS = 25_000;

/** Os dois serviços, cada um como se sobe sozinho. O agente sozinho não acha servidor MCP nenhum. */
const SERVICOS: Record<string, (variaveis?: Variaveis) => Promise<Servico>> = {
  'servidor MCP': subirServidorMcp,
  agente: (variaveis) => subirAgente('http://127.0.0.1:9/mcp', variaveis),
};

async function comServico(
  t: TestContext,
  subir: (variaveis?: Variaveis) => Promise<Servico>,
  variaveis: Variaveis = {},
): Promise<Servico> {
  const servico = await subir(variaveis);
  t.after(() => servico.parar('SIGKILL'));
  return servico;
}

/** O processo com defeitos, do fonte: não faz parte de `dist/`. */
async function subirDefeituoso(t: TestContext, variaveis: Variaveis = {}): Promise<Servico> {
  const entrada = fileURLToPath(new URL('processo-com-defeitos.ts', import.meta.url));
  const processo = rodar([process.execPath, '--import', import.meta.resolve('tsx'), entrada], { variaveis });
  t.after(() => processo.parar('SIGKILL'));
  const porta = Number(/porta=(\d+)/.exec(await processo.linha(/ouvindo/))?.[1]);
  return { ...processo, porta, url: `http://127.0.0.1:${porta}/eco` };
}

async function responde({ url }: { readonly url: string }): Promise<boolean> {
  const resposta = await fetch(url, {
    method: 'POST',
    body: '{}',
    headers: { 'content-type': 'application/json' },
  });
  await resposta.text();
  return resposta.status < 500;
}

async function recusaConexoes(porta: number): Promise<void> {
  for (const host of ['127.0.0.1', '::1']) {
    await assert.rejects(abrirConexao(porta, host), /ECONNREFUSED|ECONNRESET/, `${host}:${porta}`);
  }
}

/** Um POST em que o corpo fica pela metade até alguém o completar. */
async function pedirPelaMetade(
  { porta, url }: { readonly porta: number; readonly url: string },
  corpo: unknown,
  headers: Readonly<Record<string, string>> = { 'content-type': 'application/json' },
) {
  const texto = JSON.stringify(corpo);
  const { socket, recebido } = await abrirConexao(porta);
  const linhas = Object.entries({
    host: 'localhost',
    ...headers,
    'content-length': String(Buffer.byteLength(texto)),
  });
  socket.write(
    `POST ${new URL(url).pathname} HTTP/1.1\r\n${linhas.map(([nome, valor]) => `${nome}: ${valor}\r\n`).join('')}\r\n`,
  );
  socket.write(texto.slice(0, 10));
  return {
    async completar() {
      socket.write(texto.slice(10));
      const [resposta] = lerRespostas(await recebido);
      assert.ok(resposta, 'a resposta chegou inteira');
      return resposta;
    },
  };
}

/** Um servidor MCP que segura cada request até o teste responder. */
async function servidorQueSegura(t: TestContext) {
  const presos: ServerResponse[] = [];
  const servidor = createServer((request: IncomingMessage, resposta) => {
    request.resume();
    presos.push(resposta);
    servidor.emit('preso');
  }).listen(0, '127.0.0.1');
  await once(servidor, 'listening');
  t.after(() => {
    servidor.closeAllConnections();
    servidor.close();
  });
  return {
    url: `http://127.0.0.1:${(servidor.address() as AddressInfo).port}/mcp`,
    /** Espera chegar um request e devolve como soltá-lo. */
    async proximo(): Promise<ServerResponse> {
      while (presos.length === 0) await once(servidor, 'preso');
      return presos.shift() as ServerResponse;
    },
  };
}

describe('parada com calma', GUARDA, () => {
  for (const [nome, subir] of Object.entries(SERVICOS)) {
    for (const sinal of ['SIGTERM', 'SIGINT'] as const) {
      test(`${nome}, ${sinal}: responde o que já foi pedido, recusa o novo, e ninguém parado o atrasa`, async (t) => {
        const servico = await comServico(t, subir, PRAZO_ENORME);
        const lento = await pedirPelaMetade(servico, { jsonrpc: '2.0', id: 'lento', method: 'nao/existe' });
        const paradas = await Promise.all(
          ['', 'POST /a2a HTTP/1.1\r\nHost: local', 'GET /nada HTTP/1.1\r\nHost: localhost\r\n\r\n'].map(
            async (comeco) => {
              const { socket, recebido } = await abrirConexao(servico.porta);
              socket.write(comeco);
              return { recebido };
            },
          ),
        );
        // Um request inteiro noutra conexão garante que os headers do lento já foram lidos.
        assert.ok(await responde(servico));
        const fim = servico.parar(sinal);
        await servico.linha(/ parando$/);
        await recusaConexoes(servico.porta);
        // Um segundo sinal, como o que o npm repete, não pode custar a resposta.
        process.kill(servico.pid, sinal);
        const resposta = await lento.completar();
        assert.equal(JSON.parse(resposta.corpo.toString()).id, 'lento');
        assert.equal(resposta.headers.get('connection'), 'close');
        assert.deepEqual(await fim, { codigo: 0, sinal: null });
        assert.match(servico.stderr(), / parado\n$/);
        await Promise.all(paradas.map(({ recebido }) => recebido));
      });
    }
  }

  test('agente: um SendMessage à espera do servidor MCP é respondido', async (t) => {
    const mcp = await servidorQueSegura(t);
    const agente = await subirAgente(mcp.url, PRAZO_ENORME);
    t.after(() => agente.parar('SIGKILL'));
    const resposta = enviar(agente.url, RESERVA);
    const preso = await mcp.proximo();
    const fim = agente.parar();
    await agente.linha(/ parando$/);
    await recusaConexoes(agente.porta);
    preso.writeHead(503).end();
    assert.equal((await resposta).result?.task?.status.state, 'TASK_STATE_FAILED');
    assert.deepEqual(await fim, { codigo: 0, sinal: null });
  });

  test('agente: um trabalho que já respondeu com returnImmediately ainda termina', async (t) => {
    const mcp = await servidorQueSegura(t);
    const agente = await subirAgente(mcp.url, PRAZO_ENORME);
    t.after(() => agente.parar('SIGKILL'));
    const { result } = await enviar(agente.url, RESERVA, undefined, { returnImmediately: true });
    assert.match(result?.task?.status.state ?? '', /SUBMITTED|WORKING/);
    const preso = await mcp.proximo();
    let acabou = false;
    const fim = agente.parar().finally(() => {
      acabou = true;
    });
    await agente.linha(/ parando$/);
    // Quem não esperasse o trabalho teria acabado antes de um processo inteiro nascer e morrer.
    await rodar([process.execPath, '--eval', '']).fim;
    assert.equal(acabou, false);
    preso.writeHead(503).end();
    assert.deepEqual(await fim, { codigo: 0, sinal: null });
  });

  test('uma resposta que não acaba é cortada no prazo', { timeout: HORA_DE_DESISTIR_MS }, async (t) => {
    const processo = await subirDefeituoso(t, PRAZO_CURTO);
    const semFim = await fetch(new URL('/sem-fim', processo.url));
    await semFim.body?.getReader().read();
    assert.deepEqual(await processo.parar(), { codigo: 0, sinal: null });
  });
});

describe('npm start numa cópia limpa', GUARDA, () => {
  interface Conjunto extends Processo {
    readonly pasta: string;
    readonly mcp: { readonly porta: number; readonly url: string };
    readonly agente: { readonly porta: number; readonly url: string };
  }

  const NPM_START = ['npm', 'start'] as const;
  /** O que o script `start` roda, sem o segundo que o npm leva para subir. */
  const INICIAR = [process.execPath, 'dist/iniciar.js'] as const;

  async function iniciar(
    t: TestContext,
    comando: typeof NPM_START | typeof INICIAR,
    {
      pasta = copiaLimpa(),
      variaveis = {},
    }: { readonly pasta?: string; readonly variaveis?: Variaveis } = {},
  ): Promise<Conjunto> {
    const [mcp, agente] = [await portaLivre(), await portaLivre()];
    const portas = { MCP_PORT: String(mcp), AGENTE_PORT: String(agente) };
    const processo = rodar(comando, { cwd: pasta, variaveis: { ...PRAZO_ENORME, ...portas, ...variaveis } });
    t.after(() => processo.parar('SIGKILL'));
    return {
      ...processo,
      pasta,
      mcp: { porta: mcp, url: `http://localhost:${mcp}/mcp` },
      agente: { porta: agente, url: `http://localhost:${agente}/a2a` },
    };
  }

  async function ouvindo(processo: Conjunto): Promise<Conjunto> {
    await Promise.all([processo.linha(/^servidor-mcp ouvindo/), processo.linha(/^agente ouvindo/)]);
    return processo;
  }

  /** O pid de um dos dois processos, filho do que se iniciou. */
  function pidDe(nome: string, pai: number): number {
    const todos = execFileSync('ps', ['-A', '-o', 'pid=,ppid=,args='], { encoding: 'utf8' });
    return Number(new RegExp(`^ *(\\d+) +${pai} .*/${nome}\\.js$`, 'm').exec(todos)?.[1]);
  }

  test('cria o segredo em .env, só legível pelo dono, e uma segunda vez usa o mesmo', async (t) => {
    const primeiro = await ouvindo(await iniciar(t, NPM_START));
    const dotEnv = join(primeiro.pasta, '.env');
    const escrito = readFileSync(dotEnv, 'utf8');
    assert.match(escrito, /^REQUEST_STATE_SECRET=[0-9a-f]{64}\n$/);
    assert.equal(statSync(dotEnv).mode & 0o777, 0o600);
    assert.match(primeiro.stderr(), /guardei em \.env/);
    const { result } = await enviar(primeiro.agente.url, RESERVA);
    assert.equal(result?.task?.status.state, 'TASK_STATE_COMPLETED');

    // Quem manda parar é o terminal ou um supervisor, e quem recebe é o npm.
    await primeiro.parar('SIGTERM');
    await recusaConexoes(primeiro.mcp.porta);
    await recusaConexoes(primeiro.agente.porta);

    const segundo = await ouvindo(
      await iniciar(t, NPM_START, { pasta: primeiro.pasta, variaveis: { REQUEST_STATE_SECRET: '' } }),
    );
    assert.doesNotMatch(segundo.stderr(), /guardei em \.env/);
    assert.equal(readFileSync(dotEnv, 'utf8'), escrito);
    await segundo.parar('SIGINT');
    await recusaConexoes(segundo.mcp.porta);
    await recusaConexoes(segundo.agente.porta);
  });

  test('um .env sem quebra no fim não perde a última linha', async (t) => {
    const pasta = copiaLimpa();
    writeFileSync(join(pasta, '.env'), 'REQUEST_STATE_SECRET=\nREQUEST_STATE_TTL_SECONDS=300');
    await ouvindo(await iniciar(t, INICIAR, { pasta }));
    assert.match(
      readFileSync(join(pasta, '.env'), 'utf8'),
      /^REQUEST_STATE_SECRET=\nREQUEST_STATE_TTL_SECONDS=300\nREQUEST_STATE_SECRET=[0-9a-f]{64}\n$/,
    );
  });

  test('Ctrl-C: o sinal chega a todo o grupo, e uma reserva em andamento ainda é feita', async (t) => {
    const processo = await ouvindo(await iniciar(t, NPM_START));
    const params = { message: { messageId: 'm', role: 'ROLE_USER', parts: [{ text: RESERVA }] } };
    const lento = await pedirPelaMetade(processo.agente, {
      jsonrpc: '2.0',
      id: 1,
      method: 'SendMessage',
      params,
    });
    assert.ok(await responde(processo.agente));
    process.kill(-processo.pid, 'SIGINT');
    await processo.linha(/^agente parando$/);
    const { corpo } = await lento.completar();
    assert.equal(JSON.parse(corpo.toString()).result.task.status.state, 'TASK_STATE_COMPLETED');
    await processo.fim;
    assert.match(processo.stderr(), /agente parado\n(.*\n)*servidor-mcp parado\n/);
    await recusaConexoes(processo.mcp.porta);
  });

  test('parar o próprio iniciar.js, como faz um supervisor sem npm, sai com código 0', async (t) => {
    const processo = await ouvindo(await iniciar(t, INICIAR));
    assert.deepEqual(await processo.parar(), { codigo: 0, sinal: null });
    await recusaConexoes(processo.mcp.porta);
    await recusaConexoes(processo.agente.porta);
  });

  test('se iniciar.js morre sem aviso, os dois param sozinhos', async (t) => {
    const processo = await ouvindo(await iniciar(t, INICIAR));
    await processo.parar('SIGKILL');
    assert.match(processo.stderr(), /agente parado/);
    assert.match(processo.stderr(), /servidor-mcp parado/);
    await recusaConexoes(processo.mcp.porta);
    await recusaConexoes(processo.agente.porta);
  });

  for (const [cai, fica] of [
    ['servidor-mcp', 'agente'],
    ['agente', 'servidor-mcp'],
  ] as const) {
    test(`se o ${cai} cai, o ${fica} para e o código de saída diz que houve falha`, async (t) => {
      const processo = await ouvindo(await iniciar(t, INICIAR));
      process.kill(pidDe(cai, processo.pid), 'SIGKILL');
      assert.equal((await processo.fim).codigo, 1);
      assert.match(processo.stderr(), new RegExp(`${fica} parado\n`));
    });
  }

  test('se uma das portas está ocupada, diz qual, não sobe nenhum e sai com código 1', async (t) => {
    for (const nome of ['MCP_PORT', 'AGENTE_PORT']) {
      const ocupante = createServer().listen(0, '127.0.0.1');
      await once(ocupante, 'listening');
      const porta = String((ocupante.address() as AddressInfo).port);
      const processo = await iniciar(t, INICIAR, { variaveis: { [nome]: porta } });
      assert.equal((await processo.fim).codigo, 1);
      ocupante.close();
      assert.match(processo.stderr(), new RegExp(`^A porta ${porta} já está em uso em 127.0.0.1: `, 'm'));
      assert.doesNotMatch(processo.stderr(), /\n\s+at /);
      await recusaConexoes(nome === 'MCP_PORT' ? processo.agente.porta : processo.mcp.porta);
    }
  });

  test('um segredo curto é recusado com o comando que faz um, e o agente não fica sozinho', async (t) => {
    const processo = await iniciar(t, INICIAR, { variaveis: { REQUEST_STATE_SECRET: 'curto' } });
    assert.equal((await processo.fim).codigo, 1);
    assert.match(processo.stderr(), /export REQUEST_STATE_SECRET=/);
    assert.doesNotMatch(processo.stderr(), /\n\s+at /);
    await recusaConexoes(processo.agente.porta);
  });

  test('um .env em que não se pode escrever dá uma linha clara e código 1', async (t) => {
    const pasta = copiaLimpa();
    mkdirSync(join(pasta, '.env'));
    const processo = await iniciar(t, INICIAR, { pasta });
    assert.equal((await processo.fim).codigo, 1);
    assert.match(processo.stderr(), /^Não foi possível ler \.env: /m);
    assert.doesNotMatch(processo.stderr(), /\n\s+at /);
  });
});

describe('configuração', GUARDA, () => {
  async function falhaAoSubir(nome: string, variaveis: Variaveis): Promise<string> {
    const processo = rodar([process.execPath, `dist/${nome}.js`], { variaveis });
    assert.deepEqual(await processo.fim, { codigo: 1, sinal: null });
    assert.doesNotMatch(processo.stderr(), /\n\s+at |Error|node_modules/);
    return processo.stderr();
  }

  test('um valor que não serve é dito numa linha, com a variável e o que veio, e código 1', async () => {
    for (const [nome, variavel, valor] of [
      ['servidor-mcp', 'REQUEST_STATE_TTL_SECONDS', '299'],
      ['servidor-mcp', 'REQUEST_TIMEOUT_MS', 'dez'],
      ['agente', 'AGENTE_PORT', '65536'],
      ['agente', 'PUBLIC_URL', '/agente'],
    ] as const) {
      const stderr = await falhaAoSubir(nome, { REQUEST_STATE_SECRET: SEGREDO, [variavel]: valor });
      assert.match(stderr, new RegExp(`^${variavel} deve ser .*; veio "${valor}"\n$`));
    }
  });

  test('um endereço que não é desta máquina é dito numa linha', async () => {
    assert.match(
      await falhaAoSubir('agente', { HOST: '192.0.2.1', AGENTE_PORT: '0' }),
      /^Não foi possível escutar em 192\.0\.2\.1:0 \(EADDRNOTAVAIL\)\n$/,
    );
  });

  test('porta ocupada em IPv6 só, também', async (t) => {
    const ocupante = createServer().listen({ port: 0, host: '::1' });
    t.after(() => ocupante.close());
    await once(ocupante, 'listening');
    const porta = String((ocupante.address() as AddressInfo).port);
    assert.match(
      await falhaAoSubir('agente', { AGENTE_PORT: porta }),
      new RegExp(`^A porta ${porta} já está em uso em ::1: `),
    );
  });

  for (const [nome, subir] of Object.entries(SERVICOS)) {
    test(`${nome}: HOST e ALLOWED_HOSTS trocam o endereço em que escuta e os nomes que aceita`, async (t) => {
      const servico = await comServico(t, subir, { HOST: '127.0.0.2', ALLOWED_HOSTS: 'salas.exemplo' });
      await recusaConexoes(servico.porta);
      const status = async (host: string): Promise<number | undefined> => {
        const { socket, recebido } = await abrirConexao(servico.porta, '127.0.0.2');
        socket.end(`GET /nada HTTP/1.1\r\nHost: ${host}\r\n\r\n`);
        return lerRespostas(await recebido)[0]?.status;
      };
      assert.deepEqual([await status('salas.exemplo:80'), await status('localhost')], [404, 403]);
    });
  }

  test('sem HOST os dois escutam no loopback, em IPv4 e IPv6, e o agente acha o servidor MCP por MCP_PORT', async (t) => {
    const mcp = await comServico(t, subirServidorMcp, { REQUEST_STATE_TTL_SECONDS: '300' });
    const agente = await comServico(t, (variaveis) =>
      subirAgente('', { ...variaveis, MCP_PORT: String(mcp.porta) }),
    );
    for (const { porta } of [mcp, agente]) {
      for (const host of ['127.0.0.1', '::1']) (await abrirConexao(porta, host)).socket.destroy();
    }
    assert.equal((await enviar(agente.url, RESERVA)).result?.task?.status.state, 'TASK_STATE_COMPLETED');
    assert.equal(await urlNoCard(agente), `http://localhost:${agente.porta}/a2a`);

    // REQUEST_STATE_TTL_SECONDS é a validade de um requestState.
    const antes = Date.now() / 1000;
    const { requestState } = await ferramenta(mcp.url, 'reservar_sala', {
      sala: 'sala-porao',
      inicio: instante(DIA, 9),
      fim: instante(DIA, 10),
      responsavel: 'Biff',
    });
    const [, conteudo = ''] = (requestState as string).split('.');
    const { exp } = JSON.parse(Buffer.from(conteudo, 'base64url').toString());
    assert.ok(exp >= antes + 300 && exp <= Date.now() / 1000 + 300);
  });

  test('PUBLIC_URL vai no card', async (t) => {
    const agente = await comServico(t, (variaveis) =>
      subirAgente('http://127.0.0.1:9/mcp', { ...variaveis, PUBLIC_URL: 'https://salas.exemplo/agente/' }),
    );
    assert.equal(await urlNoCard(agente), 'https://salas.exemplo/agente/a2a');
  });

  async function urlNoCard({ url }: Servico): Promise<string | undefined> {
    const resposta = await fetch(new URL('/.well-known/agent-card.json', url));
    const card = (await resposta.json()) as { supportedInterfaces: { url: string }[] };
    return card.supportedInterfaces[0]?.url;
  }

  test('um .env da pasta é lido, e o que já está no ambiente vale mais', async (t) => {
    const cwd = copiaLimpa();
    writeFileSync(join(cwd, '.env'), `REQUEST_STATE_SECRET=${SEGREDO}\nMCP_PORT=70000\n`);
    const ruim = rodar([process.execPath, 'dist/servidor-mcp.js'], { cwd });
    assert.equal((await ruim.fim).codigo, 1);
    assert.match(ruim.stderr(), /^MCP_PORT .*"70000"/);
    const bom = rodar([process.execPath, 'dist/servidor-mcp.js'], { cwd, variaveis: { MCP_PORT: '0' } });
    t.after(() => bom.parar('SIGKILL'));
    await bom.linha(/ouvindo/);
  });
});

describe('clientes lentos', GUARDA, () => {
  for (const [nome, subir] of Object.entries(SERVICOS)) {
    test(`${nome}: quem não acaba de mandar o request é cortado, e os outros são atendidos`, {
      timeout: HORA_DE_DESISTIR_MS,
    }, async (t) => {
      const servico = await comServico(t, subir, PRAZO_CURTO);
      const inicio = `POST ${new URL(servico.url).pathname} HTTP/1.1\r\nHost: localhost\r\n`;
      const corpo = 'Content-Type: application/json\r\nContent-Length: 1000\r\n\r\n{"jsonrpc":';
      const pedacos = 'Content-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n5\r\n{"a":\r\n';
      const lentos = await Promise.all(
        ['', inicio, `${inicio}${corpo}`, `${inicio}${pedacos}`].map(async (comeco) => {
          const { socket, recebido } = await abrirConexao(servico.porta);
          socket.write(comeco);
          // Um byte de vez em quando: o prazo é do request inteiro, não do silêncio.
          const gotas = comeco ? setInterval(() => socket.write('x'), 50) : undefined;
          return recebido.finally(() => clearInterval(gotas));
        }),
      );
      assert.equal(lentos.length, 4);
      for (const recebido of lentos) assert.doesNotMatch(recebido.toString(), /^HTTP\/1\.1 (2|5)/);
      assert.ok(await responde(servico));
      assert.doesNotMatch(servico.stderr(), /falha/);
    });
  }
});

describe('falhas que escapam de tudo', GUARDA, () => {
  test('uma promessa rejeitada sem dono vai para o log numa linha, e o processo continua', async (t) => {
    const processo = await subirDefeituoso(t);
    const status = async (caminho: string): Promise<number> => {
      const resposta = await fetch(new URL(caminho, processo.url));
      assert.doesNotMatch(await resposta.text(), /Error|inteiro falhou/);
      return resposta.status;
    };
    assert.equal(await status('/rejeicao-sem-dono'), 200);
    assert.match(
      await processo.linha(/ninguém espera/),
      /^defeituoso falha-sem-dono motivo="Error: .*\\n +at .*"$/,
    );
    assert.equal(await status('/handler-que-rejeita'), 500);
    await processo.linha(/^defeituoso falha-sem-dono motivo="TypeError: o handler inteiro falhou/);
    assert.equal(await status('/'), 200);
    assert.deepEqual(await processo.parar(), { codigo: 0, sinal: null });
  });

  test('uma exceção fora de qualquer promessa para o processo com calma, com código 1', async (t) => {
    const processo = await subirDefeituoso(t);
    const lento = await pedirPelaMetade(processo, 'um corpo bem comprido');
    assert.ok(await responde(processo));
    await fetch(new URL('/excecao-sem-dono', processo.url));
    await processo.linha(/^defeituoso falha-fatal motivo="Error: fora de qualquer promessa/);
    await processo.linha(/ parando$/);
    assert.equal((await lento.completar()).corpo.toString(), '"um corpo bem comprido"');
    assert.deepEqual(await processo.fim, { codigo: 1, sinal: null });
  });
});

describe('stderr fechado', GUARDA, () => {
  for (const [nome, subir] of Object.entries(SERVICOS)) {
    test(`${nome}: quem lia o log foi embora, e o serviço continua`, async (t) => {
      const servico = await comServico(t, subir);
      servico.fecharStderr();
      for (let vez = 0; vez < 5; vez++) assert.ok(await responde(servico));
      assert.deepEqual(await servico.parar(), { codigo: 0, sinal: null });
    });
  }
});
