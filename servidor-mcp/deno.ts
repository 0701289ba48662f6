/** O processo de Deno do servidor MCP. O `.env` vem por `--env-file`. */
import { lerPrazoDoRequest } from '../comum/ambiente.ts';
import { servir } from '../comum/deno.ts';
import { criarLog } from '../comum/log.ts';
import { rodarProcesso } from '../comum/processo.ts';
import { configuracaoDoAmbiente } from './ambiente.ts';
import { criarServidorMcp } from './app.ts';
import { DADOS } from './dados.ts';

const log = criarLog('servidor-mcp', console.error);

await rodarProcesso(log, async () => {
  const { porta, host, ...resto } = configuracaoDoAmbiente(process.env);
  const servidor = await servir(criarServidorMcp({ ...DADOS, ...resto, log: console.error }), {
    porta,
    host,
    prazoDoRequestMs: lerPrazoDoRequest(process.env),
  });
  log('ouvindo', { porta: servidor.porta, caminho: '/mcp' });
  return servidor;
});
