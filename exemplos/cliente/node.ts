/** `npm run chamar`: um cliente A2A de linha de comando. Mostra o card, ou manda uma mensagem e mostra a Task. */
import { parseArgs } from 'node:util';
import type { Part } from '../../agente/a2a/modelo.ts';
import { conectar, ErroDoAgente } from './cliente-a2a.ts';
import { narrarCard, narrarTask } from './narracao.ts';

const USO = `Uso: npm run chamar -- --agente <url> [--texto <texto>] [--dados <json>] [--task <id>]
  --agente  a base do agente, onde está o card; sem mais nada, mostra o card
  --texto   manda uma Part text
  --dados   manda uma Part data
  --task    continua uma Task, em vez de abrir outra`;

// Quem lia foi embora (`... | head -3`): já viu o que queria.
process.stdout.on('error', (erro: NodeJS.ErrnoException) => {
  if (erro.code !== 'EPIPE') throw erro;
  process.exit(0);
});
const narrar = (linha: string): void => console.log(linha);

try {
  const { values } = parseArgs({
    options: {
      agente: { type: 'string' },
      texto: { type: 'string' },
      dados: { type: 'string' },
      task: { type: 'string' },
    },
  });
  if (!values.agente) throw new TypeError('falta --agente');
  const cliente = await conectar(values.agente.replace(/\/+$/, ''));
  const parts = lerParts(values);
  if (parts.length > 0) narrarTask(await cliente.enviar(parts, { taskId: values.task }), narrar);
  else narrarCard(cliente, narrar);
} catch (erro) {
  console.error(comoDizer(erro));
  process.exitCode = 1;
}

function lerParts({
  texto,
  dados,
}: {
  texto?: string | undefined;
  dados?: string | undefined;
}): readonly Part[] {
  const parts: Part[] = [];
  if (texto !== undefined) parts.push({ text: texto });
  if (dados !== undefined) parts.push({ data: JSON.parse(dados), mediaType: 'application/json' });
  return parts;
}

function comoDizer(erro: unknown): string {
  if (erro instanceof ErroDoAgente) return `${erro.codigo} ${erro.motivo ?? ''}: ${erro.message}`;
  if (erro instanceof SyntaxError) return `--dados não é JSON: ${erro.message}`;
  if (erro instanceof TypeError)
    return erro.message === 'fetch failed' ? 'Não há ninguém nesse endereço' : USO;
  return erro instanceof Error ? erro.message : String(erro);
}
