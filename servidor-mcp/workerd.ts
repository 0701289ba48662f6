/** O worker do servidor MCP, com as reservas na memória do isolate. */
import { criarWorker } from './worker.ts';

export default criarWorker();
