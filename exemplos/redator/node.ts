/** O redator e o pesquisador no Node: em memória, ou em dois processos. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { lerPorta } from '../../comum/ambiente.ts';
import { criarLog } from '../../comum/log.ts';
import type { Manipulador } from '../../comum/manipulador.ts';
import { escreverNoStderr, servir } from '../../comum/node.ts';
import { rodarProcesso } from '../../comum/processo.ts';
import type { Buscar } from '../cliente/cliente-a2a.ts';
import { criarRedator } from './agente.ts';
import { cardAssinado } from './card-assinado.ts';
import { ciclo } from './ciclo.ts';
import { streaming } from './streaming.ts';

const USO = `Uso: npm run exemplo:redator -- [exercício] [--processos]
  ciclo          o ciclo de vida de uma Task, com a pausa (o padrão)
  card-assinado  um card assinado, e o que o verificador recusa
  streaming      os pedaços de um artifact, acumulados
  servir         só o redator, na porta de --porta (7410)
  --processos    o redator em outro processo, por HTTP, em vez de em memória`;

const { exercicio, porta, processos } = lerArgumentos();
const narrar = (linha: string): void => console.log(linha);
const exercicios = new Map<string, (base: string, buscar: Buscar) => Promise<unknown>>([
  ['ciclo', (base, buscar) => ciclo(base, buscar, narrar)],
  ['streaming', (base, buscar) => streaming(base, buscar, narrar)],
  ['card-assinado', () => cardAssinado(narrar)],
]);
const escolhido = exercicios.get(exercicio);

if (exercicio === 'servir') await servirRedator();
else if (!escolhido) {
  console.error(USO);
  process.exitCode = 1;
} else if (processos) await comOutroProcesso((base) => escolhido(base, fetch));
else {
  // Sem socket: o fetch do pesquisador é o handler do redator.
  const redator = criarRedator({ urlPublica: 'http://localhost', escrever: () => {} });
  await escolhido('http://localhost', (request) => redator.fetch(request));
}

async function servirRedator(): Promise<void> {
  const log = criarLog('redator', escreverNoStderr);
  await rodarProcesso(log, async () => {
    let redator: Manipulador;
    const servidor = await servir(
      { fetch: (request, contexto) => redator.fetch(request, contexto) },
      { porta: lerPorta({ '--porta': porta }, '--porta', 7410), host: undefined },
    );
    redator = criarRedator({ urlPublica: `http://localhost:${servidor.porta}`, escrever: escreverNoStderr });
    log('ouvindo', { porta: servidor.porta });
    return servidor;
  });
}

async function comOutroProcesso(conversar: (base: string) => Promise<unknown>): Promise<void> {
  const filho = spawn(
    process.execPath,
    [...process.execArgv, fileURLToPath(import.meta.url), 'servir', '--porta', '0'],
    { stdio: ['ignore', 'ignore', 'pipe'] },
  );
  try {
    for await (const linha of createInterface({ input: filho.stderr })) {
      const porta = /ouvindo porta=(\d+)/.exec(linha)?.[1];
      if (!porta) continue;
      await conversar(`http://localhost:${porta}`);
      break;
    }
  } finally {
    filho.kill();
    if (filho.exitCode === null) await once(filho, 'exit');
  }
}

/** Uma opção que não existe é um exercício que não existe: mostra o uso. */
function lerArgumentos(): { exercicio: string; porta: string | undefined; processos: boolean | undefined } {
  try {
    const { positionals, values } = parseArgs({
      allowPositionals: true,
      options: { processos: { type: 'boolean' }, porta: { type: 'string' } },
    });
    return { exercicio: positionals[0] ?? 'ciclo', porta: values.porta, processos: values.processos };
  } catch {
    return { exercicio: '', porta: undefined, processos: undefined };
  }
}
