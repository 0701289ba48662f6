/**
 * Milhares de requests malformados a cada um dos dois processos: nenhum o derruba, o faz crescer, o faz falar de si, forja
 * uma linha de log ou reserva o que ninguém pediu. `SEMENTE` repete uma execução; `LONGO=1` multiplica por vinte.
 */
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { after, before, describe, test } from 'node:test';
import fc from 'fast-check';
import { instante, pedido, SALAS } from './bancada.ts';
import { contarTasks, enviar, lerReservas, lerTask, requestMcp } from './chamadas.ts';
import { lerRespostas, type RespostaCrua, trocar } from './http-cru.ts';
import { type Base, corpus, LINHA_FORJADA, malformado, type Pedido } from './malformados.ts';
import { type Servico, subirAgente, subirServidorMcp } from './processos.ts';

const LOTE = 20;
const RODADAS = process.env.LONGO ? 2_200 : 110;
const SEMENTE = Number(process.env.SEMENTE ?? Date.now() % 2 ** 31);

const DIA_DO_FUZZ = '2026-12-03';
const DIA_DA_PAUSA = '2026-12-04';
const DIAS = ['2026-11-03', DIA_DO_FUZZ, DIA_DA_PAUSA];

// Pouca memória para que um vazamento apareça como queda, e para que o coletor não deixe a medida boiar.
const POUCA_MEMORIA = { NODE_OPTIONS: '--max-old-space-size=96 --max-semi-space-size=2' };

let mcp: Servico;
let agente: Servico;
before(async () => {
  mcp = await subirServidorMcp(POUCA_MEMORIA);
  agente = await subirAgente(mcp.url, POUCA_MEMORIA);
});
after(async () => {
  await agente.parar();
  await mcp.parar();
});

/** O que só aparece se algo de dentro do processo escapou para a resposta. */
const POR_DENTRO =
  /(Type|Range|Syntax|Reference|Aggregate|Zod|Assertion)Error|node_modules|node:internal|\n\s+at |\.[cm]?[jt]s\b|\/(work|home|root|tmp|usr|Users)\/|\[object |is not a function|of undefined|Unexpected token|position \d/;

/** `servico evento chave=valor ...`: valores simples, ou entre aspas e sem nada que mexa no terminal. */
const LINHA_DE_LOG = /^(servidor-mcp|agente) [a-z-]+( [A-Za-z]+=("([^"\\]|\\.)*"|[^\s"]+))*$/;
const MEXE_NO_TERMINAL = /[\p{Cc}\u2028\u2029\p{Bidi_Control}]/u;

function conferirResposta({ status, headers, corpo }: RespostaCrua): void {
  const texto = corpo.toString();
  const cabecas = [...headers].join('\n');
  assert.doesNotMatch(texto, POR_DENTRO);
  assert.doesNotMatch(cabecas, POR_DENTRO);
  if (status >= 500) {
    const { error } = JSON.parse(texto);
    assert.ok(error?.code === -32603 || error?.status === 'INTERNAL', `${status}: ${texto}`);
  }
  if (/json/.test(headers.get('content-type') ?? '') && corpo.length > 0) JSON.parse(texto);
}

async function mandar(
  porta: number,
  { nome, bytes, inteiro, cortado, semCorpoNaResposta }: Pedido,
): Promise<RespostaCrua[]> {
  try {
    const respostas = lerRespostas(await trocar(porta, bytes, cortado), semCorpoNaResposta);
    for (const resposta of respostas) conferirResposta(resposta);
    if (inteiro) assert.equal(respostas.length, 1, 'um request HTTP correto tem sempre uma resposta');
    return respostas;
  } catch (erro) {
    throw new Error(`${(erro as Error).message}\n  ao mandar ${nome}`, { cause: erro });
  }
}

function conferirLog(servico: Servico): void {
  for (const linha of servico.stderr().split('\n').slice(0, -1)) {
    assert.match(linha, LINHA_DE_LOG);
    assert.doesNotMatch(linha, MEXE_NO_TERMINAL);
    assert.doesNotMatch(linha, LINHA_FORJADA);
  }
  assert.doesNotMatch(servico.stderr(), /falha/, 'um request malformado não é uma falha nossa');
}

