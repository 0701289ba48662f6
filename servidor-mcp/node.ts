/** O processo de Node do servidor MCP. */
import { readFileSync } from 'node:fs';
import { lerPrazoDoRequest } from '../comum/ambiente.ts';
import { carregarDotEnv } from '../comum/dotenv-do-node.ts';
import { criarLog } from '../comum/log.ts';
import { escreverNoStderr, servir } from '../comum/node.ts';
import { rodarProcesso } from '../comum/processo.ts';
import type { Reserva } from './agenda.ts';
import { configuracaoDoAmbiente } from './ambiente.ts';
import { criarServidorMcp } from './app.ts';
import type { Sala } from './salas.ts';

const log = criarLog('servidor-mcp', escreverNoStderr);

// Vale tanto para servidor-mcp/node.ts quanto para dist/servidor-mcp.js: os dois estão um nível abaixo da raiz.
const ler = (arquivo: string): string =>
  readFileSync(new URL(`../dados/${arquivo}`, import.meta.url), 'utf8');

await rodarProcesso(log, async () => {
  carregarDotEnv();
  const { porta, host, ...resto } = configuracaoDoAmbiente(process.env);
  const servidor = await servir(
    criarServidorMcp({
      salas: JSON.parse(ler('salas.json')) as Sala[],
      reservas: JSON.parse(ler('reservas.json')) as Reserva[],
      politica: ler('politica-de-uso.md'),
      log: escreverNoStderr,
      ...resto,
    }),
    { porta, host, prazoDoRequestMs: lerPrazoDoRequest(process.env) },
  );
  log('ouvindo', { porta: servidor.porta, caminho: '/mcp' });
  return servidor;
});
