/** A forma de worker que o workerd, e as plataformas parecidas, esperam como default export de um módulo. */
import type { ContextoDeExecucao, Manipulador } from './manipulador.ts';

/** Os bindings, que vêm como segundo argumento, são lidos ao carregar o módulo (`cloudflare:workers`). */
export interface Worker {
  fetch(request: Request, env: unknown, contexto: ContextoDeExecucao): Promise<Response>;
}

/** Um handler, na forma de worker. */
export function comoWorker(manipulador: Manipulador): Worker {
  return { fetch: (request, _env, contexto) => manipulador.fetch(request, contexto) };
}
