/** O processo de Deno do agente. O `.env` vem por `--env-file`. */
import { lerPrazoDoRequest } from '../comum/ambiente.ts';
import { servir } from '../comum/deno.ts';
import { criarLog } from '../comum/log.ts';
import type { Manipulador } from '../comum/manipulador.ts';
import { rodarProcesso } from '../comum/processo.ts';
import { lerAmbienteDoAgente } from './ambiente.ts';
import { criarAgente } from './app.ts';

const log = criarLog('agente', console.error);

await rodarProcesso(log, async () => {
  const { porta, host, urlPublica, ...resto } = lerAmbienteDoAgente(process.env);
  // O card leva a porta real, que com AGENTE_PORT=0 só se conhece depois de escutar.
  let agente: Manipulador;
  const servidor = await servir(
    { fetch: (request, contexto) => agente.fetch(request, contexto) },
    { porta, host, prazoDoRequestMs: lerPrazoDoRequest(process.env) },
  );
  agente = criarAgente({ urlPublica: urlPublica(servidor.porta), escrever: console.error, ...resto });
  log('ouvindo', { porta: servidor.porta, caminho: '/a2a', mcp: resto.urlDoMcp });
  return servidor;
});
