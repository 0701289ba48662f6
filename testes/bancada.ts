/**
 * Os dois handlers ligados por um fio que o teste controla: o que se perde, o que atrasa e o que passa entre o agente
 * e o servidor MCP. Em memória, ou em rede de verdade; tudo o que trafega fica registrado para as invariantes.
 */
import { readFileSync } from 'node:fs';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { TestContext } from 'node:test';
import { getRequestListener } from '@hono/node-server';
import { RESPONSE_ALREADY_SENT } from '@hono/node-server/utils/response';
import type { Task } from '../agente/a2a/modelo.ts';
import { criarAgente } from '../agente/app.ts';
import type { Manipulador } from '../comum/manipulador.ts';
import { servir } from '../comum/node.ts';
import type { Reserva } from '../servidor-mcp/agenda.ts';
import { criarServidorMcp } from '../servidor-mcp/app.ts';
import type { Sala } from '../servidor-mcp/salas.ts';

/** O fio: recebe o request do agente e quem o atenderia. Lançar é perder o request, ou a resposta. */
export type Fio = (request: Request, seguir: (request: Request) => Promise<Response>) => Promise<Response>;

/** Uma resposta JSON-RPC, com o que os testes olham. */
export interface RespostaRpc {
  readonly id?: unknown;
  readonly result?: Record<string, unknown> & { readonly task?: Task };
  readonly error?: { readonly code: number; readonly message: string; readonly data?: unknown };
}

/** O que um `tools/call` devolve, com o que os testes olham. */
export interface ResultadoMcp {
  readonly resultType?: string;
  readonly isError?: boolean;
  readonly content?: readonly { readonly text: string }[];
  readonly structuredContent?: Readonly<Record<string, unknown>>;
  readonly requestState?: string;
  readonly inputRequests?: Readonly<
    Record<
      string,
      {
        readonly params: {
          readonly requestedSchema: {
            readonly properties: { readonly sala: { readonly enum: readonly string[] } };
          };
        };
      }
    >
  >;
}

const ler = (arquivo: string): string =>
  readFileSync(new URL(`../dados/${arquivo}`, import.meta.url), 'utf8');
const META = {
  'io.modelcontextprotocol/protocolVersion': '2026-07-28',
  'io.modelcontextprotocol/clientCapabilities': { elicitation: { form: {} } },
};

/** As cinco salas, como o servidor as recebe. */
export const SALAS = JSON.parse(ler('salas.json')) as readonly Sala[];

/** Um segredo novo para cada bancada não faria diferença nos testes, e este não protege nada. */
const SEGREDO = 'segredo-de-teste-que-nao-protege-nada-0123456789';

export class Bancada {
  /** Troque para estragar o caminho entre os dois. */
  fio: Fio = (request, seguir) => seguir(request);
  /** Todo `requestState` que passou pelo fio, em qualquer direção. */
  readonly estados = new Set<string>();
  /** Corpos de tudo o que o agente respondeu. */
  readonly respostasA2A: string[] = [];
  /** Linhas de log dos dois. */
  readonly linhas: string[] = [];
  /** Requests MCP do agente: método, id e traceparent, na ordem. */
  readonly requestsMcp: { metodo: string; id: unknown; traceparent: unknown; corpo: string }[] = [];
  #mcp: Manipulador;
  #enviarAoAgente: (request: Request) => Promise<Response>;
  #proximoId = 1;
  readonly #opcoes: OpcoesDaBancada;

