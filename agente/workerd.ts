/** O worker do agente, com as Tasks na memória do isolate. */
import { criarWorker } from './worker.ts';

export default criarWorker();
