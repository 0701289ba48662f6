import assert from 'node:assert/strict';
import { beforeEach, test } from 'node:test';
import { ArmazemEmMemoria, type LimitesDeTasks } from './armazem-em-memoria.ts';
import { Indisponivel } from './erros.ts';
import type { Task, TaskState } from './modelo.ts';
import type { Listagem, Pagina, Registro } from './registro.ts';

let relogio: number;
beforeEach(() => {
  relogio = Date.parse('2026-11-03T14:00:00Z');
});
const abrir = (limites?: Partial<LimitesDeTasks>) => new ArmazemEmMemoria<string>(() => relogio, limites);

type Mudancas = { state?: TaskState; contextId?: string; texto?: string; instante?: number };

function registro(id: string, versao = 1, mudancas: Mudancas = {}): Registro<string> {
  const { state = 'TASK_STATE_WORKING', contextId = 'c', texto = '', instante = relogio } = mudancas;
  const task: Task = {
    id,
    contextId,
    status: { state, timestamp: new Date(instante).toISOString() },
    artifacts: [],
    history: [{ messageId: id, role: 'ROLE_USER', parts: [{ text: texto }] }],
  };
  const trabalhando = state === 'TASK_STATE_WORKING' && { trabalho: { id: 'w', vivoAte: 0 } };
  const pausada = state === 'TASK_STATE_INPUT_REQUIRED' && { pausa: id };
  return { task, versao, ...trabalhando, ...pausada };
}

const ids = (pagina: Pagina | undefined): string[] | undefined => pagina?.tasks.map(({ id }) => id);

async function todas(armazem: ArmazemEmMemoria<string>, filtros: Partial<Listagem> = {}): Promise<string[]> {
  const juntas: string[] = [];
  let pageToken: string | undefined;
  do {
    const pagina = await armazem.list({ pageSize: 3, ...filtros, ...(pageToken && { pageToken }) });
    assert.ok(pagina);
    juntas.push(...pagina.tasks.map(({ id }) => id));
    pageToken = pagina.proximo;
  } while (pageToken);
  return juntas;
}

test('put só grava por cima da versão anterior: de dois que leram a mesma, um perde', async () => {
  const armazem = abrir();
  assert.equal(await armazem.put(registro('a')), true);
  assert.equal(await armazem.put(registro('a')), false);
  const [um, outro] = await Promise.all([
    armazem.put(registro('a', 2, { texto: 'um' })),
    armazem.put(registro('a', 2, { texto: 'outro' })),
  ]);
  assert.deepEqual([um, outro], [true, false]);
  assert.equal((await armazem.get('a'))?.task.history[0]?.parts[0]?.text, 'um');
  assert.equal(await armazem.put(registro('b', 2)), false);
  assert.equal(await armazem.get('b'), undefined);
});

test('§3.1.4: da mudada há menos tempo para a mudada há mais, e quem muda de estado volta à frente', async () => {
  const armazem = abrir();
  for (const id of ['a', 'b', 'c']) {
    await armazem.put(registro(id));
    relogio += 10;
  }
  assert.deepEqual(await todas(armazem), ['c', 'b', 'a']);
  await armazem.put(registro('a', 2, { state: 'TASK_STATE_COMPLETED' }));
  assert.deepEqual(await todas(armazem), ['a', 'c', 'b']);
});

test('§3.1.4: a ordem é a dos timestamps, mesmo que as gravações cheguem fora dela', async () => {
  const armazem = abrir();
  await armazem.put(registro('depois', 1, { instante: relogio + 5 }));
  await armazem.put(registro('antes', 1, { instante: relogio }));
  assert.deepEqual(await todas(armazem), ['depois', 'antes']);
});

test('um artifact novo, sem mudança de estado, não muda o lugar da Task', async () => {
  const armazem = abrir();
  const a = registro('a');
  await armazem.put(a);
  await armazem.put(registro('b'));
  const comArtifact = { ...a.task, artifacts: [{ artifactId: 'x', parts: [{ text: 'x' }] }] };
  assert.equal(await armazem.put({ ...a, task: comArtifact, versao: 2 }), true);
  const pagina = await armazem.list({ pageSize: 10 });
  assert.deepEqual(ids(pagina), ['b', 'a']);
  assert.equal(pagina?.tasks[1]?.artifacts.length, 1);
});

