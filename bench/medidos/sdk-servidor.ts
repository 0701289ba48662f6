/** Piso: o SDK de MCP como a documentação dele mostra (serving/web-standard), com uma ferramenta da mesma forma. */
import { serve } from '@hono/node-server';
import { createMcpHandler, McpServer } from '@modelcontextprotocol/server';
import * as z from 'zod';

let ultima = 0;

const handler = createMcpHandler(() => {
  const server = new McpServer({ name: 'salas', version: '1.0.0' });
  server.registerTool(
    'reservar_sala',
    {
      description: 'Reserva uma sala',
      inputSchema: z.object({
        sala: z.string(),
        inicio: z.string(),
        fim: z.string(),
        responsavel: z.string(),
      }),
      outputSchema: z.object({
        reservado: z.boolean(),
        reserva: z.string().optional(),
        sala: z.string().optional(),
        inicio: z.string().optional(),
        fim: z.string().optional(),
        responsavel: z.string().optional(),
      }),
    },
    async (pedido) => {
      const structuredContent = { reserva: `res-${++ultima}`, reservado: true, ...pedido };
      return { content: [{ type: 'text', text: JSON.stringify(structuredContent) }], structuredContent };
    },
  );
  return server;
});

serve({ fetch: (request) => handler.fetch(request), port: Number(process.env.PORTA), hostname: '127.0.0.1' });
