/**
 * Um modelo pequeno contra o sistema inteiro: sequências aleatórias de pedidos, respostas, recusas, cancelamentos,
 * replays, reinícios e falhas de rede. Depois de cada passo valem as invariantes:
 * nenhuma sala com duas reservas sobrepostas, cada Task concluída com exatamente uma reserva e a sua, estado terminal
 * definitivo, ninguém parado em WORKING, e nenhum requestState em resposta A2A ou log.
 *
 * `SEMENTE=n` repete uma execução; `EXECUCOES=n` muda quantas (padrão 300; com `LONGO=1`, 5.000).
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import type { Task } from '../agente/a2a/modelo.ts';
import type { Reserva } from '../servidor-mcp/agenda.ts';
import { Bancada, instante, pedido, type RespostaRpc, type ResultadoMcp, SALAS } from './bancada.ts';

const DIA = '2026-11-03';
const EXECUCOES = Number(process.env.EXECUCOES ?? (process.env.LONGO ? 5_000 : 300));
const SEMENTE = Number(process.env.SEMENTE ?? Date.now() % 2 ** 31);
const TERMINAIS = ['TASK_STATE_COMPLETED', 'TASK_STATE_FAILED', 'TASK_STATE_CANCELED', 'TASK_STATE_REJECTED'];

/** O que o modelo sabe de cada Task: como o cliente a viu pela última vez. */
interface Conhecida {
  readonly id: string;
  readonly sala: string;
  readonly inicio: string;
  readonly responsavel: string;
  estado: string;
  alternativas: readonly string[];
  /** Escolhas que podem ter chegado ao servidor, mesmo que a resposta se tenha perdido. */
  readonly escolhas: Set<string>;
  terminal?: string;
}

class Mundo {
  readonly bancada = new Bancada({ tempoLimiteMs: 10_000 });
  readonly tasks: Conhecida[] = [];
  /** Respostas já dadas por fora, direto no servidor MCP, com o lacre alheio: o atacante. */
  readonly porFora: { readonly estado: string; readonly argumentos: unknown }[] = [];
  /** Qual é a vida atual do servidor MCP: as reservas feitas numa não existem na seguinte. */
  vida = 0;
  /** Reserva que cada Task concluída anunciou, e em que vida. */
  readonly anunciadas = new Map<string, { readonly vida: number; readonly reserva: Reserva }>();
  #nomes = 0;

  novoNome(): string {
    return `pessoa ${++this.#nomes}`;
  }

  pausadas(): Conhecida[] {
    return this.tasks.filter(({ estado }) => estado === 'TASK_STATE_INPUT_REQUIRED');
  }

  /** Confere uma resposta a um envio e atualiza o modelo. */
  receber(conhecida: Conhecida, resposta: RespostaRpc): void {
    if (resposta.error) {
      assert.ok([-32004, -32603].includes(resposta.error.code), JSON.stringify(resposta.error));
      return;
    }
    assert.ok(resposta.result?.task);
    this.observar(conhecida, resposta.result.task);
  }

  observar(conhecida: Conhecida, task: Task): void {
    const { state } = task.status;
    if (conhecida.terminal)
      assert.equal(JSON.stringify(task), conhecida.terminal, 'um estado terminal é definitivo');
    conhecida.estado = state;
    const texto = task.status.message?.parts[0]?.text ?? '';
    if (state === 'TASK_STATE_INPUT_REQUIRED') {
      assert.match(texto, /^alternativas: sala-[a-z]+(, sala-[a-z]+){0,2}$/);
      conhecida.alternativas = texto.replace('alternativas: ', '').split(', ');
    }
    if (TERMINAIS.includes(state)) conhecida.terminal = JSON.stringify(task);
    if (state === 'TASK_STATE_COMPLETED' && !this.anunciadas.has(task.id)) {
      assert.equal(task.artifacts.length, 1);
      const { politica, reserva: id, ...resto } = JSON.parse(task.artifacts[0]?.parts[0]?.text ?? '');
      assert.equal(politica, '2026-11-01');
      assert.equal(resto.responsavel, conhecida.responsavel, 'a reserva é de quem pediu');
      assert.equal(resto.inicio, conhecida.inicio);
      assert.ok(
        resto.sala === conhecida.sala || conhecida.escolhas.has(resto.sala),
        'na sala pedida ou na escolhida',
      );
      this.anunciadas.set(task.id, { vida: this.vida, reserva: { id, ...resto } });
    }
  }

