import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { tmpdir } from 'node:os';
import { text } from 'node:stream/consumers';
import { after, before, describe, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { portaLivre, type Servico, subirAgente, subirServidorMcp } from '../testes/processos.ts';
import { padrao } from '../testes/roteiro.ts';

const PAUSA_E_ESCOLHA = `
2. Sala ocupada: a Task pausa; uma escolha que não foi oferecida mantém a pausa, a outra conclui
  trace-id TRACE, no header traceparent do cliente
  cliente ──▶ agente                   SendMessage "reservar sala=sala-garagem inicio=DIAT10:00:00-03:00 fim=DIAT11:00:00-03:00 responsavel=Doc Brown"
              agente                   Task TASK TASK_STATE_SUBMITTED
              agente                   Task TASK TASK_STATE_WORKING
              agente ──▶ servidor MCP  tools/call reservar_sala id=…-3 trace=… span=…
              agente ◀── servidor MCP  id=…-3 input_required: {"escolha":["sala-fusca","sala-mirante"]} e requestState #1 <lacrado, … bytes>
              agente                   Task TASK TASK_STATE_INPUT_REQUIRED; guardado ao lado dela: requestState #1 <lacrado, … bytes>
  cliente ◀── agente                   Task TASK TASK_STATE_INPUT_REQUIRED "alternativas: sala-fusca, sala-mirante"
  cliente ──▶ agente                   SendMessage taskId=TASK "escolha=sala-aquario"
              agente                   Task TASK TASK_STATE_WORKING
              agente                   Task TASK TASK_STATE_INPUT_REQUIRED; guardado ao lado dela: requestState #1 <lacrado, … bytes>
  cliente ◀── agente                   Task TASK TASK_STATE_INPUT_REQUIRED "alternativas: sala-fusca, sala-mirante"
  cliente ──▶ agente                   SendMessage taskId=TASK "escolha=sala-mirante"
              agente                   Task TASK TASK_STATE_WORKING
              agente ──▶ servidor MCP  tools/call reservar_sala id=…-4 trace=… span=…
                                       com inputResponses {"escolha":{"action":"accept","content":{"sala":"sala-mirante"}}} e requestState #1 <lacrado, … bytes>
              agente ◀── servidor MCP  id=…-4 complete: {"reservado":true,"reserva":"res-…","sala":"sala-mirante"}
              agente                   Task TASK TASK_STATE_COMPLETED
  cliente ◀── agente                   Task TASK TASK_STATE_COMPLETED "Reserva res-… confirmada na sala-mirante."
  cliente ◀── agente                   artifact reserva: {"reserva":"res-…","sala":"sala-mirante",…"politica":"2026-11-01"}
  agente no ar: as mesmas respostas; no stderr do servidor MCP, trace-id TRACE
`.trim();

interface Demonstracao {
  readonly codigo: number | null;
  readonly saida: string;
  readonly erros: string;
}

/** Roda a demonstração como `npm run demo` o faz. */
async function demonstrar(portaDoMcp: number, portaDoAgente: number): Promise<Demonstracao> {
  const entrada = fileURLToPath(new URL('demo.ts', import.meta.url));
  const processo = spawn(process.execPath, ['--import', import.meta.resolve('tsx'), entrada], {
    cwd: tmpdir(),
    env: { MCP_PORT: String(portaDoMcp), AGENTE_PORT: String(portaDoAgente) },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const [saida, erros, [codigo]] = await Promise.all([
    text(processo.stdout),
    text(processo.stderr),
    once(processo, 'exit') as Promise<[number | null]>,
  ]);
  return { codigo, saida, erros };
}

/** Os blocos depois do cabeçalho, um por conversa. */
function conversas(saida: string): string[] {
  return saida.trim().split('\n\n').slice(1);
}

describe('npm run demo', () => {
  const noAr: Servico[] = [];
  let servidorMcp: Servico;
  let agente: Servico;
  let demonstracoes: readonly Demonstracao[];

  before(async () => {
    servidorMcp = await subirServidorMcp();
    noAr.push(servidorMcp);
    agente = await subirAgente(servidorMcp.url);
    noAr.push(agente);
    demonstracoes = [
      await demonstrar(servidorMcp.porta, agente.porta),
      await demonstrar(servidorMcp.porta, agente.porta),
    ];
  });

  after(() => Promise.all(noAr.map((servico) => servico.parar())));

  test('duas vezes seguidas contra os mesmos processos, cada uma num dia livre', () => {
    for (const [indice, dia] of ['2030-01-07', '2030-01-08'].entries()) {
      const { codigo, saida, erros } = demonstracoes[indice] as Demonstracao;
      assert.equal(codigo, 0, saida + erros);
      assert.equal(erros, '');
      assert.match(saida, new RegExp(`^  dia +${dia}, `, 'm'));
    }
  });

  test('a pausa e a escolha são contadas inteiras, dos dois lados, com ids diferentes na chamada e no retry', () => {
    const contada = (conversas(demonstracoes[0]?.saida ?? '')[1] ?? '')
      .replace(/Id=[\da-f]{8}…/gi, 'Id=TASK')
      .replace(/Task [\da-f]{8}…/g, 'Task TASK')
      .replace(/trace-id [\da-f]{32}/g, 'trace-id TRACE')
      .replace(/2030-01-07/g, 'DIA');
    assert.match(contada, padrao(PAUSA_E_ESCOLHA));
  });

  test('as quatro conversas levam a Task aos estados que o título promete', () => {
    const finais = conversas(demonstracoes[0]?.saida ?? '').map((conversa) =>
      [...conversa.matchAll(/cliente ◀── agente +Task \S+ TASK_STATE_(\w+) "([^"]*)"/g)].map(
        ([, estado, texto]) => `${estado} ${texto?.replace(/res-\d+/, 'res-N')}`,
      ),
    );
    assert.deepEqual(finais, [
      ['COMPLETED Reserva res-N confirmada na sala-garagem.'],
      [
        'INPUT_REQUIRED alternativas: sala-fusca, sala-mirante',
        'INPUT_REQUIRED alternativas: sala-fusca, sala-mirante',
        'COMPLETED Reserva res-N confirmada na sala-mirante.',
      ],
      ['INPUT_REQUIRED alternativas: sala-fusca', 'CANCELED Recusado: nada foi feito'],
      ['FAILED Sala inexistente: sala-inexistente'],
    ]);
  });

  test('os trace-ids contados estão no log do servidor MCP, com um tools/call para cada mensagem que chega a ele', () => {
    const log = servidorMcp.stderr();
    for (const { saida } of demonstracoes) {
      const [, pausa = ''] = conversas(saida);
      const traces = [...pausa.matchAll(/trace-id ([\da-f]{32})/g)].map(([, traceId]) => traceId);
      assert.equal(new Set(traces).size, 2);
      for (const traceId of traces) {
        const ids = [...log.matchAll(new RegExp(`tools/call id=(\\S+) .*traceparent=00-${traceId}-`, 'g'))];
        assert.equal(new Set(ids.map(([, id]) => id)).size, 2);
      }
    }
  });

  test('nenhum requestState aparece', () => {
    for (const { saida } of demonstracoes) assert.doesNotMatch(saida, /[\w-]{20,}\.[\w-]{20,}\.[\w-]{64}/);
  });

  test('sem um dos serviços, diz qual falta e como subir, com código 1', async () => {
    const livre = await portaLivre();
    const [semAgente, semServidorMcp] = await Promise.all([
      demonstrar(servidorMcp.porta, livre),
      demonstrar(livre, agente.porta),
    ]);
    assert.deepEqual(semAgente, {
      codigo: 1,
      saida: '',
      erros: `Não há agente em http://localhost:${livre}. Suba os dois processos com: npm start\n`,
    });
    assert.deepEqual(semServidorMcp, {
      codigo: 1,
      saida: '',
      erros: `Não há servidor MCP em http://localhost:${livre}/mcp. Suba os dois processos com: npm start\n`,
    });
  });
});
