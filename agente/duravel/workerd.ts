/** O worker do agente com as Tasks em objetos duráveis. As classes saem daqui para que a configuração as ache. */
import { env, type Objetos } from 'cloudflare:workers';
import type { Pausa } from '../ponte.ts';
import { criarWorker } from '../worker.ts';
import { criarArmazemDuravel } from './armazem.ts';
import type { Indice } from './indice.ts';
import type { TaskDuravel } from './task.ts';

export { ObjetoDoIndice } from './indice.ts';
export { ObjetoDeTask } from './task.ts';

const { TASKS, INDICE } = env as {
  readonly TASKS: Objetos<TaskDuravel<Pausa>>;
  readonly INDICE: Objetos<Indice>;
};

export default criarWorker(criarArmazemDuravel(TASKS, INDICE));
