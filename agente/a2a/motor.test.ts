import assert from 'node:assert/strict';
import { afterEach, beforeEach, test } from 'node:test';
import type { Desfecho, OpcoesDoNucleo } from './andamento.ts';
import { ArmazemEmMemoria } from './armazem-em-memoria.ts';
import { ErroA2A, Indisponivel } from './erros.ts';
import {
  artifact,
  canceled,
  completed,
  type Entrada,
  type Executor,
  inputRequired,
  resposta,
  working,
} from './executor.ts';
import type { Task } from './modelo.ts';
import { Motor } from './motor.ts';
import type { TaskStore } from './registro.ts';

const entrada = (text = 'oi'): Entrada => ({
  message: { messageId: text, role: 'ROLE_USER', parts: [{ text }] },
  acceptedOutputModes: [],
  metadata: undefined,
  headers: new Headers(),
});

/** Uma promessa que o teste resolve quando quer. */
function sinal(): { readonly dado: Promise<void>; dar: () => void } {
  let dar = (): void => undefined;
  const dado = new Promise<void>((pronto) => {
    dar = pronto;
  });
  return { dado, dar };
}

let relogio: number;
/** Espera até o fim do teste: um executor parado para sempre prenderia o processo pelo prazo dele. */
let fimDoTeste: ReturnType<typeof sinal>;
let falhas: string[];
beforeEach(() => {
  relogio = Date.parse('2026-11-03T14:00:00Z');
  falhas = [];
  fimDoTeste = sinal();
});
afterEach(() => fimDoTeste.dar());

function opcoes(executor: Executor<string>, mudancas: Partial<OpcoesDoNucleo<string>> = {}) {
  return {
    executor,
    armazem: new ArmazemEmMemoria<string>(() => relogio),
    agora: () => relogio,
    aoFalhar: (erro: unknown) => falhas.push(String(erro)),
    prazoDeTrabalhoMs: 60_000,
    maximoDeMensagens: 50,
    ...mudancas,
  };
}

const taskDe = (desfecho: Desfecho): Task => {
  assert.ok('task' in desfecho);
  return desfecho.task;
};
const textos = ({ history }: Task): (string | undefined)[] => history.map(({ parts }) => parts[0]?.text);
const rodar = async (motor: Motor<string>, text?: string): Promise<Task> =>
  taskDe(await motor.abrir(entrada(text)).comecar().fim);
const estado = async (motor: Motor<string>, id: string): Promise<string> =>
  (await motor.ler(id)).task.status.state;

/** Pausa em mensagens novas; na resposta, faz o que `responder` disser. */
const comPausa = (responder: Executor<string>): Executor<string> =>
  async function* (contexto) {
    if (contexto.pausa !== undefined) return yield* responder(contexto);
    yield working();
    yield inputRequired('Qual?', 'guardado');
  };

test('uma pausa guarda o que o executor deu, e a devolve a quem a responde', async () => {
  const vistas: (string | undefined)[] = [];
  const motor = new Motor(
    opcoes(async function* ({ pausa }) {
      vistas.push(pausa);
      yield working();
      yield pausa === undefined ? inputRequired('Qual?', 'segredo') : completed();
    }),
  );
  const { id } = await rodar(motor);
  assert.equal((await motor.ler(id)).pausa, 'segredo');
  const task = taskDe(await (await motor.retomar(id, entrada('esta'))).comecar().fim);
  assert.equal(task.status.state, 'TASK_STATE_COMPLETED');
  assert.deepEqual(textos(task), ['oi', 'Qual?', 'esta']);
  assert.deepEqual(vistas, [undefined, 'segredo']);
  assert.equal((await motor.ler(id)).pausa, undefined);
});

