/** O agente como worker: o que as duas entradas de workerd, com e sem objetos duráveis, têm em comum. */
import { env } from 'cloudflare:workers';
import type { Ambiente } from '../comum/ambiente.ts';
import { comoWorker, type Worker } from '../comum/worker.ts';
import type { TaskStore } from './a2a/registro.ts';
import { lerAmbienteDoAgente } from './ambiente.ts';
import { criarAgente } from './app.ts';
import type { Pausa } from './ponte.ts';

/**
 * Monta o worker com o que os bindings dizem. Com o binding `SERVIDOR_MCP`, o agente chega ao servidor MCP por ele, sem
 * passar pela rede; sem ele, por `MCP_URL`.
 * @param armazem onde as Tasks moram; ausente, na memória deste isolate.
 * @throws {ErroDeConfiguracao} se uma variável não for o que deve: chamada ao carregar o módulo, o workerd não sobe.
 */
export function criarWorker(armazem?: TaskStore<Pausa>): Worker {
  const { porta, urlPublica, ...resto } = lerAmbienteDoAgente(env as Ambiente);
  const { SERVIDOR_MCP } = env as { readonly SERVIDOR_MCP?: { fetch: typeof fetch } };
  return comoWorker(
    criarAgente({
      ...resto,
      urlPublica: urlPublica(porta),
      escrever: console.error,
      fetch: SERVIDOR_MCP && ((url, init) => SERVIDOR_MCP.fetch(url, init)),
      armazem,
    }),
  );
}
