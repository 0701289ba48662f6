/**
 * Milhares de requests malformados a cada um dos dois processos: nenhum o derruba, o faz crescer, o faz falar de si, forja
 * uma linha de log ou reserva o que ninguém pediu. `SEMENTE` repete uma execução; `LONGO=1` multiplica por trinta.
 */
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { after, before, describe, test } from 'node:test';
import fc from 'fast-check';
import { LIMITE_DO_CORPO } from '../comum/corpo.ts';
import { instante, pedido, SALAS } from './bancada.ts';
import { contarTasks, enviar, lerReservas, lerTask, requestMcp } from './chamadas.ts';
import { lerRespostas, type RespostaCrua, trocar } from './http-cru.ts';
import { type Base, corpus, FORJADO, malformado, type Pedido } from './malformados.ts';
import { type Servico, subirAgente, subirServidorMcp } from './processos.ts';

const LOTE = 20;
/** Somadas às do corpus, passam de dois mil requests por processo. */
const RODADAS = process.env.LONGO ? 2_400 : 80;
const SEMENTE = Number(process.env.SEMENTE ?? Date.now() % 2 ** 31);

const DIAS_DO_FUZZ = ['2026-12-01', '2026-12-02', '2026-12-03', '2026-12-04'];
const DIA_DA_PAUSA = '2026-12-10';
const DIAS = [...DIAS_DO_FUZZ, DIA_DA_PAUSA];

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
  assert.doesNotMatch(texto, POR_DENTRO);
  assert.doesNotMatch([...headers].join('\n'), POR_DENTRO);
  // Com o servidor MCP no ar, nem um -32603 nosso cabe: a culpa é de quem mandou, e a resposta tem de dizer qual.
  assert.ok(status < 500, `${status}: ${texto}`);
  assert.doesNotMatch(texto, /"code":-32603|"status":"INTERNAL"|Falha interna/);
  if (/json/.test(headers.get('content-type') ?? '') && corpo.length > 0) JSON.parse(texto);
}

async function mandar(porta: number, um: Pedido): Promise<RespostaCrua[]> {
  try {
    const respostas = lerRespostas(await trocar(porta, um.bytes, um.cortado), um.semCorpoNaResposta);
    for (const resposta of respostas) conferirResposta(resposta);
    if (um.inteiro) {
      assert.equal(respostas.length, 1, 'um request HTTP correto tem sempre uma resposta');
      if (um.tamanho > LIMITE_DO_CORPO) assert.equal(respostas[0]?.status, 413);
    }
    return respostas;
  } catch (erro) {
    throw new Error(`${(erro as Error).message}\n  ao mandar ${um.nome}`, { cause: erro });
  }
}