test('de 20 continuações simultâneas exatamente uma age; as outras ouvem -32004 e não deixam rastro', async () => {
  let agiram = 0;
  const motor = new Motor(
    opcoes(
      comPausa(async function* () {
        yield working();
        agiram++;
        yield completed();
      }),
    ),
  );
  const { id } = await rodar(motor);
  const resultados = await Promise.allSettled(
    Array.from({ length: 20 }, async (_, n) => (await motor.retomar(id, entrada(`c${n}`))).comecar().fim),
  );
  const recusas = resultados.filter((resultado) => resultado.status === 'rejected');
  assert.equal(agiram, 1);
  assert.equal(recusas.length, 19);
  for (const { reason } of recusas) assert.equal((reason as ErroA2A).codigo, -32004);
  assert.equal((await motor.ler(id)).task.history.length, 3);
});

test('dois processos sobre o mesmo armazém: das continuações simultâneas, uma só age', async () => {
  let agiram = 0;
  const comuns = opcoes(
    comPausa(async function* () {
      yield working();
      agiram++;
      yield completed();
    }),
  );
  const motores = [new Motor(comuns), new Motor(comuns)] as const;
  for (let vez = 0; vez < 20; vez++) {
    const { id } = await rodar(motores[0]);
    const resultados = await Promise.allSettled(
      motores.map(async (motor) => (await motor.retomar(id, entrada())).comecar().fim),
    );
    assert.equal(resultados.filter(({ status }) => status === 'fulfilled').length, 1);
  }
  assert.equal(agiram, 20);
});

test('CancelTask antes de o trabalho ser feito vence, e GetTask concorda', async () => {
  const [chegou, seguir] = [sinal(), sinal()];
  let fez = false;
  const motor = new Motor(
    opcoes(async function* ({ signal }) {
      yield working();
      chegou.dar();
      signal.addEventListener('abort', seguir.dar);
      await seguir.dado;
      if (signal.aborted) return yield canceled();
      fez = true;
      yield completed();
    }),
  );
  const andamento = motor.abrir(entrada()).comecar();
  await chegou.dado;
  const cancelada = await motor.cancelar(andamento.taskId);
  assert.equal(cancelada.status.state, 'TASK_STATE_CANCELED');
  assert.equal(taskDe(await andamento.fim).status.state, 'TASK_STATE_CANCELED');
  assert.equal(await estado(motor, andamento.taskId), 'TASK_STATE_CANCELED');
  assert.equal(fez, false);
  assert.deepEqual(await motor.cancelar(andamento.taskId), cancelada);
});

test('CancelTask depois de o trabalho ser feito perde com -32002, e GetTask concorda', async () => {
  const [chegou, seguir] = [sinal(), sinal()];
  const motor = new Motor(
    opcoes(async function* () {
      yield working();
      chegou.dar();
      await seguir.dado;
      yield completed();
    }),
  );
  const andamento = motor.abrir(entrada()).comecar();
  await chegou.dado;
  const cancelamento = motor.cancelar(andamento.taskId);
  seguir.dar();
  await assert.rejects(cancelamento, { codigo: -32002 });
  assert.equal(await estado(motor, andamento.taskId), 'TASK_STATE_COMPLETED');
});

test('uma Task cancelada enquanto era trabalhada não pausa: ninguém responderia', async () => {
  const [chegou, seguir] = [sinal(), sinal()];
  const motor = new Motor(
    opcoes(async function* () {
      yield working();
      chegou.dar();
      await seguir.dado;
      yield inputRequired('Qual?', 'p');
    }),
  );
  const andamento = motor.abrir(entrada()).comecar();
  await chegou.dado;
  const cancelamento = motor.cancelar(andamento.taskId);
  seguir.dar();
  assert.equal((await cancelamento).status.state, 'TASK_STATE_CANCELED');
  assert.equal(taskDe(await andamento.fim).status.state, 'TASK_STATE_CANCELED');
  assert.equal((await motor.ler(andamento.taskId)).pausa, undefined);
});