/** Memória residente, em KiB. */
function residente({ pid }: Servico): number {
  return Number(execFileSync('ps', ['-o', 'rss=', '-p', String(pid)], { encoding: 'utf8' }));
}

/** Manda o corpus e as rodadas aleatórias, e confere que o processo continua o mesmo. */
async function bombardear(
  servico: Servico,
  bases: readonly [Base, ...Base[]],
  aoResponder: (resposta: RespostaCrua) => void,
): Promise<void> {
  const mandarTodos = async (pedidos: readonly Pedido[]): Promise<void> => {
    const respostas = await Promise.all(pedidos.map((um) => mandar(servico.porta, um)));
    respostas.flat().forEach(aoResponder);
  };
  const fixos = corpus(bases);
  for (let i = 0; i < fixos.length; i += LOTE) await mandarTodos(fixos.slice(i, i + LOTE));

  const antes = residente(servico);
  const lotes = fc.array(malformado(bases), { minLength: LOTE, maxLength: LOTE });
  await fc.assert(fc.asyncProperty(lotes, mandarTodos), { numRuns: RODADAS, seed: SEMENTE });
  const razao = residente(servico) / antes;
  assert.ok(razao < 1.35, `a memória residente foi multiplicada por ${razao}`);
  conferirLog(servico);
}

function resultadosDe({ corpo }: RespostaCrua): Record<string, unknown>[] {
  const linhas = corpo.toString().split('\n');
  return linhas.flatMap((linha) => {
    const texto = linha.replace(/^data: /, '');
    return texto.startsWith('{') ? [JSON.parse(texto)] : [];
  });
}

const RESERVA_LIVRE = {
  sala: 'sala-porao',
  inicio: instante(DIA_DO_FUZZ, 9),
  fim: instante(DIA_DO_FUZZ, 10),
  responsavel: 'Biff',
};

