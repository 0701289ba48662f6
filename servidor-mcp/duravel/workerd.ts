/** O worker do servidor MCP com as reservas num objeto durável. A classe sai daqui para que a configuração a ache. */
import { env, type Objetos } from 'cloudflare:workers';
import type { Agenda } from '../agenda.ts';
import { criarWorker } from '../worker.ts';
import { criarAgendaDuravel } from './agenda.ts';

export { ObjetoDaAgenda } from './agenda.ts';

const { AGENDA } = env as { readonly AGENDA: Objetos<Agenda> };

export default criarWorker(criarAgendaDuravel(AGENDA));
