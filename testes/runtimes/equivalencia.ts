/**
 * Um worker que põe lado a lado o que mora em memória e o que mora em objetos duráveis: a mesma sequência aleatória de
 * operações tem de dar os mesmos resultados. `GET /?semente=7` responde 200, ou 500 com a primeira diferença.
 */
import { env, type Objetos } from 'cloudflare:workers';
import { ArmazemEmMemoria, LIMITES_PADRAO } from '../../agente/a2a/armazem-em-memoria.ts';
import type { Task, TaskState } from '../../agente/a2a/modelo.ts';
import type { TaskStore } from '../../agente/a2a/registro.ts';
import { criarArmazemDuravel } from '../../agente/duravel/armazem.ts';
import type { Indice } from '../../agente/duravel/indice.ts';
import { ObjetoDeTask, type TaskDuravel } from '../../agente/duravel/task.ts';
import { type Agenda, criarAgendaEmMemoria } from '../../servidor-mcp/agenda.ts';
import { DADOS } from '../../servidor-mcp/dados.ts';
import { criarAgendaDuravel } from '../../servidor-mcp/duravel/agenda.ts';

export { ObjetoDoIndice } from '../../agente/duravel/indice.ts';
export { ObjetoDaAgenda } from '../../servidor-mcp/duravel/agenda.ts';
export { ObjetoDeTask };

/** Uma Task que vence antes de o teste acabar. */
export class TaskQueVenceLogo extends ObjetoDeTask<string> {
  protected override readonly limites = { ...LIMITES_PADRAO, idadeMs: 200, pausaMs: 200 };
}

/** Uma Task cujo índice está fora do ar na primeira vez em que ela o chama. */
export class TaskSemIndice extends ObjetoDeTask<string> {
  protected override readonly esperaParaAnotarMs = 50;

  constructor(...[ctx, bindings]: ConstructorParameters<typeof ObjetoDeTask>) {
    let vezes = 0;
    const getByName = (nome: string): Indice => {
      if (vezes++ === 0) throw new Error('índice fora do ar');
      return bindings.INDICE.getByName(nome);
    };
    super(ctx, { ...bindings, INDICE: { getByName } });
  }
}

const OPERACOES = 200;
/** Poucos instantes diferentes, para que a ordem entre Tasks do mesmo instante conte. */
const POR_INSTANTE = 10;
const ESTADOS: readonly TaskState[] = [
  'TASK_STATE_WORKING',
  'TASK_STATE_INPUT_REQUIRED',
  'TASK_STATE_COMPLETED',
];
const { TASKS, QUE_VENCEM, SEM_INDICE, INDICE, AGENDA } = env as {
  readonly TASKS: Objetos<TaskDuravel<string>>;
  readonly QUE_VENCEM: Objetos<TaskDuravel<string>>;
  readonly SEM_INDICE: Objetos<TaskDuravel<string>>;
  readonly INDICE: Objetos<Indice>;
  readonly AGENDA: Objetos<Agenda>;
};

export default {
  async fetch(request: Request): Promise<Response> {
    const { searchParams } = new URL(request.url);
    if (!searchParams.has('semente')) return new Response('pronto');
    const semente = Number(searchParams.get('semente'));
    try {
      await compararTasks(criarSorteio(semente));
      await compararAgendas(criarSorteio(semente));
      await conferirVencimento();
      await conferirIndiceFora();
      return new Response('iguais');
    } catch (erro) {
      return new Response(`semente ${semente}: ${erro}`, { status: 500 });
    }
  },
};

async function compararTasks({ inteiro, um }: Sorteio): Promise<void> {
  const memoria = new ArmazemEmMemoria<string>(Date.now);
  const duravel = criarArmazemDuravel(TASKS, INDICE);
  const ids = Array.from({ length: 12 }, () => crypto.randomUUID());
  const contextos = Array.from({ length: 4 }, () => crypto.randomUUID());
  const base = Date.now();
  for (let i = 0; i < OPERACOES; i++) {
    const id = um(ids);
    const guardado = await memoria.get(id);
    if (inteiro(3) > 0) {
      const status = guardado && inteiro(4) === 0 ? guardado.task.status : novoStatus(i);
      const task: Task = {
        id,
        contextId: guardado?.task.contextId ?? um(contextos),
        status,
        artifacts: [{ artifactId: `a${i}`, parts: [{ text: 'produto' }] }],
        history: [],
      };
      // Uma em cada cinco gravações chega tarde, e tem de ser recusada.
      const versao = (guardado?.versao ?? 0) + (inteiro(5) === 0 ? inteiro(3) : 1);
      await iguais(memoria, duravel, (armazem) => armazem.put({ task, pausa: `lacre ${i}`, versao }));
    }
    await iguais(memoria, duravel, (armazem) => armazem.get(id));
    const listagem = {
      // Só por contexto: o índice é um só, e guarda também as Tasks das outras sementes.
      contextId: um(contextos),
      status: um([undefined, ...ESTADOS]),
      statusTimestampAfter: um([undefined, base + inteiro(OPERACOES / POR_INSTANTE)]),
      pageSize: 1 + inteiro(4),
    };
    // O token de cada um só serve a ele: compara-se a lista inteira, lida de página em página.
    await iguais(memoria, duravel, async (armazem) => {
      const paginas = [];
      for (let pageToken: string | undefined; pageToken !== ''; ) {
        const pagina = await armazem.list({ ...listagem, pageToken });
        paginas.push({ tasks: pagina?.tasks, total: pagina?.total });
        pageToken = pagina?.proximo ?? '';
      }
      return paginas;
    });
  }
  await iguais(memoria, duravel, (armazem) => armazem.list({ pageSize: 1, pageToken: 'inventado' }));

  function novoStatus(i: number): Task['status'] {
    // Instantes que se repetem, e um relógio que às vezes volta.
    const timestamp = new Date(base + Math.floor(i / POR_INSTANTE) - inteiro(3)).toISOString();
    const message = { messageId: `m${i}`, role: 'ROLE_AGENT' as const, parts: [{ text: 'oi' }] };
    return { state: um(ESTADOS), timestamp, message };
  }
}