test('§3.1.4: paginar não repete nem pula Tasks, com outras sendo criadas e mudadas a cada página', async () => {
  const armazem = abrir();
  const quietas = Array.from({ length: 20 }, (_, n) => `q${n}`);
  for (const id of quietas) {
    await armazem.put(registro(id));
    relogio += n10(id);
  }
  await armazem.put(registro('inquieta'));
  const vistas: string[] = [];
  let pageToken: string | undefined;
  let versao = 1;
  for (let pagina = 0; pageToken !== ''; pagina++) {
    const lida = await armazem.list({ pageSize: 3, ...(pageToken && { pageToken }) });
    assert.ok(lida);
    vistas.push(...lida.tasks.map(({ id }) => id));
    pageToken = lida.proximo;
    await armazem.put(registro(`nova${pagina}`));
    await armazem.put(
      registro('inquieta', ++versao, { state: versao % 2 ? 'TASK_STATE_WORKING' : 'TASK_STATE_SUBMITTED' }),
    );
  }
  assert.deepEqual(
    vistas.filter((id) => id.startsWith('q')),
    [...quietas].reverse(),
  );
  assert.equal(vistas.filter((id) => id === 'inquieta').length, 1);
});

/** Metade dos pares no mesmo milissegundo: a ordem não pode depender só do instante. */
function n10(id: string): number {
  return Number(id.slice(1)) % 2 ? 10 : 0;
}

test('§3.1.4: contextId, status e statusTimestampAfter filtram juntos, e o total acompanha', async () => {
  const armazem = abrir();
  const estados = ['TASK_STATE_COMPLETED', 'TASK_STATE_FAILED'] as const;
  for (let n = 0; n < 12; n++) {
    await armazem.put(registro(`t${n}`, 1, { state: estados[n % 2] as TaskState, contextId: `c${n % 3}` }));
    relogio += 1_000;
  }
  const inicio = relogio - 12_000;
  for (const [filtros, esperadas] of [
    [{}, Array.from({ length: 12 }, (_, n) => 11 - n)],
    [{ status: 'TASK_STATE_FAILED' }, [11, 9, 7, 5, 3, 1]],
    [{ contextId: 'c0' }, [9, 6, 3, 0]],
    [{ contextId: 'c0', status: 'TASK_STATE_FAILED' }, [9, 3]],
    [{ statusTimestampAfter: inicio + 8_000 }, [11, 10, 9, 8]],
    [{ statusTimestampAfter: inicio + 8_001 }, [11, 10, 9]],
    [{ statusTimestampAfter: inicio + 2_000, status: 'TASK_STATE_COMPLETED' }, [10, 8, 6, 4, 2]],
    [{ statusTimestampAfter: inicio + 4_000, contextId: 'c0', status: 'TASK_STATE_FAILED' }, [9]],
    [{ statusTimestampAfter: relogio }, []],
    [{ contextId: 'outro' }, []],
    [{ status: 'TASK_STATE_REJECTED' }, []],
  ] as [Partial<Listagem>, number[]][]) {
    const caso = JSON.stringify(filtros);
    assert.deepEqual(
      await todas(armazem, filtros),
      esperadas.map((n) => `t${n}`),
      caso,
    );
    assert.equal((await armazem.list({ pageSize: 1, ...filtros }))?.total, esperadas.length, caso);
  }
});

test('§3.1.4: na última página, mesmo cheia, o cursor é vazio', async () => {
  const armazem = abrir();
  for (const id of ['a', 'b', 'c', 'd']) await armazem.put(registro(id));
  const primeira = await armazem.list({ pageSize: 2 });
  assert.notEqual(primeira?.proximo, '');
  const ultima = await armazem.list({ pageSize: 2, pageToken: primeira?.proximo });
  assert.deepEqual([ids(ultima), ultima?.proximo, ultima?.total], [['b', 'a'], '', 4]);
});

