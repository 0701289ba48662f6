/**
 * `npm start`: os dois processos num terminal só. Cuida do segredo (cria um em `.env` se não houver), prefixa nada
 * (cada linha já diz de quem é), repassa sinais, e se um dos dois cai, derruba o outro.
 */
import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { appendFileSync, chmodSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { carregarDotEnv } from '../comum/node.ts';

carregarDotEnv();
if (!process.env.REQUEST_STATE_SECRET) {
  process.env.REQUEST_STATE_SECRET = randomBytes(32).toString('hex');
  appendFileSync('.env', `REQUEST_STATE_SECRET=${process.env.REQUEST_STATE_SECRET}\n`, { mode: 0o600 });
  chmodSync('.env', 0o600);
  console.error(
    'REQUEST_STATE_SECRET não estava definida: criei uma e guardei em .env (fora do git, só você lê)',
  );
}

const processos = ['servidor-mcp', 'agente'].map((nome) =>
  spawn(process.execPath, [fileURLToPath(new URL(`./${nome}.js`, import.meta.url))], { stdio: 'inherit' }),
);

let codigo = 0;
for (const processo of processos) {
  processo.on('exit', (saida, sinal) => {
    codigo ||= saida ?? (sinal ? 1 : 0);
    for (const outro of processos) outro.kill('SIGTERM');
    if (processos.every(({ exitCode, signalCode }) => exitCode !== null || signalCode !== null))
      process.exit(codigo);
  });
}
for (const sinal of ['SIGTERM', 'SIGINT'] as const) {
  process.on(sinal, () => {
    for (const processo of processos) processo.kill(sinal);
  });
}
