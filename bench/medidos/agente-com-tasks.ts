/** O agente de verdade, com um armazém que já começa cheio e sem teto, para ver se o custo cresce com o que está guardado. */
import { ArmazemEmMemoria, LIMITES_PADRAO } from '../../agente/a2a/armazem-em-memoria.ts';
import type { Task } from '../../agente/a2a/modelo.ts';
import { criarAgente } from '../../agente/app.ts';
import type { Pausa } from '../../agente/ponte.ts';
import { escreverNoStderr, servir } from '../../comum/node.ts';

const { PORTA, MCP_URL = '', TASKS, TASKS_DO_MAIOR } = process.env;
const armazem = new ArmazemEmMemoria<Pausa>(Date.now, { ...LIMITES_PADRAO, terminadas: 1_000_000 });
// O mesmo preparo em todos, e só muda quanto se guarda: criar tantas Tasks faz o V8 aumentar a geração nova de vez.
const tasks = Array.from({ length: Number(TASKS_DO_MAIOR) }, (_, n) => taskConcluida(n));
for (const task of tasks.splice(0).slice(0, Number(TASKS))) await armazem.put({ task, versao: 1 });

const agente = criarAgente({
  urlPublica: `http://localhost:${PORTA}`,
  urlDoMcp: MCP_URL,
  tempoLimiteMs: 10_000,
  armazem,
  escrever: escreverNoStderr,
});
await servir(agente, { porta: Number(PORTA), host: undefined });

/** Da mesma forma que a ponte deixa uma reserva concluída. */
function taskConcluida(n: number): Task {
  const [id, contextId] = [crypto.randomUUID(), crypto.randomUUID()];
  const pedido = `reservar sala=sala-mirante inicio=2026-11-03T14:00:00-03:00 fim=2026-11-03T15:00:00-03:00 responsavel=Marty ${n}`;
  const fim = {
    messageId: crypto.randomUUID(),
    role: 'ROLE_AGENT',
    parts: [{ text: `Reserva res-${n} confirmada na sala-mirante.` }],
    taskId: id,
    contextId,
  } as const;
  const task: Task = {
    id,
    contextId,
    status: { state: 'TASK_STATE_COMPLETED', timestamp: new Date().toISOString(), message: fim },
    artifacts: [
      { artifactId: crypto.randomUUID(), name: 'reserva', parts: [{ text: JSON.stringify({ pedido }) }] },
    ],
    history: [
      { messageId: `msg-${n}`, role: 'ROLE_USER', parts: [{ text: pedido }], taskId: id, contextId },
      fim,
    ],
  };
  // Os textos de um UUID ou de uma concatenação ocupam o dobro até alguém os achatar, o que a rede faz com os de verdade.
  return JSON.parse(JSON.stringify(task)) as Task;
}