test('um pageToken que não foi emitido aqui não é uma página', async () => {
  const armazem = abrir();
  await armazem.put(registro('a'));
  for (const pageToken of ['x', '1', '.', 'a.b.c', '1.1 ', 'ÿ.1', "'; --", '9'.repeat(50), '1.99999999999']) {
    assert.equal(await armazem.list({ pageSize: 2, pageToken }), undefined, pageToken);
  }
});

test('além do limite de terminadas, as mais velhas saem: nem GetTask nem ListTasks as veem', async () => {
  const armazem = abrir({ terminadas: 3 });
  for (let n = 0; n < 6; n++) {
    await armazem.put(registro(`t${n}`));
    await armazem.put(registro(`t${n}`, 2, { state: 'TASK_STATE_COMPLETED', contextId: 'c' }));
  }
  await armazem.put(registro('viva'));
  assert.deepEqual(await todas(armazem), ['viva', 't5', 't4', 't3']);
  assert.equal(await armazem.get('t2'), undefined);
  assert.equal(
    (await armazem.list({ pageSize: 1, status: 'TASK_STATE_COMPLETED', contextId: 'c' }))?.total,
    3,
  );
});

test('uma terminada sai quando envelhece', async () => {
  const armazem = abrir({ idadeMs: 1_000 });
  await armazem.put(registro('a', 1, { state: 'TASK_STATE_FAILED' }));
  relogio += 1_000;
  assert.ok(await armazem.get('a'));
  relogio += 1;
  assert.equal(await armazem.get('a'), undefined);
  assert.equal((await armazem.list({ pageSize: 1 }))?.total, 0);
});

test('uma pausada espera o seu prazo inteiro, por mais que outras terminem', async () => {
  const armazem = abrir({ terminadas: 1, idadeMs: 1, pausaMs: 60_000 });
  await armazem.put(registro('pausada', 1, { state: 'TASK_STATE_INPUT_REQUIRED' }));
  for (let n = 0; n < 50; n++) {
    relogio += 1_000;
    await armazem.put(registro(`t${n}`, 1, { state: 'TASK_STATE_COMPLETED' }));
    assert.equal((await armazem.get('pausada'))?.pausa, 'pausada');
  }
  relogio += 10_001;
  assert.equal(await armazem.get('pausada'), undefined);
});

test('o prazo de uma pausada conta da última pausa', async () => {
  const armazem = abrir({ pausaMs: 1_000 });
  await armazem.put(registro('a', 1, { state: 'TASK_STATE_INPUT_REQUIRED' }));
  relogio += 900;
  await armazem.put(registro('a', 2, { state: 'TASK_STATE_INPUT_REQUIRED' }));
  relogio += 900;
  assert.ok(await armazem.get('a'));
});

test('o conteúdo guardado tem teto: saem as terminadas, e sem elas nenhum trabalho começa', async () => {
  const armazem = abrir({ caracteres: 10_000 });
  const texto = 'x'.repeat(2_000);
  for (let n = 0; n < 8; n++) {
    await armazem.put(registro(`t${n}`, 1, { texto }));
    await armazem.put(registro(`t${n}`, 2, { texto, state: 'TASK_STATE_COMPLETED' }));
  }
  assert.deepEqual(await todas(armazem), ['t7', 't6', 't5', 't4']);

  for (let n = 0; n < 4; n++) {
    await armazem.put(registro(`p${n}`, 1, { texto }));
    await armazem.put(registro(`p${n}`, 2, { texto, state: 'TASK_STATE_INPUT_REQUIRED' }));
  }
  assert.deepEqual(await todas(armazem), ['p3', 'p2', 'p1', 'p0']);
  await assert.rejects(armazem.put(registro('nova', 1, { texto })), Indisponivel);
  // Responder a uma pausada continua podendo: a memória cheia não custa a pausa de ninguém.
  assert.equal(await armazem.put(registro('p1', 3, { texto })), true);
  assert.equal(await armazem.put(registro('p1', 4, { texto, state: 'TASK_STATE_INPUT_REQUIRED' })), true);
  assert.equal((await armazem.get('p0'))?.pausa, 'p0');

  // Cancelar sempre pode, e abre espaço.
  assert.equal(await armazem.put(registro('p0', 3, { texto, state: 'TASK_STATE_CANCELED' })), true);
  assert.equal(await armazem.put(registro('nova', 1, { texto })), true);
  assert.deepEqual(await todas(armazem), ['nova', 'p1', 'p3', 'p2']);
});