function conferirLog(servico: Servico): void {
  for (const linha of servico.stderr().split('\n').slice(0, -1)) {
    assert.match(linha, LINHA_DE_LOG);
    assert.doesNotMatch(linha, MEXE_NO_TERMINAL);
    assert.doesNotMatch(linha.replace(/"([^"\\]|\\.)*"/g, '""'), FORJADO);
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
  aoResponder: (mensagem: Mensagem) => void,
): Promise<void> {
  let mandados = 0;
  const mandarTodos = async (pedidos: readonly Pedido[]): Promise<void> => {
    const respostas = await Promise.all(pedidos.map((um) => mandar(servico.porta, um)));
    respostas.flat().flatMap(mensagensDe).forEach(aoResponder);
    mandados += pedidos.length;
  };
  const fixos = corpus(bases);
  for (let i = 0; i < fixos.length; i += LOTE) await mandarTodos(fixos.slice(i, i + LOTE));

  const antes = residente(servico);
  const lotes = fc.array(malformado(bases), { minLength: LOTE, maxLength: LOTE });
  await fc.assert(fc.asyncProperty(lotes, mandarTodos), { numRuns: RODADAS, seed: SEMENTE });
  const razao = residente(servico) / antes;
  assert.ok(razao < 1.3, `a memória residente foi multiplicada por ${razao}`);
  assert.ok(mandados >= 2_000, `só ${mandados} requests`);
  conferirLog(servico);
}

/** O que se olha numa resposta, em JSON ou em SSE, de qualquer dos dois. */
interface Mensagem {
  readonly task?: Resumo;
  readonly result?: {
    readonly task?: Resumo;
    readonly structuredContent?: { readonly reservado?: boolean; readonly reserva: string };
  };
}
interface Resumo {
  readonly id: string;
  readonly status: { readonly state: string };
}

function mensagensDe({ corpo }: RespostaCrua): Mensagem[] {
  return corpo
    .toString()
    .split('\n')
    .map((linha) => linha.replace(/^data: /, ''))
    .filter((texto) => texto.startsWith('{'))
    .map((texto) => JSON.parse(texto));
}

/** Um lugar diferente da agenda para cada vez, enquanto houver. */
function lugar(vez: number): readonly [sala: string, dia: string, inicio: number, fim: number] {
  const sala = SALAS[vez % SALAS.length]?.id as string;
  const meiaHora = Math.floor(vez / SALAS.length) % 24;
  const dia = DIAS_DO_FUZZ[Math.floor(vez / SALAS.length / 24) % DIAS_DO_FUZZ.length] as string;
  return [sala, dia, 8 + meiaHora / 2, 8.5 + meiaHora / 2];
}

describe('fuzz', { concurrency: 1, timeout: process.env.LONGO ? 3_600_000 : 240_000 }, () => {
  test(`servidor MCP (SEMENTE=${SEMENTE})`, async () => {
    const antes = (await lerReservas(mcp.url, DIAS)).map(({ id }) => id);
    const reservadas = new Set(antes);
    const base = (method: string, params: (vez: number) => Record<string, unknown> = () => ({})): Base => ({
      metodo: 'POST',
      alvo: '/mcp',
      headers: requestMcp(method, params(0)).headers,
      corpo: (vez) => requestMcp(method, params(vez)).corpo,
    });
    const consulta = (vez: number) => {
      const [sala, dia, inicio, fim] = lugar(vez);
      return { sala, inicio: instante(dia, inicio), fim: instante(dia, fim) };
    };
    const reserva = (vez: number) => ({ ...consulta(vez), responsavel: 'Biff' });
    await bombardear(
      mcp,
      [
        base('tools/call', () => ({ name: 'listar_salas', arguments: {} })),
        base('tools/call', (vez) => ({ name: 'consultar_disponibilidade', arguments: consulta(vez) })),
        base('tools/call', (vez) => ({ name: 'reservar_sala', arguments: reserva(vez) })),
        base('tools/call', (vez) => ({
          name: 'reservar_sala',
          arguments: reserva(vez),
          inputResponses: { escolha: { action: 'accept', content: { sala: 'sala-mirante' } } },
          requestState: `${'a'.repeat(20)}.${'b'.repeat(200)}.${'c'.repeat(64)}`,
        })),
        base('tools/list'),
        base('server/discover'),
        base('resources/list'),
        base('resources/templates/list'),
        base('resources/read', () => ({ uri: 'politica://uso' })),
        base('initialize', () => ({
          protocolVersion: '2025-06-18',
          capabilities: {},
          clientInfo: { name: 'x', version: '1' },
        })),
      ],
      ({ result }) => {
        const { reservado, reserva } = result?.structuredContent ?? {};
        if (reservado && reserva) reservadas.add(reserva);
      },
    );
    const depois = (await lerReservas(mcp.url, DIAS)).map(({ id }) => id);
    assert.deepEqual(depois.sort(), [...reservadas].sort(), 'só existe o que uma resposta disse que existe');
    assert.ok(depois.length > antes.length, 'nem um request bom passou: o gerador estraga demais');
  });

  test(`agente (SEMENTE=${SEMENTE})`, async () => {
    const naPausa = pedido('sala-aquario', DIA_DA_PAUSA, 9, 10, 'Marty');
    assert.equal((await enviar(agente.url, naPausa)).result?.task?.status.state, 'TASK_STATE_COMPLETED');
    const pausada = (await enviar(agente.url, naPausa)).result?.task;
    assert.equal(pausada?.status.state, 'TASK_STATE_INPUT_REQUIRED');
    const tasksAntes = await contarTasks(agente.url);
    const reservasAntes = (await lerReservas(mcp.url, DIAS)).length;
    const novas = new Set<string>();
    const concluidas = new Set<string>();

    const headers = { 'content-type': 'application/json', 'a2a-version': '1.0' };
    const rest = (metodo: string, alvo: string, corpo: Base['corpo'] = () => undefined): Base => ({
      metodo,
      alvo,
      headers,
      corpo,
    });
    const rpc = (method: string, params: (vez: number) => unknown): Base =>
      rest('POST', '/a2a', (vez) => ({ jsonrpc: '2.0', id: vez, method, params: params(vez) }));
    const texto = (text: string, resto: object = {}) => ({
      message: { messageId: 'm', role: 'ROLE_USER', parts: [{ text }], ...resto },
    });
    const tudo = () => ({
      message: {
        messageId: 'm',
        role: 'ROLE_USER',
        parts: [
          { text: 'reservar sala=sala-x inicio=agora', metadata: { a: { b: 1 } } },
          { data: { x: [1] }, mediaType: 'application/json', filename: 'f' },
        ],
        contextId: 'c',
        metadata: { traço: 1 },
        extensions: ['urn:x'],
        referenceTaskIds: ['r'],
      },
      configuration: { acceptedOutputModes: ['text/plain'], historyLength: 1, returnImmediately: false },
      metadata: {},
    });
    const reserva = (vez: number) => texto(pedido(...lugar(vez + SALAS.length * 48), 'Biff'));
    await bombardear(
      agente,
      [
        rpc('GetTask', () => ({ id: pausada.id, historyLength: 2 })),
        rpc('SendMessage', reserva),
        rpc('SendMessage', tudo),
        rpc('SendMessage', () => texto('escolha=sala-que-nao-foi-oferecida', { taskId: pausada.id })),
        rpc('ListTasks', () => ({
          pageSize: 2,
          pageToken: '',
          status: 'TASK_STATE_WORKING',
          contextId: 'c',
          historyLength: 1,
          statusTimestampAfter: '2026-01-01T00:00:00Z',
          includeArtifacts: true,
        })),
        rpc('CancelTask', () => ({ id: 'nenhuma', metadata: {} })),
        rpc('SubscribeToTask', () => ({ id: pausada.id })),
        rpc('SendStreamingMessage', tudo),
        rpc('GetTaskPushNotificationConfig', () => ({ taskId: pausada.id, id: 'x' })),
        rpc('GetExtendedAgentCard', () => ({})),
        rest('POST', '/message:send', reserva),
        rest('POST', '/message:stream', () => texto('oi')),
        rest('POST', `/tasks/${crypto.randomUUID()}:cancel`, () => ({ metadata: {} })),
        rest('GET', `/tasks/${pausada.id}?historyLength=1`),
        rest('GET', '/tasks?pageSize=2&status=TASK_STATE_FAILED'),
        rest('GET', '/.well-known/agent-card.json'),
      ],
      ({ result, task = result?.task }) => {
        if (!task || task.id === pausada.id) return;
        novas.add(task.id);
        if (task.status.state === 'TASK_STATE_COMPLETED') concluidas.add(task.id);
      },
    );
    assert.equal(
      await contarTasks(agente.url),
      tasksAntes + novas.size,
      'só existem as Tasks que alguma resposta deu',
    );
    assert.equal((await lerReservas(mcp.url, DIAS)).length, reservasAntes + concluidas.size);
    assert.ok(concluidas.size > 0, 'nem um request bom passou: o gerador estraga demais');

    // A pausa atravessou o bombardeio, e ainda vale.
    assert.equal((await lerTask(agente.url, pausada.id)).status.state, 'TASK_STATE_INPUT_REQUIRED');
    const { result } = await enviar(agente.url, 'escolha=sala-garagem', pausada.id);
    assert.equal(result?.task?.status.state, 'TASK_STATE_COMPLETED');
    conferirLog(mcp);
  });
});
