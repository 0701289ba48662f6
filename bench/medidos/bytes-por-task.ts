/**
 * Quanto ocupa uma Task concluída do agente de salas: reservas de verdade pelo handler do agente, com um servidor MCP
 * de mentira no lugar do outro processo, para que só as Tasks fiquem na memória deste.
 */
import { ArmazemEmMemoria, LIMITES_PADRAO } from '../../agente/a2a/armazem-em-memoria.ts';
import { criarAgente } from '../../agente/app.ts';
import type { Pausa } from '../../agente/ponte.ts';
import { atender } from '../canal.ts';
import { emitir } from '../emissao.ts';
import { livre } from '../grade.ts';

const armazem = new ArmazemEmMemoria<Pausa>(Date.now, { ...LIMITES_PADRAO, terminadas: 1_000_000 });
const agente = criarAgente({
  urlPublica: 'http://localhost:7300',
  urlDoMcp: 'http://localhost:7301/mcp',
  tempoLimiteMs: 10_000,
  escrever: () => undefined,
  armazem,
  fetch: async (_url, init) => servidorDeMentira(JSON.parse(String(init?.body))),
});

let numero = 0;

atender({
  reservar: ({ vezes }: { vezes: number }) =>
    emitir(vezes, 8, async () => {
      const { sala, inicio, fim } = livre(numero++);
      const text = `reservar sala=${sala} inicio=${inicio} fim=${fim} responsavel=Marty McFly`;
      const resposta = await agente.fetch(
        new Request('http://localhost:7300/a2a', {
          method: 'POST',
          headers: { 'content-type': 'application/json' },
          body: JSON.stringify({
            jsonrpc: '2.0',
            id: numero,
            method: 'SendMessage',
            params: { message: { messageId: `msg-${numero}`, role: 'ROLE_USER', parts: [{ text }] } },
          }),
        }),
      );
      const texto = await resposta.text();
      if (!texto.includes('TASK_STATE_COMPLETED')) throw new Error(texto);
    }),
});

interface Chamada {
  readonly id: number;
  readonly method: string;
  readonly params: { readonly uri?: string; readonly arguments?: object };
}

function servidorDeMentira({ id, method, params }: Chamada): Response {
  const cache = { resultType: 'complete', ttlMs: 60_000, cacheScope: 'public' };
  const resultados: Record<string, unknown> = {
    'tools/list': { ...cache, tools: [{ name: 'reservar_sala', inputSchema: { type: 'object' } }] },
    'resources/read': { ...cache, contents: [{ uri: params.uri, text: 'versao: 2026-11-01\n' }] },
    'tools/call': {
      resultType: 'complete',
      content: [],
      structuredContent: { reservado: true, reserva: `res-${id}`, ...params.arguments },
    },
  };
  return Response.json({ jsonrpc: '2.0', id, result: resultados[method] });
}