test('CancelTask pelo outro processo chega a quem trabalha, e a resposta é a verdade', async () => {
  const [chegou, seguir] = [sinal(), sinal()];
  const comuns = opcoes(async function* ({ signal }) {
    yield working();
    chegou.dar();
    await seguir.dado;
    // O recado só é lido ao gravar: até lá o executor não sabe.
    yield working('ainda aqui');
    yield signal.aborted ? canceled('parei') : completed();
  });
  const [um, outro] = [new Motor(comuns), new Motor(comuns)];
  const andamento = um.abrir(entrada()).comecar();
  await chegou.dado;
  const cancelamento = outro.cancelar(andamento.taskId);
  const recado = async (): Promise<boolean> => (await um.ler(andamento.taskId)).trabalho?.cancelar === true;
  while (!(await recado())) await new Promise((pronto) => setImmediate(pronto));
  seguir.dar();
  assert.equal((await cancelamento).status.state, 'TASK_STATE_CANCELED');
  assert.equal(taskDe(await andamento.fim).status.message?.parts[0]?.text, 'parei');
});

test('CancelTask de uma Task pausada larga a pausa na hora; uma resposta simultânea ou vence, ou ouve -32004', async () => {
  for (let vez = 0; vez < 20; vez++) {
    const motor = new Motor(
      opcoes(
        comPausa(async function* () {
          yield working();
          yield completed();
        }),
      ),
    );
    const { id } = await rodar(motor);
    const responder = async (): Promise<string> =>
      taskDe(await (await motor.retomar(id, entrada())).comecar().fim).status.state;
    const cancelar = async (): Promise<string> => (await motor.cancelar(id)).status.state;
    const acoes = vez % 2 ? [responder(), cancelar()] : [cancelar(), responder()];
    const final = (await Promise.allSettled(acoes)).map((resultado) =>
      resultado.status === 'fulfilled' ? resultado.value : (resultado.reason as ErroA2A).codigo,
    );
    const guardada = await motor.ler(id);
    assert.equal(guardada.pausa, undefined);
    assert.ok(final.includes(guardada.task.status.state), `${final} contra ${guardada.task.status.state}`);
    assert.ok(final.includes(guardada.task.status.state === 'TASK_STATE_CANCELED' ? -32004 : -32002));
  }
});

test('Indisponivel numa continuação devolve a pausa sem rastro, e a mesma mensagem vale de novo', async () => {
  let fora = true;
  const motor = new Motor(
    opcoes(
      comPausa(async function* () {
        yield working('tentando');
        yield artifact({ parts: [{ text: 'pela metade' }] });
        if (fora) throw new Indisponivel('fora do ar');
        yield completed();
      }),
    ),
  );
  const pausada = await rodar(motor);
  relogio += 1_000;
  const tentativa = (await motor.retomar(pausada.id, entrada('esta'))).comecar();
  await assert.rejects(tentativa.fim, Indisponivel);
  const { task, pausa } = await motor.ler(pausada.id);
  assert.equal(pausa, 'guardado');
  assert.deepEqual({ ...task, status: 0 }, { ...pausada, status: 0 });
  assert.deepEqual(task.status.message, pausada.status.message);
  fora = false;
  const fim = taskDe(await (await motor.retomar(pausada.id, entrada('esta'))).comecar().fim);
  assert.equal(fim.status.state, 'TASK_STATE_COMPLETED');
  assert.deepEqual(textos(fim), ['oi', 'Qual?', 'esta', 'tentando']);
  assert.equal(fim.artifacts.length, 1);
});

test('Indisponivel numa Task nova a deixa em FAILED, com o motivo', async () => {
  const motor = new Motor(
    opcoes(async function* () {
      yield working();
      throw new Indisponivel('fora do ar');
    }),
  );
  const task = await rodar(motor);
  assert.equal(task.status.state, 'TASK_STATE_FAILED');
  assert.deepEqual(textos(task), ['oi', 'fora do ar']);
  assert.deepEqual(falhas, []);
});

