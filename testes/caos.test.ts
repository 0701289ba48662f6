/**
 * O servidor MCP morre (SIGKILL) e volta, várias vezes, enquanto 200 Tasks pausadas são respondidas ao mesmo tempo. O
 * cliente só sabe reenviar: cada Task tem de acabar com a sua escolha ou a sua recusa. As reservas moram na memória do
 * servidor e morrem com ele; por isso o que se confere é por vida: nunca duas reservas de uma Task, nem duas numa sala.
 */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { Task } from '../agente/a2a/modelo.ts';
import type { Reserva } from '../servidor-mcp/agenda.ts';
import { instante, pedido, type RespostaRpc } from './bancada.ts';
import { enviar, ferramenta, lerReservas, lerTask } from './chamadas.ts';
import { abrirConexao, lerRespostas } from './http-cru.ts';
import { type Servico, subirAgente, subirServidorMcp } from './processos.ts';

const TASKS = 200;
const MORTES = process.env.LONGO ? 10 : 3;
const RODADAS = process.env.LONGO ? 10 : 1;

/** Em cada intervalo o aquário está ocupado e há quatro salas maiores: quatro Tasks disputam, e sempre há para todas. */
const DISPUTAM = 4;
const OCUPADA = 'sala-aquario';
const INTERVALOS = TASKS / DISPUTAM;
const INTERVALOS_POR_DIA = 24;
const DIAS = ['2026-10-01', '2026-10-02', '2026-10-03'];

const quando = (i: number): readonly [string, number, number] => {
  const hora = 8 + (i % INTERVALOS_POR_DIA) / 2;
  return [DIAS[Math.floor(i / INTERVALOS_POR_DIA)] as string, hora, hora + 0.5];
};

/** O servidor MCP na sua porta fixa, que morre e volta quando mandam. */
class ServidorMortal {
  /** A vida atual; pendente enquanto ele sobe. */
  vida: Promise<Servico> = subirServidorMcp();

  async matarESubir(): Promise<void> {
    const { porta, parar } = await this.vida;
    this.vida = parar('SIGKILL').then(() => subirServidorMcp({ MCP_PORT: String(porta) }));
    await this.vida;
  }
}

/** O cliente de uma Task pausada. Anota tudo o que o agente lhe disse. */
class Cliente {
  readonly nome: string;
  readonly recusa: boolean;
  readonly respostas: RespostaRpc[] = [];
  readonly escolhas: string[] = [];
  readonly #agente: Servico;
  readonly #mcp: ServidorMortal;
  readonly #copias: number;
  #task!: Task;

  constructor(agente: Servico, mcp: ServidorMortal, numero: number, copias: number) {
    this.nome = `Cliente ${numero}`;
    this.recusa = numero % 10 === 9;
    this.#agente = agente;
    this.#mcp = mcp;
    this.#copias = copias;
  }

  get task(): Task {
    return this.#task;
  }

  async pausar(intervalo: number): Promise<void> {
    const { result } = await enviar(this.#agente.url, pedido(OCUPADA, ...quando(intervalo), this.nome));
    this.#task = result?.task as Task;
    assert.equal(this.#task.status.state, 'TASK_STATE_INPUT_REQUIRED', JSON.stringify(this.#task.status));
  }

  /** Responde até a Task acabar; cada resposta vai em `copias` requests ao mesmo tempo. */
  async responder(): Promise<void> {
    while (this.#task.status.state === 'TASK_STATE_INPUT_REQUIRED') {
      const escolha = this.#escolher();
      this.escolhas.push(escolha);
      const respostas = await mandarJuntas(this.#agente, `escolha=${escolha}`, this.#task.id, this.#copias);
      this.respostas.push(...respostas);
      // Um erro não diz onde a Task ficou; quem manda é o GetTask.
      this.#task = await lerTask(this.#agente.url, this.#task.id);
      // Insistir enquanto o servidor sobe só o atrasaria.
      if (respostas.some(({ error }) => error)) await this.#mcp.vida;
    }
  }

  #escolher(): string {
    if (this.recusa) return 'recusar';
    const [texto = ''] = this.#task.status.message?.parts.map(({ text }) => text) ?? [];
    const [, lista = ''] = /^alternativas: (.+)$/.exec(texto ?? '') ?? [];
    assert.ok(lista, `uma pausa mostra as alternativas: ${texto}`);
    return lista.split(', ')[0] as string;
  }
}

/** A mesma resposta várias vezes numa conexão só, sem esperar: o agente as recebe todas no mesmo instante. */
async function mandarJuntas(
  { porta }: Servico,
  text: string,
  taskId: string,
  copias: number,
): Promise<RespostaRpc[]> {
  const { socket, recebido } = await abrirConexao(porta);
  const mandar = (connection: string): void => {
    const message = { messageId: crypto.randomUUID(), role: 'ROLE_USER', parts: [{ text }], taskId };
    const corpo = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'SendMessage', params: { message } });
    socket.write(
      `POST /a2a HTTP/1.1\r\nHost: localhost\r\nConnection: ${connection}\r\nContent-Type: application/json\r\nContent-Length: ${corpo.length}\r\n\r\n${corpo}`,
    );
  };
  socket.cork();
  for (let i = 1; i < copias; i++) mandar('keep-alive');
  mandar('close');
  socket.uncork();
  const respostas = lerRespostas(await recebido).map(({ corpo }) => JSON.parse(corpo.toString()));
  assert.equal(respostas.length, copias);
  return respostas;
}

