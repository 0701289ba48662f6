/**
 * `npm run test:publicos`: o envoltório sobre servidores MCP que ninguém daqui escreveu, instalados numa pasta só deles.
 * Fica fora de `npm test` porque instala pacotes; `.ci/run` roda os dois.
 */
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { after, before, describe, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { Message, TaskState } from '@a2a-js/sdk';
import { ClientFactory } from '@a2a-js/sdk/client';
import type { Part, Task } from '../../../agente/a2a/modelo.ts';
import { type Processo, portaLivre, rodar } from '../../../testes/processos.ts';
import { type ClienteA2A, conectar } from '../../cliente/cliente-a2a.ts';
import { rodarSecao, SECAO_DOS_PUBLICOS } from '../../rodar-readme.ts';

const AQUI = fileURLToPath(new URL('.', import.meta.url));
const RAIZ = fileURLToPath(new URL('../../..', import.meta.url));

before(() => {
  execFileSync('npm', ['ci', '--silent', '--no-audit', '--no-fund', '--ignore-scripts'], {
    cwd: AQUI,
    stdio: 'inherit',
  });
});

/** Um servidor público e o envoltório dele, cada um no seu processo. */
class Par {
  readonly #porta: number;
  readonly #comando: string;
  #servidor: Processo;
  readonly #envoltorio: Processo;
  readonly base: string;

  private constructor(porta: number, comando: string, servidor: Processo, envoltorio: Processo) {
    this.#porta = porta;
    this.#comando = comando;
    this.#servidor = servidor;
    this.#envoltorio = envoltorio;
    this.base = `http://localhost:${/ouvindo porta=(\d+)/.exec(envoltorio.stderr())?.[1]}`;
  }

  static async subir(comando: string): Promise<Par> {
    const porta = await portaLivre();
    const servidor = await subirServidor(comando, porta);
    const mcp = `http://localhost:${porta}/mcp`;
    const envoltorio = rodar(
      [process.execPath, '--import', 'tsx', 'exemplos/envolver-mcp/node.ts', '--mcp', mcp, '--porta', '0'],
      { cwd: RAIZ },
    );
    await envoltorio.linha(/ card-novo /);
    return new Par(porta, comando, servidor, envoltorio);
  }

  async reiniciarServidor(): Promise<void> {
    await this.#servidor.parar('SIGKILL');
    this.#servidor = await subirServidor(this.#comando, this.#porta);
  }

  async parar(): Promise<void> {
    await this.#envoltorio.parar();
    await this.#servidor.parar('SIGKILL');
  }
}

/** O binário do pacote, com tudo o que ele imprime no stderr, onde se espera a linha que diz que está pronto. */
async function subirServidor(comando: string, porta: number): Promise<Processo> {
  const servidor = rodar(['bash', '-c', `exec node_modules/.bin/${comando} >&2`], {
    cwd: AQUI,
    variaveis: { PORT: String(porta) },
  });
  await servidor.linha(/listening on/);
  return servidor;
}

const chamar = (cliente: ClienteA2A, ferramenta: string, argumentos: object = {}): Promise<Task> =>
  cliente.enviar([{ data: { ferramenta, argumentos } }]);
const partsDe = (task: Task): readonly Part[] => {
  assert.equal(task.status.state, 'TASK_STATE_COMPLETED', task.status.message?.parts[0]?.text);
  return task.artifacts[0]?.parts ?? [];
};

describe('@modelcontextprotocol/server-everything (2025-11-25, com sessão)', () => {
  let par: Par;
  let cliente: ClienteA2A;
  before(async () => {
    par = await Par.subir('mcp-server-everything streamableHttp');
    cliente = await conectar(par.base);
  });
  after(() => par.parar());

  test('toda ferramenta é uma skill; as que só existem para quem declara elicitation ou sampling não aparecem', () => {
    const ids = cliente.card.skills.map(({ id }) => id);
    for (const id of ['echo', 'get-sum', 'get-tiny-image', 'get-structured-content'])
      assert.ok(ids.includes(id), id);
    for (const id of ids) assert.doesNotMatch(id, /^trigger-(elicitation|sampling|url)/);
    assert.equal(cliente.card.name, 'Everything Reference Server');
  });

  test('cada tipo de conteúdo chega na Part do seu tipo', async () => {
    const [eco] = partsDe(await chamar(cliente, 'echo', { message: 'olá' }));
    assert.deepEqual(eco, { text: 'Echo: olá', mediaType: 'text/plain' });
    const imagem = partsDe(await chamar(cliente, 'get-tiny-image')).find(({ raw }) => raw !== undefined);
    assert.equal(imagem?.mediaType, 'image/png');
    assert.ok(atob(imagem?.raw ?? '').startsWith('\x89PNG'));
    const links = partsDe(await chamar(cliente, 'get-resource-links', { count: 3 })).filter(({ url }) => url);
    assert.equal(links.length, 3);
    const embutido = partsDe(
      await chamar(cliente, 'get-resource-reference', { resourceType: 'Blob', resourceId: 1 }),
    );
    assert.ok(embutido.some(({ raw, filename }) => raw !== undefined && filename?.startsWith('demo://')));
    const dados = partsDe(await chamar(cliente, 'get-structured-content', { location: 'Chicago' })).at(
      -1,
    )?.data;
    assert.equal(typeof (dados as { temperature: unknown }).temperature, 'number');
  });

  test('argumentos errados terminam em FAILED, com o que o servidor disse', async () => {
    const { status } = await chamar(cliente, 'get-sum', { a: 'dois' });
    assert.equal(status.state, 'TASK_STATE_FAILED');
    assert.match(status.message?.parts[0]?.text ?? '', /get-sum/);
  });

  test('por streaming, a chamada demorada é WORKING até acabar', async () => {
    const estados: string[] = [];
    const pedido = { ferramenta: 'trigger-long-running-operation', argumentos: { duration: 1, steps: 2 } };
    for await (const evento of cliente.acompanhar([{ data: pedido }])) {
      if ('statusUpdate' in evento) estados.push(evento.statusUpdate.status.state);
    }
    assert.deepEqual(estados, ['TASK_STATE_WORKING', 'TASK_STATE_COMPLETED']);
  });

  test('o servidor reinicia e esquece a sessão: o pedido seguinte não percebe', async () => {
    await par.reiniciarServidor();
    assert.equal(
      partsDe(await chamar(cliente, 'get-sum', { a: 2, b: 3 }))[0]?.text,
      'The sum of 2 and 3 is 5.',
    );
    assert.equal((await conectar(par.base)).card.skills.length, cliente.card.skills.length);
  });
});

test('@modelcontextprotocol/server-cohort-heatmap (2025-11-25, sem sessão), pelo cliente oficial da A2A', async () => {
  const par = await Par.subir('mcp-cohort-heatmap-server');
  try {
    const cliente = await new ClientFactory().createFromUrl(par.base);
    const chamarPeloSdk = (argumentos: object) =>
      cliente.sendMessage({
        tenant: '',
        message: Message.fromJSON({
          messageId: crypto.randomUUID(),
          role: 'ROLE_USER',
          parts: [{ data: { ferramenta: 'get-cohort-data', argumentos } }],
        }),
        configuration: undefined,
        metadata: undefined,
      });

    const certa = await chamarPeloSdk({ cohortCount: 3, maxPeriods: 4 });
    assert.ok('status' in certa);
    assert.equal(certa.status?.state, TaskState.TASK_STATE_COMPLETED);
    const dados = certa.artifacts[0]?.parts.at(-1)?.content;
    assert.ok(dados?.$case === 'data');
    assert.equal((dados.value as { cohorts: unknown[] }).cohorts.length, 3);

    const errada = await chamarPeloSdk({ cohortCount: -1 });
    assert.ok('status' in errada);
    assert.equal(errada.status?.state, TaskState.TASK_STATE_FAILED);
  } finally {
    await par.parar();
  }
});

test('os comandos da seção do README imprimem o que está debaixo deles', () =>
  rodarSecao(SECAO_DOS_PUBLICOS));
