/** Um servidor MCP da revisão 2025-11-25, com sessão, que anota o que ouviu e pode esquecer a sessão. */
import { McpServer, WebStandardStreamableHTTPServerTransport } from '@modelcontextprotocol/server';
import * as z from 'zod';
import type { Manipulador } from '../../../comum/manipulador.ts';

/** O servidor, e o que se observa dele. */
export interface ServidorDe2025 extends Manipulador {
  /** O corpo de cada POST. */
  readonly ouvidos: readonly {
    readonly method?: string;
    readonly params?: { readonly capabilities?: unknown };
  }[];
  /** Quantas sessões estão abertas. */
  sessoes(): number;
  /** Como num reinício: as sessões abertas deixam de existir. */
  esquecer(): void;
  /** O que a próxima resposta a um `tools/call` será, depois de a ferramenta ter rodado. */
  estragar(resposta: () => Promise<Response>): void;
}

/** @param statusDeSessaoPerdida 404, como manda a spec, ou 400, como respondem alguns servidores públicos. */
export function servidorDe2025(statusDeSessaoPerdida: 400 | 404): ServidorDe2025 {
  const sessoes = new Map<string, WebStandardStreamableHTTPServerTransport>();
  let estragada: (() => Promise<Response>) | undefined;
  const ouvidos: { method?: string; params?: { capabilities?: unknown } }[] = [];
  return {
    ouvidos,
    sessoes: () => sessoes.size,
    esquecer: () => sessoes.clear(),
    estragar(resposta) {
      estragada = resposta;
    },
    async fetch(request) {
      if (request.method === 'POST') ouvidos.push((await request.clone().json()) as (typeof ouvidos)[number]);
      const id = request.headers.get('mcp-session-id');
      const aberta = id === null ? undefined : sessoes.get(id);
      if (id !== null && !aberta) {
        const error = { code: -32000, message: 'No valid session ID' };
        return Response.json({ jsonrpc: '2.0', id: null, error }, { status: statusDeSessaoPerdida });
      }
      const resposta = await (aberta ?? (await abrir(sessoes))).handleRequest(request);
      if (!estragada || ouvidos.at(-1)?.method !== 'tools/call') return resposta;
      await resposta.text();
      const estragar = estragada;
      estragada = undefined;
      return estragar();
    },
  };
}

async function abrir(
  sessoes: Map<string, WebStandardStreamableHTTPServerTransport>,
): Promise<WebStandardStreamableHTTPServerTransport> {
  const transporte = new WebStandardStreamableHTTPServerTransport({
    sessionIdGenerator: () => crypto.randomUUID(),
    onsessioninitialized: (id) => {
      sessoes.set(id, transporte);
    },
    onsessionclosed: (id) => {
      sessoes.delete(id);
    },
  });
  const servidor = new McpServer({ name: 'antigo', version: '1.2.3' });
  servidor.registerTool(
    'somar',
    { inputSchema: z.object({ a: z.number(), b: z.number() }) },
    async ({ a, b }) => ({
      content: [{ type: 'text', text: String(a + b) }],
    }),
  );
  servidor.registerTool('perguntar', { description: 'Pergunta ao vivo' }, async ({ mcpReq }) => {
    await mcpReq.elicitInput({ message: 'Oi?', requestedSchema: { type: 'object', properties: {} } });
    return { content: [] };
  });
  await servidor.connect(transporte);
  return transporte;
}