describe('fuzz', { concurrency: 1 }, () => {
  test(`servidor MCP (SEMENTE=${SEMENTE})`, async () => {
    const reservadas = new Set((await lerReservas(mcp.url, DIAS)).map(({ id }) => id));
    const base = (method: string, params: Record<string, unknown> = {}): Base => ({
      metodo: 'POST',
      alvo: '/mcp',
      ...requestMcp(method, params),
    });
    const chamada = (name: string, args: unknown, resto: object = {}): Base =>
      base('tools/call', { name, arguments: args, ...resto });
    const { responsavel: _, ...intervalo } = RESERVA_LIVRE;
    await bombardear(
      mcp,
      [
        chamada('listar_salas', {}),
        chamada('consultar_disponibilidade', intervalo),
        chamada('reservar_sala', RESERVA_LIVRE),
        chamada('reservar_sala', RESERVA_LIVRE, {
          inputResponses: { escolha: { action: 'accept', content: { sala: 'sala-mirante' } } },
          requestState: `${'a'.repeat(20)}.${'b'.repeat(200)}.${'c'.repeat(64)}`,
        }),
        base('tools/list'),
        base('server/discover'),
        base('resources/list'),
        base('resources/templates/list'),
        base('resources/read', { uri: 'politica://uso' }),
        base('initialize', {
          protocolVersion: '2025-06-18',
          capabilities: {},
          clientInfo: { name: 'x', version: '1' },
        }),
      ],
      (resposta) => {
        for (const { result } of resultadosDe(resposta) as { result?: Record<string, unknown> }[]) {
          const { reservado, reserva } = (result?.structuredContent ?? {}) as Record<string, unknown>;
          if (reservado === true) reservadas.add(reserva as string);
        }
      },
    );
    const depois = (await lerReservas(mcp.url, DIAS)).map(({ id }) => id);
    assert.deepEqual(depois.sort(), [...reservadas].sort(), 'só existe o que uma resposta disse que existe');
  });

  test(`agente (SEMENTE=${SEMENTE})`, async () => {
    const [sala] = SALAS.filter(({ capacidade }) => capacidade === 4) as [(typeof SALAS)[number]];
    const naPausa = pedido(sala.id, DIA_DA_PAUSA, 9, 10, 'Marty');
    assert.equal((await enviar(agente.url, naPausa)).result?.task?.status.state, 'TASK_STATE_COMPLETED');
    const pausada = (await enviar(agente.url, naPausa)).result?.task;
    assert.equal(pausada?.status.state, 'TASK_STATE_INPUT_REQUIRED');
    const tasksAntes = await contarTasks(agente.url);
    const reservasAntes = (await lerReservas(mcp.url, DIAS)).length;
    const [novas, concluidas] = [new Set<string>(), new Set<string>()];

    const json = { 'content-type': 'application/json', 'a2a-version': '1.0' };
    const rpc = (method: string, params: unknown): Base => ({
      metodo: 'POST',
      alvo: '/a2a',
      headers: json,
      corpo: { jsonrpc: '2.0', id: 1, method, params },
    });
    const rest = (metodo: string, alvo: string, corpo?: unknown): Base => ({
      metodo,
      alvo,
      headers: json,
      corpo,
    });
    const mensagem = (text: string, resto: object = {}) => ({
      message: {
        messageId: 'm',
        role: 'ROLE_USER',
        parts: [
          { text, metadata: { a: { b: 1 } } },
          { data: { x: [1] }, mediaType: 'application/json' },
        ],
        metadata: { traço: 1 },
        extensions: ['urn:x'],
        referenceTaskIds: ['r'],
        ...resto,
      },
      configuration: { acceptedOutputModes: ['text/plain'], historyLength: 1, returnImmediately: false },
      metadata: {},
    });
    const soTexto = (text: string, resto: object = {}) => ({
      message: { messageId: 'm', role: 'ROLE_USER', parts: [{ text }], ...resto },
    });
    const livre = pedido('sala-aquario', DIA_DO_FUZZ, 14, 15, 'Biff');
    await bombardear(
      agente,
      [
        rpc('GetTask', { id: pausada.id, historyLength: 2 }),
        rpc('SendMessage', mensagem('reservar sala=sala-x inicio=agora')),
        rpc('SendMessage', soTexto('escolha=sala-que-nao-foi-oferecida', { taskId: pausada.id })),
        rpc('SendMessage', soTexto(livre)),
        rpc('ListTasks', {
          pageSize: 2,
          status: 'TASK_STATE_WORKING',
          contextId: 'c',
          includeArtifacts: true,
        }),
        rpc('CancelTask', { id: 'nenhuma', metadata: {} }),
        rpc('SubscribeToTask', { id: pausada.id }),
        rpc('SendStreamingMessage', mensagem('oi')),
        rpc('GetTaskPushNotificationConfig', { taskId: pausada.id, id: 'x' }),
        rpc('GetExtendedAgentCard', {}),
        rest('POST', '/message:send', soTexto('oi')),
        rest('POST', '/message:stream', soTexto('oi')),
        rest('POST', `/tasks/${crypto.randomUUID()}:cancel`, {}),
        rest('GET', `/tasks/${pausada.id}?historyLength=1`),
        rest('GET', '/tasks?pageSize=2&status=TASK_STATE_FAILED'),
        rest('GET', '/.well-known/agent-card.json'),
      ],
      (resposta) => {
        for (const lido of resultadosDe(resposta) as Record<
          string,
          { task?: { id: string; status: { state: string } } }
        >[]) {
          const task =
            lido.result?.task ??
            (lido.task as unknown as { id: string; status: { state: string } } | undefined);
          if (!task) continue;
          if (task.id !== pausada.id) novas.add(task.id);
          if (task.status.state === 'TASK_STATE_COMPLETED') concluidas.add(task.id);
        }
      },
    );
    assert.equal(
      await contarTasks(agente.url),
      tasksAntes + novas.size,
      'só existem as Tasks que alguma resposta deu',
    );
    assert.equal((await lerReservas(mcp.url, DIAS)).length, reservasAntes + concluidas.size);

    // A pausa atravessou o bombardeio, e ainda vale.
    assert.equal((await lerTask(agente.url, pausada.id)).status.state, 'TASK_STATE_INPUT_REQUIRED');
    const { result } = await enviar(agente.url, 'escolha=sala-garagem', pausada.id);
    assert.equal(result?.task?.status.state, 'TASK_STATE_COMPLETED');
    conferirLog(mcp);
  });
});
