/** O processo de Node do agente. */
import { lerPrazoDoRequest } from '../comum/ambiente.ts';
import { carregarDotEnv } from '../comum/dotenv-do-node.ts';
import { fetchDoNode } from '../comum/fetch-do-node.ts';
import { criarLog } from '../comum/log.ts';
import type { Manipulador } from '../comum/manipulador.ts';
import { escreverNoStderr, servir } from '../comum/node.ts';
import { rodarProcesso } from '../comum/processo.ts';
import { lerAmbienteDoAgente } from './ambiente.ts';
import { criarAgente } from './app.ts';

const log = criarLog('agente', escreverNoStderr);

await rodarProcesso(log, async () => {
  carregarDotEnv();
  const { porta, host, urlPublica, ...resto } = lerAmbienteDoAgente(process.env);
  // O card leva a porta real, que com AGENTE_PORT=0 só se conhece depois de escutar.
  let agente: Manipulador;
  const servidor = await servir(
    { fetch: (request, contexto) => agente.fetch(request, contexto) },
    { porta, host, prazoDoRequestMs: lerPrazoDoRequest(process.env) },
  );
  agente = criarAgente({
    urlPublica: urlPublica(servidor.porta),
    escrever: escreverNoStderr,
    fetch: fetchDoNode,
    ...resto,
  });
  log('ouvindo', { porta: servidor.porta, caminho: '/a2a', mcp: resto.urlDoMcp });
  return servidor;
});