/** Nenhuma sala tem duas reservas sobrepostas, e ninguém tem duas. */
function conferirVida(reservas: readonly Reserva[]): void {
  const donos = reservas.map(({ responsavel }) => responsavel).filter((nome) => nome.startsWith('Cliente'));
  assert.deepEqual([...new Set(donos)].sort(), [...donos].sort(), 'duas reservas para uma Task');
  const lugares = reservas.map(({ sala, inicio }) => `${sala} ${inicio}`);
  assert.equal(new Set(lugares).size, lugares.length, 'duas reservas no mesmo lugar');
}

describe('caos', { concurrency: 1, timeout: process.env.LONGO ? 3_600_000 : 240_000 }, () => {
  const VARIANTES = [
    ['cada resposta uma vez', 1],
    ['cada resposta em duas mensagens simultâneas', 2],
  ] as const;
  for (const [titulo, copias] of Array.from({ length: RODADAS }, () => VARIANTES).flat()) {
    test(`${TASKS} Tasks, ${MORTES} mortes do servidor MCP, ${titulo}`, async (t) => {
      const mcp = new ServidorMortal();
      t.after(async () => (await mcp.vida).parar());
      const { url } = await mcp.vida;
      const agente = await subirAgente(url, { MCP_TIMEOUT_MS: '120000' }); // numa máquina lenta, demora não é queda
      t.after(() => agente.parar());
      await Promise.all(
        Array.from({ length: INTERVALOS }, (_, i) => {
          const [dia, inicio, fim] = quando(i);
          const intervalo = { inicio: instante(dia, inicio), fim: instante(dia, fim) };
          return ferramenta(url, 'reservar_sala', { sala: OCUPADA, ...intervalo, responsavel: 'Biff' });
        }),
      );
      const clientes = Array.from({ length: TASKS }, (_, i) => new Cliente(agente, mcp, i, copias));
      await Promise.all(clientes.map((cliente, i) => cliente.pausar(Math.floor(i / DISPUTAM))));

      let terminadas = 0;
      let morrer: (() => void) | undefined;
      const matador = (async () => {
        for (let morte = 1; morte <= MORTES; morte++) {
          const limite = (TASKS * morte) / (MORTES + 1);
          if (terminadas < limite) {
            await new Promise<void>((pronto) => {
              morrer = () => terminadas >= limite && pronto();
            });
          }
          // Parar para olhar deixa muitos acabarem; matar na hora pega muitos no meio. Uma vez cada.
          if (morte % 2 === 0) conferirVida(await lerReservas(url, DIAS));
          await mcp.matarESubir();
        }
      })();
      await Promise.all([
        matador,
        ...clientes.map(async (cliente) => {
          await cliente.responder();
          terminadas++;
          morrer?.();
        }),
      ]);
      const daUltimaVida = await lerReservas(url, DIAS);
      conferirVida(daUltimaVida);

      for (const { nome, recusa, task, escolhas, respostas } of clientes) {
        const { state } = task.status;
        assert.equal(state, recusa ? 'TASK_STATE_CANCELED' : 'TASK_STATE_COMPLETED', JSON.stringify(task));
        assert.equal(task.artifacts.length, recusa ? 0 : 1);
        const minhas = daUltimaVida.filter(({ responsavel }) => responsavel === nome);
        if (!recusa) {
          const reserva = JSON.parse(task.artifacts[0]?.parts[0]?.text ?? '');
          assert.equal(reserva.responsavel, nome);
          assert.equal(reserva.sala, escolhas.at(-1));
          for (const minha of minhas) assert.equal(minha.sala, reserva.sala);
        }
        if (recusa) assert.deepEqual(minhas, []);
        // As mensagens que falharam no caminho não deixaram rastro no histórico.
        const ditas = task.history.filter(({ role }) => role === 'ROLE_USER').length;
        assert.equal(ditas, 1 + respostas.filter(({ error }) => !error).length);
        for (const { error } of respostas)
          assert.ok(!error || [-32603, -32004].includes(error.code), error?.message);
        assert.doesNotMatch(
          JSON.stringify([task, respostas]),
          /eyJ[\w-]{10,}\.[\w-]+\.[\w-]+/,
          'um requestState à vista',
        );
      }
      const quedas = clientes
        .flatMap(({ respostas }) => respostas)
        .filter(({ error }) => error?.code === -32603);
      assert.ok(quedas.length >= MORTES, 'quase ninguém viu o servidor cair: o teste não provou nada');
      assert.doesNotMatch(agente.stderr(), /falha|eyJ/);
    });
  }
});