test('um executor que lança, ou acaba sem estado final, deixa a Task em FAILED e o motivo só no log', async () => {
  const executores: Executor<string>[] = [
    () => {
      throw new Error('segredo');
    },
    // biome-ignore lint/correctness/useYield: lançar antes de produzir qualquer coisa é o caso.
    async function* () {
      throw new Error('segredo');
    },
    async function* () {
      yield working();
      throw new Error('segredo');
    },
    async function* () {},
    async function* () {
      yield working();
    },
    async function* () {
      yield working();
      yield resposta('direta demais');
    },
    async function* () {
      yield resposta([]);
    },
  ];
  for (const executor of executores) {
    falhas = [];
    const motor = new Motor(opcoes(executor));
    const task = await rodar(motor);
    assert.equal(task.status.state, 'TASK_STATE_FAILED', String(executor));
    assert.deepEqual(textos(task), ['oi', 'O agente falhou ao trabalhar este pedido']);
    assert.equal(falhas.length, 1);
    assert.equal((await motor.ler(task.id)).trabalho, undefined);
  }
});

test('numa continuação, uma resposta direta não deixa a Task em WORKING: é falha do executor', async () => {
  const motor = new Motor(
    opcoes(
      comPausa(async function* () {
        yield resposta('direta demais');
      }),
    ),
  );
  const { id } = await rodar(motor);
  const task = taskDe(await (await motor.retomar(id, entrada())).comecar().fim);
  assert.equal(task.status.state, 'TASK_STATE_FAILED');
});

test('uma exceção numa continuação é o fim da Task: não se sabe o que foi feito', async () => {
  const motor = new Motor(
    opcoes(
      comPausa(async function* () {
        yield working();
        throw new Error('segredo');
      }),
    ),
  );
  const { id } = await rodar(motor);
  const task = taskDe(await (await motor.retomar(id, entrada())).comecar().fim);
  assert.equal(task.status.state, 'TASK_STATE_FAILED');
});

test('o que o executor produz depois de terminar é ignorado, e o seu finally roda', async () => {
  const limpou = sinal();
  const motor = new Motor(
    opcoes(async function* () {
      try {
        yield working();
        yield completed();
        yield completed('de novo');
      } finally {
        limpou.dar();
      }
    }),
  );
  const task = await rodar(motor);
  await limpou.dado;
  assert.deepEqual(textos(task), ['oi']);
  assert.deepEqual(falhas, []);
});

test('um executor que não dá notícia no prazo: a Task nova termina em FAILED, e a pausa é devolvida', async () => {
  let abortado = false;
  const parado: Executor<string> = async function* ({ signal }) {
    yield working();
    signal.addEventListener('abort', () => {
      abortado = true;
    });
    await fimDoTeste.dado;
  };
  const nova = new Motor(opcoes(parado, { prazoDeTrabalhoMs: 20 }));
  const task = await rodar(nova);
  assert.equal(task.status.state, 'TASK_STATE_FAILED');
  assert.match(String(textos(task)[1]), /não respondeu a tempo/);
  assert.equal(abortado, true);
  assert.match(falhas[0] ?? '', /20 ms/);

  const retomada = new Motor(opcoes(comPausa(parado), { prazoDeTrabalhoMs: 20 }));
  const { id } = await rodar(retomada);
  await assert.rejects((await retomada.retomar(id, entrada())).comecar().fim, Indisponivel);
  assert.equal((await retomada.ler(id)).pausa, 'guardado');
  // Não se sabe o que ele chegou a fazer: cancelar agora poderia ser mentira.
  await assert.rejects(retomada.cancelar(id), { codigo: -32002 });
});