  /** Nenhuma quebra, em momento nenhum. */
  async conferir(): Promise<void> {
    for (const conhecida of this.tasks) {
      const task = await this.bancada.task(conhecida.id);
      assert.ok(task, 'uma Task não some');
      assert.ok(![...'SUBMITTED WORKING'.split(' ')].some((estado) => task.status.state.endsWith(estado)));
      this.observar(conhecida, task);
    }
    const reservas = await this.bancada.reservasDoDia(DIA, 14, 18);
    for (const sala of SALAS) {
      const daSala = reservas
        .filter((reserva) => reserva.sala === sala.id)
        .sort((a, b) => (a.inicio < b.inicio ? -1 : 1));
      for (const [i, reserva] of daSala.entries()) {
        const seguinte = daSala[i + 1];
        assert.ok(!seguinte || reserva.fim <= seguinte.inicio, `sobreposição em ${sala.id}`);
      }
    }
    for (const { vida, reserva } of this.anunciadas.values()) {
      if (vida === this.vida)
        assert.ok(reservas.some(({ id, sala }) => id === reserva.id && sala === reserva.sala));
    }
    // Cada nome foi usado num pedido só: duas reservas com o mesmo nome seriam duas reservas de um pedido.
    for (const conhecida of this.tasks) {
      const suas = reservas.filter(({ responsavel }) => responsavel === conhecida.responsavel);
      assert.ok(suas.length <= 1, `${conhecida.responsavel} ficou com ${suas.length} reservas`);
      if (conhecida.estado === 'TASK_STATE_REJECTED') assert.equal(suas.length, 0);
    }
    for (const texto of [...this.bancada.respostasA2A, ...this.bancada.linhas]) {
      assert.ok(!this.bancada.vazou(texto), `requestState vazou: ${texto}`);
    }
    this.bancada.respostasA2A.length = 0;
    this.bancada.linhas.length = 0;
  }
}

/** Um passo: aplica uma ação ao mundo. Os números escolhem entre o que existir na hora. */
type Passo = { readonly tipo: string } & Readonly<Record<string, number | string | boolean>>;

const escolher = <T>(lista: readonly T[], i: number): T | undefined => lista[i % Math.max(1, lista.length)];

async function pedir(
  mundo: Mundo,
  sala: string,
  hora: number,
  duracao: number,
): Promise<Conhecida | undefined> {
  const responsavel = mundo.novoNome();
  const resposta = await mundo.bancada.enviar(pedido(sala, DIA, hora, hora + duracao, responsavel));
  assert.ok(resposta.result?.task, 'um pedido sempre abre uma Task');
  const conhecida: Conhecida = {
    id: resposta.result.task.id,
    sala,
    inicio: instante(DIA, hora),
    responsavel,
    estado: '',
    alternativas: [],
    escolhas: new Set(),
  };
  mundo.tasks.push(conhecida);
  mundo.receber(conhecida, resposta);
  return conhecida;
}

async function responder(mundo: Mundo, conhecida: Conhecida, escolha: string): Promise<void> {
  conhecida.escolhas.add(escolha);
  mundo.receber(conhecida, await mundo.bancada.enviar(`escolha=${escolha}`, conhecida.id));
}