async function compararAgendas({ inteiro, um }: Sorteio): Promise<void> {
  const memoria = criarAgendaEmMemoria(DADOS.reservas, Date.now);
  const objeto = crypto.randomUUID();
  const duravel = criarAgendaDuravel({ getByName: () => AGENDA.getByName(objeto) });
  const salas = DADOS.salas.map(({ id }) => id);
  const meiaNoite = Date.parse('2026-11-03T00:00:00-03:00');
  for (let i = 0; i < OPERACOES; i++) {
    const inicio = meiaNoite + (8 * 60 + inteiro(40) * 15) * 60_000;
    const intervalo = { inicio, fim: inicio + (1 + inteiro(8)) * 15 * 60_000 };
    const sala = um(salas);
    const escrita = { inicio: new Date(inicio).toISOString(), fim: new Date(intervalo.fim).toISOString() };
    const pedido = `pedido ${inteiro(60)}`;
    const uso = { pedido, sala, lembrarAte: Date.now() + 600_000 };
    const nova = { sala, ...escrita, responsavel: 'Ana', intervalo };
    await iguais(memoria, duravel, (agenda) => agenda.conflitos(sala, intervalo));
    await iguais(memoria, duravel, (agenda) => agenda.livres(salas, intervalo, 3));
    const acao = inteiro(4);
    if (acao === 0) await iguais(memoria, duravel, (agenda) => agenda.reservar(nova));
    if (acao === 1) await iguais(memoria, duravel, (agenda) => agenda.reservar(nova, uso));
    if (acao === 2) await iguais(memoria, duravel, (agenda) => agenda.recusar({ ...uso, sala: undefined }));
    await iguais(memoria, duravel, (agenda) => agenda.conclusao(pedido));
  }
}

/** O alarme do objeto apaga a Task vencida, e a tira do índice. */
async function conferirVencimento(): Promise<void> {
  const { armazem, id, total } = await abrirEm(QUE_VENCEM);
  if ((await total()) !== 1) throw new Error('a Task não entrou no índice');
  await ate('a Task vencida sumir', async () => !(await armazem.get(id)) && (await total()) === 0);
}

/** Uma Task gravada quando o índice não respondeu entra nele depois, pelo alarme. */
async function conferirIndiceFora(): Promise<void> {
  const { armazem, id, total } = await abrirEm(SEM_INDICE);
  if (!(await armazem.get(id))) throw new Error('a Task não foi gravada');
  await ate('a Task entrar no índice', async () => (await total()) === 1);
}

async function abrirEm(tasks: Objetos<TaskDuravel<string>>) {
  const armazem = criarArmazemDuravel(tasks, INDICE);
  const id = crypto.randomUUID();
  const status = { state: 'TASK_STATE_INPUT_REQUIRED' as const, timestamp: new Date().toISOString() };
  const task = { id, contextId: id, status, artifacts: [], history: [] };
  await armazem.put({ task, pausa: 'lacre', versao: 1 });
  const total = async () => (await armazem.list({ contextId: id, pageSize: 1 }))?.total;
  return { armazem, id, total };
}

async function ate(que: string, aconteceu: () => Promise<boolean>): Promise<void> {
  const limite = Date.now() + 20_000;
  while (!(await aconteceu())) {
    if (Date.now() > limite) throw new Error(`cansou de esperar ${que}`);
    await new Promise((pronto) => setTimeout(pronto, 50));
  }
}

async function iguais<T extends TaskStore<string> | Agenda>(
  memoria: T,
  duravel: T,
  pedir: (qual: T) => Promise<unknown>,
): Promise<void> {
  const [esperado, veio] = [JSON.stringify(await pedir(memoria)), JSON.stringify(await pedir(duravel))];
  if (esperado !== veio) throw new Error(`${pedir}\nem memória: ${esperado}\ndurável:    ${veio}`);
}

interface Sorteio {
  /** Um inteiro de 0 até `ate`, sem ele. */
  inteiro(ate: number): number;
  um<T>(lista: readonly T[]): T;
}

/** mulberry32: a mesma semente dá sempre a mesma sequência. */
function criarSorteio(semente: number): Sorteio {
  let estado = semente;
  const inteiro = (ate: number): number => {
    estado = (estado + 0x6d2b79f5) | 0;
    let t = Math.imul(estado ^ (estado >>> 15), 1 | estado);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return Math.floor((((t ^ (t >>> 14)) >>> 0) / 4_294_967_296) * ate);
  };
  return { inteiro, um: (lista) => lista[inteiro(lista.length)] as (typeof lista)[number] };
}