test('o processo que trabalhava morreu: passado o prazo, o outro devolve a pausa, ou termina a Task nova', async () => {
  const comuns = opcoes(
    comPausa(async function* () {
      yield working();
      await fimDoTeste.dado;
    }),
  );
  const [morto, vivo] = [new Motor(comuns), new Motor(comuns)];
  const { id } = await rodar(morto);
  (await morto.retomar(id, entrada('perdida'))).comecar();
  assert.equal(await estado(vivo, id), 'TASK_STATE_WORKING');
  relogio += 60_001;
  // Quem está trabalhando sabe que está vivo, diga o relógio o que disser.
  assert.equal(await estado(morto, id), 'TASK_STATE_WORKING');
  assert.equal(await estado(vivo, id), 'TASK_STATE_INPUT_REQUIRED');
  const { pausa, task } = await vivo.ler(id);
  assert.equal(pausa, 'guardado');
  assert.deepEqual(textos(task), ['oi', 'Qual?']);

  const parado = opcoes(async function* () {
    yield working();
    await fimDoTeste.dado;
  });
  const motor = new Motor(parado);
  const nova = motor.abrir(entrada()).comecar();
  await nova.aberta;
  while ((await estado(motor, nova.taskId)) !== 'TASK_STATE_WORKING');
  relogio += 60_001;
  assert.equal(await estado(new Motor(parado), nova.taskId), 'TASK_STATE_FAILED');
});

test('quem foi dado por morto e volta não grava por cima de quem assumiu', async () => {
  const seguir = sinal();
  let vezes = 0;
  const comuns = opcoes(
    comPausa(async function* () {
      yield working();
      if (++vezes === 1) await seguir.dado;
      yield completed(`fiz na vez ${vezes}`);
    }),
  );
  const [lento, outro] = [new Motor(comuns), new Motor(comuns)];
  const { id } = await rodar(lento);
  const atrasado = (await lento.retomar(id, entrada('a'))).comecar();
  relogio += 60_001;
  const assumida = taskDe(await (await outro.retomar(id, entrada('b'))).comecar().fim);
  seguir.dar();
  await assert.rejects(atrasado.fim, { codigo: -32004 });
  assert.deepEqual((await outro.ler(id)).task, assumida);
  assert.deepEqual(textos(assumida), ['oi', 'Qual?', 'b', 'fiz na vez 2']);
});

test('quem foi dado por morto não grava nem enquanto quem assumiu ainda trabalha', async () => {
  const seguir = sinal();
  let vezes = 0;
  const comuns = opcoes(
    comPausa(async function* () {
      yield working();
      await (++vezes === 1 ? seguir.dado : fimDoTeste.dado);
      yield completed('atrasado');
    }),
  );
  const [lento, outro] = [new Motor(comuns), new Motor(comuns)];
  const { id } = await rodar(lento);
  const atrasado = (await lento.retomar(id, entrada('a'))).comecar();
  relogio += 60_001;
  (await outro.retomar(id, entrada('b'))).comecar();
  seguir.dar();
  await assert.rejects(atrasado.fim, { codigo: -32004 });
  assert.deepEqual(textos((await outro.ler(id)).task), ['oi', 'Qual?', 'b']);
});

test('quem não quer esperar uma continuação não espera nem o executor começar', {
  timeout: 20_000,
}, async () => {
  const motor = new Motor(
    opcoes(
      comPausa(async function* () {
        await fimDoTeste.dado;
        yield completed();
      }),
    ),
  );
  const { id } = await rodar(motor);
  const aberta = taskDe(await (await motor.retomar(id, entrada('já'))).comecar().aberta);
  assert.equal(aberta.status.state, 'TASK_STATE_WORKING');
  assert.deepEqual(textos(aberta), ['oi', 'Qual?', 'já']);
});

test('a Task que já foi entregue não muda quando o trabalho anda', async () => {
  const motor = new Motor(
    opcoes(async function* () {
      yield working();
      yield artifact({ artifactId: 'a', parts: [{ text: '1' }] });
      yield artifact({ artifactId: 'a', parts: [{ text: '2' }] }, { append: true });
      yield completed('pronto');
    }),
  );
  const andamento = motor.abrir(entrada()).comecar();
  const entregue = taskDe(await andamento.aberta);
  const como = JSON.stringify(entregue);
  const final = taskDe(await andamento.fim);
  assert.equal(JSON.stringify(entregue), como);
  assert.equal(entregue.status.state, 'TASK_STATE_SUBMITTED');
  assert.equal(final.artifacts[0]?.parts.length, 2);
});

