/** Do `npm start` à primeira resposta que vale, em relógio de parede. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { openSync, readFileSync } from 'node:fs';
import type { Construido } from './construir.ts';
import { mediana } from './estatistica.ts';
import { livre } from './grade.ts';
import { postar } from './http.ts';
import { ambiente, portaAberta, portaLivre } from './processo.ts';

/** Medianas em ms, e a mediana da razão entre as partidas vizinhas. */
export interface Inicio {
  readonly nossoMs: number;
  readonly minimoMs: number;
  readonly razao: number;
}

/** Sobe cada um do zero, intercalados. */
export async function medirInicio(construido: Construido, pasta: string, partidas: number): Promise<Inicio> {
  const nossos: number[] = [];
  const minimos: number[] = [];
  for (let n = 0; n < partidas; n++) {
    nossos.push(await partir(construido.projeto, `${pasta}/inicio.log`, 2, primeiraReserva));
    minimos.push(
      await partir(construido.minimo, `${pasta}/inicio.log`, 1, ([porta]) => ecoar(porta as number)),
    );
  }
  return {
    nossoMs: mediana(nossos),
    minimoMs: mediana(minimos),
    razao: mediana(nossos.map((nosso, n) => nosso / (minimos[n] as number))),
  };
}

async function partir(
  pacote: string,
  log: string,
  quantasPortas: number,
  primeira: (portas: readonly number[]) => Promise<void>,
): Promise<number> {
  const portas: number[] = [];
  while (portas.length < quantasPortas) portas.push(await portaLivre());
  const [porta, portaDoMcp] = portas.map(String);
  const inicio = performance.now();
  const npm = spawn('npm', ['start'], {
    cwd: pacote,
    env: ambiente({
      npm_config_update_notifier: 'false',
      ...(porta && { PORTA: porta, AGENTE_PORT: porta }),
      ...(portaDoMcp && { MCP_PORT: portaDoMcp }),
    }),
    stdio: ['ignore', 'ignore', openSync(log, 'a')],
    // Um grupo próprio: derrubar o npm não basta para derrubar o que ele subiu.
    detached: true,
  });
  const derrubar = (): void => {
    if (npm.exitCode === null) process.kill(-(npm.pid as number), 'SIGTERM');
  };
  process.once('exit', derrubar);
  const saiu = once(npm, 'exit').then(([codigo]) => {
    throw new Error(`npm start saiu com ${codigo}: ${readFileSync(log, 'utf8').slice(-500)}`);
  });
  saiu.catch(() => undefined);
  try {
    await Promise.race([Promise.all(portas.map(portaAberta)), saiu]);
    await primeira(portas);
    return performance.now() - inicio;
  } finally {
    process.off('exit', derrubar);
    derrubar();
    await saiu.catch(() => undefined);
  }
}

async function primeiraReserva([porta]: readonly number[]): Promise<void> {
  const { sala, inicio, fim } = livre(0);
  const text = `reservar sala=${sala} inicio=${inicio} fim=${fim} responsavel=Marty McFly`;
  const message = { messageId: 'msg-1', role: 'ROLE_USER', parts: [{ text }] };
  const corpo = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'SendMessage', params: { message } });
  const { texto } = await postar(`http://127.0.0.1:${porta}/a2a`, corpo);
  if (!texto.includes('TASK_STATE_COMPLETED')) throw new Error(texto);
}

async function ecoar(porta: number): Promise<void> {
  const { texto } = await postar(`http://127.0.0.1:${porta}/`, '{"ok":true}');
  if (texto !== '{"ok":true}') throw new Error(texto);
}