const ACOES: Record<string, (mundo: Mundo, passo: Passo) => Promise<unknown>> = {
  pedir: (mundo, { sala, hora, duracao }) => pedir(mundo, sala as string, hora as number, duracao as number),

  async responder(mundo, { qual, opcao }) {
    const conhecida = escolher(mundo.pausadas(), qual as number);
    const escolha = conhecida && escolher(conhecida.alternativas, opcao as number);
    if (conhecida && escolha) await responder(mundo, conhecida, escolha);
  },

  async escolherErrado(mundo, { qual, sala }) {
    const conhecida = escolher(mundo.pausadas(), qual as number);
    if (!conhecida || conhecida.alternativas.includes(sala as string)) return;
    const resposta = await mundo.bancada.enviar(`escolha=${sala}`, conhecida.id);
    assert.equal(resposta.result?.task?.status.state, 'TASK_STATE_INPUT_REQUIRED');
  },

  async recusar(mundo, { qual }) {
    const conhecida = escolher(mundo.pausadas(), qual as number);
    if (conhecida) mundo.receber(conhecida, await mundo.bancada.enviar('escolha=recusar', conhecida.id));
  },

  async cancelar(mundo, { qual }) {
    const conhecida = escolher(mundo.tasks, qual as number);
    if (!conhecida) return;
    const { result, error } = await mundo.bancada.a2a('CancelTask', { id: conhecida.id });
    if (error) assert.equal(error.code, -32002);
    else {
      assert.equal((result as unknown as Task).status.state, 'TASK_STATE_CANCELED');
      mundo.observar(conhecida, result as unknown as Task);
    }
  },

  async emParalelo(mundo, { qual, opcao }) {
    const conhecida = escolher(mundo.pausadas(), qual as number);
    if (!conhecida) return;
    const respostas = await Promise.all(
      [0, 1, 2].map((i) => {
        const escolha = i === 2 ? 'recusar' : escolher(conhecida.alternativas, (opcao as number) + i);
        conhecida.escolhas.add(escolha as string);
        return mundo.bancada.enviar(`escolha=${escolha}`, conhecida.id);
      }),
    );
    assert.ok(respostas.filter(({ result }) => result).length <= 1, 'no máximo uma age');
    for (const resposta of respostas) mundo.receber(conhecida, resposta);
  },

  async continuarTerminada(mundo, { qual, sala }) {
    const conhecida = escolher(
      mundo.tasks.filter(({ terminal }) => terminal),
      qual as number,
    );
    if (!conhecida) return;
    const { error } = await mundo.bancada.enviar(`escolha=${sala}`, conhecida.id);
    assert.equal(error?.code, -32004);
  },

  /** O servidor executa e a resposta se perde; o cliente manda a mesma coisa de novo. */
  async perderResposta(mundo, { qual, opcao }) {
    const conhecida = escolher(mundo.pausadas(), qual as number);
    const escolha = conhecida && escolher(conhecida.alternativas, opcao as number);
    if (!conhecida || !escolha) return;
    mundo.bancada.fio = async (request, seguir) => {
      await seguir(request);
      throw new TypeError('terminated');
    };
    await responder(mundo, conhecida, escolha);
    mundo.bancada.fio = (request, seguir) => seguir(request);
    assert.equal((await mundo.bancada.task(conhecida.id))?.status.state, 'TASK_STATE_INPUT_REQUIRED');
    await responder(mundo, conhecida, escolha);
  },

  async foraDoAr(mundo, { qual, opcao, sala, hora }) {
    mundo.bancada.fio = async () => {
      throw new TypeError('fetch failed');
    };
    const conhecida = escolher(mundo.pausadas(), qual as number);
    if (conhecida) await responder(mundo, conhecida, escolher(conhecida.alternativas, opcao as number) ?? '');
    await pedir(mundo, sala as string, hora as number, 1);
    mundo.bancada.fio = (request, seguir) => seguir(request);
    if (conhecida) assert.equal(conhecida.estado, 'TASK_STATE_INPUT_REQUIRED', 'a pausa não se perde');
  },

  async reiniciarMcp(mundo) {
    mundo.bancada.reiniciarMcp();
    mundo.vida++;
  },

  /** Um lacre capturado volta direto ao servidor, com outra resposta ou outros argumentos. */
  async replay(mundo, { qual, sala, alterado }) {
    const capturado = escolher(lacres(mundo), qual as number);
    if (!capturado) return;
    const argumentos = alterado ? { ...capturado.argumentos, responsavel: 'Biff' } : capturado.argumentos;
    const { result, error } = await mundo.bancada.chamar('reservar_sala', argumentos, {
      requestState: capturado.estado,
      inputResponses: { [capturado.chave]: { action: 'accept', content: { sala } } },
    });
    if (alterado) return assert.equal(error?.code, -32602, 'argumentos que não são os lacrados');
    const { structuredContent } = result as unknown as ResultadoMcp;
    const dono = mundo.tasks.find(({ responsavel }) => responsavel === capturado.argumentos.responsavel);
    if (structuredContent?.reservado) dono?.escolhas.add(String(structuredContent.sala));
    if (structuredContent?.reservado)
      assert.equal(structuredContent.responsavel, capturado.argumentos.responsavel);
  },
};