test('uma resposta direta não cria Task nenhuma', async () => {
  const motor = new Motor(
    opcoes(async function* () {
      yield resposta('oi também');
    }),
  );
  const andamento = motor.abrir(entrada()).comecar();
  const desfecho = await andamento.fim;
  assert.ok('message' in desfecho);
  assert.equal(desfecho.message.role, 'ROLE_AGENT');
  assert.ok(desfecho.message.contextId);
  assert.equal(desfecho.message.taskId, undefined);
  await assert.rejects(motor.ler(andamento.taskId), { codigo: -32001 });
});

test('um armazém que falha não deixa ninguém esperando: o erro chega a quem pediu', async () => {
  const quebrado: TaskStore<string> = {
    get: async () => undefined,
    put: async () => {
      throw new Error('disco cheio');
    },
    list: async () => undefined,
  };
  const motor = new Motor(
    opcoes(
      async function* () {
        yield working();
        yield completed();
      },
      { armazem: quebrado },
    ),
  );
  const andamento = motor.abrir(entrada()).comecar();
  await assert.rejects(andamento.aberta, /disco cheio/);
  await assert.rejects(andamento.fim, /disco cheio/);
});

test('o histórico de uma Task tem teto: mil respostas erradas não a fazem crescer sem fim', async () => {
  const motor = new Motor(
    opcoes(
      async function* () {
        yield working();
        yield inputRequired('Qual?', 'p');
      },
      { maximoDeMensagens: 10 },
    ),
  );
  const { id } = await rodar(motor);
  for (let n = 0; n < 40; n++) await (await motor.retomar(id, entrada(`r${n}`))).comecar().fim;
  const { task } = await motor.ler(id);
  assert.equal(task.history.length, 11);
  assert.deepEqual(textos(task).slice(-2), ['r39', 'Qual?']);
});

test('quem acompanha vê cada mudança uma vez, na ordem, com quem assina no meio partindo do que leu', async () => {
  const portas = [sinal(), sinal()];
  const motor = new Motor(
    opcoes(async function* () {
      yield working();
      await portas[0]?.dado;
      yield artifact({ artifactId: 'a', parts: [{ text: '1' }] });
      await portas[1]?.dado;
      yield artifact({ artifactId: 'a', parts: [{ text: '2' }] }, { append: true });
      yield completed();
    }),
  );
  const andamento = motor.abrir(entrada()).comecar();
  await andamento.aberta;
  portas[0]?.dar();
  const doMeio = motor.assinar(andamento.taskId, 'task');
  let registro = await motor.ler(andamento.taskId);
  while (registro.task.artifacts.length === 0) registro = await motor.ler(andamento.taskId);
  doMeio.comecarPor({ task: registro.task }, registro.versao);
  portas[1]?.dar();
  await andamento.fim;
  const pedacos: unknown[] = [];
  for await (const evento of doMeio) {
    if ('task' in evento) pedacos.push(...evento.task.artifacts.flatMap(({ parts }) => parts));
    if ('artifactUpdate' in evento) pedacos.push(...evento.artifactUpdate.artifact.parts);
  }
  assert.deepEqual(pedacos, [{ text: '1' }, { text: '2' }]);
});

test('o erro de uma Task que não existe, terminou ou está ocupada diz qual é o caso', async () => {
  const motor = new Motor(
    opcoes(async function* () {
      yield working();
      yield completed();
    }),
  );
  await assert.rejects(motor.retomar('nenhuma', entrada()), { codigo: -32001 });
  await assert.rejects(motor.cancelar('nenhuma'), { codigo: -32001 });
  const { id } = await rodar(motor);
  await assert.rejects(
    motor.retomar(id, entrada()),
    (erro) => erro instanceof ErroA2A && erro.codigo === -32004 && /já terminou/.test(erro.message),
  );
  await assert.rejects(motor.cancelar(id), { codigo: -32002 });
});