test('uma Task tem teto de conteúdo: depois dele não aceita mensagem, e cancelar ainda pode', async () => {
  const armazem = abrir({ caracteresPorTask: 3_000 });
  await armazem.put(registro('a', 1, { texto: 'x'.repeat(2_000) }));
  await armazem.put(registro('a', 2, { texto: 'x'.repeat(2_000), state: 'TASK_STATE_INPUT_REQUIRED' }));
  await assert.rejects(armazem.put(registro('a', 3, { texto: 'x'.repeat(4_000) })), /cancele-a e abra outra/);
  assert.equal(await armazem.put(registro('a', 3, { texto: 'x', state: 'TASK_STATE_CANCELED' })), true);
});

test('uma página de listagem tem teto de conteúdo, e o resto vem nas seguintes', async () => {
  const armazem = abrir({ caracteresPorPagina: 5_000 });
  for (const id of ['a', 'b', 'c', 'd', 'e'])
    await armazem.put(registro(id, 1, { texto: 'x'.repeat(2_000) }));
  const paginas: string[][] = [];
  let pageToken: string | undefined;
  do {
    const pagina: Pagina | undefined = await armazem.list({ pageSize: 100, ...(pageToken && { pageToken }) });
    paginas.push((pagina?.tasks ?? []).map(({ id }) => id));
    assert.equal(pagina?.total, 5);
    pageToken = pagina?.proximo;
  } while (pageToken);
  assert.deepEqual(paginas.flat(), ['e', 'd', 'c', 'b', 'a']);
  assert.ok(paginas.every(({ length }) => length <= 2));
});

test('um trabalho que já começou conclui, mesmo com o teto de conteúdo atingido', async () => {
  const armazem = abrir({ caracteres: 3_000 });
  await armazem.put(registro('a', 1, { texto: 'x'.repeat(1_000) }));
  assert.equal(await armazem.put(registro('a', 2, { texto: 'x'.repeat(9_000) })), true);
  assert.equal(
    await armazem.put(registro('a', 3, { texto: 'x'.repeat(9_000), state: 'TASK_STATE_COMPLETED' })),
    true,
  );
});

test('guardar e listar custam o mesmo com 100 ou com 10.000 Tasks, também ao descartar a mais velha', async () => {
  const medir = async (quantas: number): Promise<number> => {
    const armazem = abrir({ terminadas: quantas });
    const viver = async (n: number): Promise<void> => {
      relogio++;
      await armazem.put(registro(`t${n}`, 1, { contextId: `c${n}` }));
      await armazem.put(registro(`t${n}`, 2, { contextId: `c${n}`, state: 'TASK_STATE_COMPLETED' }));
    };
    for (let n = 0; n < quantas; n++) await viver(n);
    const inicio = process.cpuUsage();
    for (let n = quantas; n < quantas + 300; n++) {
      await viver(n);
      await armazem.list({ pageSize: 10 });
      await armazem.list({ pageSize: 10, status: 'TASK_STATE_REJECTED' });
      await armazem.list({ pageSize: 10, statusTimestampAfter: relogio - quantas });
      await armazem.list({ pageSize: 10, contextId: `c${n}`, status: 'TASK_STATE_COMPLETED' });
    }
    return process.cpuUsage(inicio).user;
  };
  await medir(100);
  const [pouco, muito] = [await medir(100), await medir(10_000)];
  assert.ok(muito < pouco * 8, `${muito} contra ${pouco}: uma varredura daria dezenas de vezes`);
});