interface Lacre {
  readonly estado: string;
  readonly chave: string;
  readonly argumentos: { readonly responsavel: string };
}

/** Os lacres que um bisbilhoteiro no fio teria: os que o agente já ecoou. */
function lacres(mundo: Mundo): Lacre[] {
  return mundo.bancada.requestsMcp.flatMap(({ corpo }) => {
    const { params } = JSON.parse(corpo);
    if (!params?.requestState) return [];
    return [
      {
        estado: params.requestState,
        chave: Object.keys(params.inputResponses)[0] ?? '',
        argumentos: params.arguments,
      },
    ];
  });
}

const sala = fc.constantFrom(...SALAS.map(({ id }) => id));
const indice = fc.nat({ max: 20 });
const hora = fc.constantFrom(14, 14.5, 15);
const passo = fc.oneof(
  {
    weight: 8,
    arbitrary: fc.record({ tipo: fc.constant('pedir'), sala, hora, duracao: fc.constantFrom(0.5, 1, 1.5) }),
  },
  { weight: 6, arbitrary: fc.record({ tipo: fc.constant('responder'), qual: indice, opcao: indice }) },
  { weight: 1, arbitrary: fc.record({ tipo: fc.constant('escolherErrado'), qual: indice, sala }) },
  { weight: 1, arbitrary: fc.record({ tipo: fc.constant('recusar'), qual: indice }) },
  { weight: 1, arbitrary: fc.record({ tipo: fc.constant('cancelar'), qual: indice }) },
  { weight: 2, arbitrary: fc.record({ tipo: fc.constant('emParalelo'), qual: indice, opcao: indice }) },
  { weight: 1, arbitrary: fc.record({ tipo: fc.constant('continuarTerminada'), qual: indice, sala }) },
  { weight: 2, arbitrary: fc.record({ tipo: fc.constant('perderResposta'), qual: indice, opcao: indice }) },
  {
    weight: 1,
    arbitrary: fc.record({ tipo: fc.constant('foraDoAr'), qual: indice, opcao: indice, sala, hora }),
  },
  { weight: 1, arbitrary: fc.record({ tipo: fc.constant('reiniciarMcp') }) },
  {
    weight: 2,
    arbitrary: fc.record({ tipo: fc.constant('replay'), qual: indice, sala, alterado: fc.boolean() }),
  },
) as fc.Arbitrary<Passo>;

test(`modelo: ${EXECUCOES} execuções aleatórias mantêm as invariantes (SEMENTE=${SEMENTE})`, async () => {
  const passosPorTipo: Record<string, number> = {};
  await fc.assert(
    fc.asyncProperty(fc.array(passo, { minLength: 5, maxLength: 25 }), async (passos) => {
      const mundo = new Mundo();
      for (const proximo of passos) {
        passosPorTipo[proximo.tipo] = (passosPorTipo[proximo.tipo] ?? 0) + 1;
        await ACOES[proximo.tipo]?.(mundo, proximo);
      }
      await mundo.conferir();
    }),
    { numRuns: EXECUCOES, seed: SEMENTE, endOnFailure: false },
  );
  for (const tipo of Object.keys(ACOES))
    assert.ok(passosPorTipo[tipo], `nenhuma execução passou por ${tipo}`);
});
