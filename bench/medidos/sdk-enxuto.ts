/**
 * Piso: o SDK de MCP com tudo o que se pode tirar do caminho dele de fora: o corpo já lido, os esquemas prontos, sem
 * AJV. É a parte de cada tools/call que nenhum uso do SDK evita.
 */
import { serve } from '@hono/node-server';
import {
  createMcpHandler,
  McpServer,
  type ServerOptions,
  type StandardSchemaWithJSON,
} from '@modelcontextprotocol/server';

type Objeto = Readonly<Record<string, unknown>>;

const json = { type: 'object' };
const qualquerObjeto: StandardSchemaWithJSON<Objeto, Objeto> = {
  '~standard': {
    version: 1,
    vendor: 'bench',
    validate: (valor) => ({ value: valor as Objeto }),
    jsonSchema: { input: () => json, output: () => json },
  },
};
const config = { description: 'Reserva uma sala', inputSchema: qualquerObjeto, outputSchema: qualquerObjeto };
const opcoes: ServerOptions = {
  jsonSchemaValidator: { getValidator: () => () => ({ valid: false, data: undefined, errorMessage: '' }) },
};

let ultima = 0;

const handler = createMcpHandler(
  () => {
    const server = new McpServer({ name: 'salas', version: '1.0.0' }, opcoes);
    server.registerTool('reservar_sala', config, async (pedido) => {
      const structuredContent = { reserva: `res-${++ultima}`, reservado: true, ...pedido };
      return { content: [{ type: 'text', text: JSON.stringify(structuredContent) }], structuredContent };
    });
    return server;
  },
  { legacy: 'reject' },
);

serve({
  fetch: async (request) => handler.fetch(request, { parsedBody: await request.json() }),
  port: Number(process.env.PORTA),
  hostname: '127.0.0.1',
});