  /** Uma bancada em memória: o mesmo código, sem sockets. */
  constructor(opcoes: OpcoesDaBancada = {}) {
    this.#opcoes = opcoes;
    this.#mcp = this.#novoMcp();
    const agente = this.#novoAgente('http://localhost:7301/mcp', (url, init) =>
      this.#peloFio(new Request(url, init)),
    );
    this.#enviarAoAgente = (request) => agente.fetch(request);
  }

  /** A mesma bancada com dois servidores HTTP de verdade: um fio que lança corta a conexão. */
  static async emRede(t: TestContext, opcoes: OpcoesDaBancada = {}): Promise<Bancada> {
    const bancada = new Bancada(opcoes);
    const servidorMcp = createServer(
      getRequestListener(async (request, env) => {
        try {
          return await bancada.#peloFio(request);
        } catch {
          (env.outgoing as ServerResponse).destroy();
          return RESPONSE_ALREADY_SENT;
        }
      }),
    );
    await new Promise<void>((pronto) => servidorMcp.listen(0, '127.0.0.1', pronto));
    const { port } = servidorMcp.address() as AddressInfo;
    const agente = await servir(bancada.#novoAgente(`http://127.0.0.1:${port}/mcp`, undefined), {
      porta: 0,
      host: '127.0.0.1',
    });
    bancada.#enviarAoAgente = (request) =>
      fetch(request.url.replace(':7300', `:${agente.porta}`).replace('localhost', '127.0.0.1'), request);
    t.after(async () => {
      servidorMcp.closeAllConnections();
      servidorMcp.close();
      await agente.parar();
    });
    return bancada;
  }

  /** Mata o servidor MCP e sobe outro com o mesmo segredo: as reservas feitas somem. */
  reiniciarMcp(segredo?: string): void {
    this.#mcp = this.#novoMcp(segredo);
  }

  /** Uma chamada JSON-RPC ao agente. */
  async a2a(method: string, params: unknown, headers: Record<string, string> = {}): Promise<RespostaRpc> {
    const resposta = await this.#enviarAoAgente(
      new Request('http://localhost:7300/a2a', {
        method: 'POST',
        headers: { 'content-type': 'application/json', ...headers },
        body: JSON.stringify({ jsonrpc: '2.0', id: this.#proximoId++, method, params }),
      }),
    );
    const corpo = await resposta.text();
    this.respostasA2A.push(corpo);
    return JSON.parse(corpo) as RespostaRpc;
  }

  /** Um SendMessage de texto; com `taskId`, uma continuação. */
  enviar(text: string, taskId?: string, headers: Record<string, string> = {}): Promise<RespostaRpc> {
    const message = {
      messageId: crypto.randomUUID(),
      role: 'ROLE_USER',
      parts: [{ text }],
      ...(taskId && { taskId }),
    };
    return this.a2a('SendMessage', { message }, headers);
  }

  /** A Task como o cliente a vê, ou `undefined` se o agente diz que ela não existe. */
  async task(id: string): Promise<Task | undefined> {
    return (await this.a2a('GetTask', { id })).result as unknown as Task | undefined;
  }

  /** Um `tools/call` direto no servidor MCP, sem passar pelo fio. */
  async chamar(name: string, args: unknown, retomada: Record<string, unknown> = {}): Promise<RespostaRpc> {
    const resposta = await this.#mcp.fetch(
      new Request('http://localhost:7301/mcp', {
        method: 'POST',
        headers: {
          'content-type': 'application/json',
          accept: 'application/json, text/event-stream',
          'mcp-protocol-version': '2026-07-28',
          'mcp-method': 'tools/call',
          'mcp-name': name,
        },
        body: JSON.stringify({
          jsonrpc: '2.0',
          id: this.#proximoId++,
          method: 'tools/call',
          params: { name, arguments: args, ...retomada, _meta: META },
        }),
      }),
    );
    return JSON.parse(await resposta.text()) as RespostaRpc;
  }

  /** Se um texto traz algum `requestState` que passou pelo fio, inteiro ou só um pedaço (o log corta valores longos). */
  vazou(texto: string): boolean {
    for (const estado of this.estados) {
      const [, conteudo = '', assinatura = ''] = estado.split('.');
      if (texto.includes(conteudo.slice(0, 32)) || texto.includes(assinatura.slice(0, 32))) return true;
    }
    return false;
  }

  /** As reservas de todas as salas num dia (AAAA-MM-DD), perguntadas ao servidor de duas em duas horas. */
  async reservasDoDia(dia: string, das = 8, as = 20): Promise<Reserva[]> {
    const achadas = new Map<string, Reserva>();
    for (const { id: sala } of SALAS) {
      for (let hora = das; hora < as; hora += 2) {
        const resposta = await this.chamar('consultar_disponibilidade', {
          sala,
          inicio: instante(dia, hora),
          fim: instante(dia, hora + 2),
        });
        const { conflitos = [] } = (resposta.result?.structuredContent ?? {}) as {
          conflitos?: Omit<Reserva, 'sala'>[];
        };
        for (const reserva of conflitos) achadas.set(reserva.id, { ...reserva, sala });
      }
    }
    return [...achadas.values()];
  }

  async #peloFio(request: Request): Promise<Response> {
    const corpo = await request.clone().text();
    const { method, id, params } = JSON.parse(corpo);
    this.requestsMcp.push({ metodo: method, id, traceparent: params?._meta?.traceparent, corpo });
    const resposta = await this.fio(request, (recebido) => this.#mcp.fetch(recebido));
    for (const texto of [corpo, await resposta.clone().text()]) {
      for (const [, estado] of texto.matchAll(/"requestState":"([^"]+)"/g))
        this.estados.add(estado as string);
    }
    return resposta;
  }

  #novoAgente(
    urlDoMcp: string,
    fetch: ((url: string | URL, init?: RequestInit) => Promise<Response>) | undefined,
  ): Manipulador {
    return criarAgente({
      urlPublica: 'http://localhost:7300',
      urlDoMcp,
      tempoLimiteMs: this.#opcoes.tempoLimiteMs ?? 5_000,
      escrever: (linha) => this.linhas.push(linha),
      agora: this.#opcoes.agora,
      fetch,
    });
  }

  #novoMcp(segredo = SEGREDO): Manipulador {
    return criarServidorMcp({
      salas: SALAS,
      reservas: JSON.parse(ler('reservas.json')) as Reserva[],
      politica: ler('politica-de-uso.md'),
      segredos: [segredo],
      ttlSegundos: this.#opcoes.ttlSegundos ?? 900,
      log: (linha) => this.linhas.push(linha),
      ...(this.#opcoes.agora && { agora: this.#opcoes.agora }),
    });
  }
}

/** O que muda de uma bancada para outra. */
export interface OpcoesDaBancada {
  readonly tempoLimiteMs?: number;
  readonly ttlSegundos?: number;
  /** Relógio dos dois, em ms. */
  readonly agora?: () => number;
}

/** `2026-11-03`, 14 → `2026-11-03T14:00:00-03:00`; meia hora é 14.5. */
export function instante(dia: string, hora: number): string {
  const minutos = Math.round((hora % 1) * 60);
  return `${dia}T${String(Math.floor(hora)).padStart(2, '0')}:${String(minutos).padStart(2, '0')}:00-03:00`;
}

/** O texto de um pedido no formato do agente. */
export function pedido(sala: string, dia: string, inicio: number, fim: number, responsavel: string): string {
  return `reservar sala=${sala} inicio=${instante(dia, inicio)} fim=${instante(dia, fim)} responsavel=${responsavel}`;
}
