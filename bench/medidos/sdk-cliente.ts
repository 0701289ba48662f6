/** Piso: o cliente do SDK chamando o servidor de sdk-servidor.ts, como a documentação dele mostra (clients/calling). */
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { atender } from '../canal.ts';
import { emitir } from '../emissao.ts';
import { livre } from '../grade.ts';

const client = new Client(
  { name: 'agente', version: '1.0.0' },
  { versionNegotiation: { mode: { pin: '2026-07-28' } } },
);
await client.connect(new StreamableHTTPClientTransport(new URL(process.env.MCP_URL ?? '')));

let proximo = 0;

atender({
  fazer: ({ vezes }: { vezes: number }) =>
    emitir(vezes, 8, async () => {
      const argumentos = { ...livre(proximo++), responsavel: 'Marty McFly' };
      const resultado = await client.callTool({ name: 'reservar_sala', arguments: argumentos });
      if (!resultado.structuredContent) throw new Error(JSON.stringify(resultado));
    }),
});
