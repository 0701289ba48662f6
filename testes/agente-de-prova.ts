/**
 * Um agente sobre o núcleo A2A que faz o que o prefixo do messageId manda. Os prefixos `tck-` são os dos cenários do
 * kit de conformidade oficial (a2a-tck), que por isso também roda contra ele; os `prova-` são dos nossos testes.
 */
import type { AgentCard } from '../agente/a2a/card.ts';
import { Indisponivel } from '../agente/a2a/erros.ts';
import {
  artifact,
  canceled,
  completed,
  type Executor,
  failed,
  inputRequired,
  rejected,
  resposta,
  working,
} from '../agente/a2a/executor.ts';
import { criarServidorA2A, type OpcoesDoServidorA2A } from '../agente/a2a/servidor.ts';
import { servir } from '../comum/node.ts';

/** Onde um executor espera que o teste mande seguir: assim nenhum teste depende de tempo. */
export class Portao {
  readonly #abertos = new Map<string, { abrir: () => void; readonly aberto: Promise<void> }>();
  readonly #chegadas = new Map<string, { chegar: () => void; readonly chegada: Promise<void> }>();

  /** Deixa passar quem espera (ou vier a esperar) com este nome. */
  abrir(nome: string): void {
    this.#porta(nome).abrir();
  }

  /** Alguém está esperando com este nome. */
  chegada(nome: string): Promise<void> {
    return this.#chegada(nome).chegada;
  }

  /** Espera que abram, ou que o sinal dispare. @returns se abriram. */
  async esperar(nome: string, signal?: AbortSignal): Promise<boolean> {
    this.#chegada(nome).chegar();
    const abortado = new Promise<false>((pronto) => {
      if (signal?.aborted) pronto(false);
      signal?.addEventListener('abort', () => pronto(false), { once: true });
    });
    return Promise.race([this.#porta(nome).aberto.then(() => true), abortado]);
  }

  #porta(nome: string) {
    let porta = this.#abertos.get(nome);
    if (!porta) {
      let abrir = (): void => undefined;
      const aberto = new Promise<void>((pronto) => {
        abrir = pronto;
      });
      porta = { abrir, aberto };
      this.#abertos.set(nome, porta);
    }
    return porta;
  }

  #chegada(nome: string) {
    let quem = this.#chegadas.get(nome);
    if (!quem) {
      let chegar = (): void => undefined;
      const chegada = new Promise<void>((pronto) => {
        chegar = pronto;
      });
      quem = { chegar, chegada };
      this.#chegadas.set(nome, quem);
    }
    return quem;
  }
}

/** O que uma pausa guarda: só o que a pergunta era. */
type Pausa = { readonly pergunta: string };
type Roteiro = (contexto: Parameters<Executor<Pausa>>[0], portao: Portao) => ReturnType<Executor<Pausa>>;

const ARQUIVO = { filename: 'output.txt', mediaType: 'text/plain' };
const TEXTO_EM_BASE64 = 'c2HDrWRh';

const produzir = (parts: Parameters<typeof artifact>[0]['parts']): Roteiro =>
  async function* () {
    yield working();
    yield artifact({ name: 'saida', parts });
    yield completed();
  };

/** O mais específico vem antes: `tck-artifact-file` também é prefixo de `tck-artifact-file-url`. */
const ROTEIROS: readonly (readonly [string, Roteiro])[] = [
  ['tck-artifact-text', produzir([{ text: 'Generated text content' }])],
  ['tck-artifact-file-url', produzir([{ url: 'https://example.com/output.txt', ...ARQUIVO }])],
  ['tck-artifact-file', produzir([{ raw: TEXTO_EM_BASE64, ...ARQUIVO }])],
  ['tck-artifact-data', produzir([{ data: { key: 'value', count: 42 } }])],
  [
    'tck-message-response',
    async function* () {
      yield resposta('Direct message response');
    },
  ],
  [
    'tck-input-required',
    async function* () {
      yield working();
      yield inputRequired('Qual?', { pergunta: 'Qual?' });
    },
  ],
  [
    'tck-reject-task',
    async function* () {
      yield working();
      yield rejected('rejected');
    },
  ],
  ['tck-stream-artifact-text', produzir([{ text: 'Streamed text content' }])],
  ['tck-stream-artifact-file', produzir([{ raw: TEXTO_EM_BASE64, ...ARQUIVO }])],
  [
    'tck-stream-artifact-chunked',
    async function* () {
      yield working();
      yield artifact({ artifactId: 'a', parts: [{ text: 'chunk-1 ' }] }, { append: false, lastChunk: false });
      yield artifact({ artifactId: 'a', parts: [{ text: 'chunk-2' }] }, { append: true, lastChunk: true });
      yield completed();
    },
  ],
  [
    'tck-stream-002',
    async function* () {
      yield working();
      yield completed();
    },
  ],
  ['tck-stream', produzir([{ text: 'Stream hello from TCK' }])],
  [
    'test-resubscribe-message-id',
    async function* () {
      yield working();
      await new Promise((pronto) => setTimeout(pronto, 4_000));
      yield completed();
    },
  ],
  [
    'prova-falha',
    async function* () {
      yield working();
      yield failed('não deu');
    },
  ],
  [
    'prova-lanca-antes',
    // biome-ignore lint/correctness/useYield: lançar antes de produzir qualquer coisa é o caso.
    async function* () {
      throw new Error('segredo interno em /caminho/do/servidor.ts');
    },
  ],
  [
    'prova-lanca',
    async function* () {
      yield working();
      throw new Error('segredo interno em /caminho/do/servidor.ts');
    },
  ],
  [
    'prova-acaba-sem-estado',
    async function* () {
      yield working();
    },
  ],
  ['prova-nada', async function* () {}],
  [
    'prova-resposta-vazia',
    async function* () {
      yield resposta([]);
    },
  ],
  [
    'prova-artifact-vazio',
    async function* () {
      yield working();
      yield artifact({ parts: [] });
      yield completed();
    },
  ],
  [
    'prova-resposta-tardia',
    async function* () {
      yield working();
      yield resposta('tarde demais');
    },
  ],
  [
    'prova-indisponivel',
    async function* () {
      yield working();
      throw new Indisponivel('O serviço de trás está fora do ar');
    },
  ],
  [
    'prova-fala',
    async function* () {
      yield working('começando');
      yield working('quase');
      yield completed('pronto');
    },
  ],
  [
    // Espera o portão; cancelada antes, para sem ter feito nada.
    'prova-espera',
    async function* ({ message, signal }, portao) {
      yield working();
      if (!(await portao.esperar(message.messageId, signal))) return yield canceled('parei a tempo');
      yield artifact({ name: 'feito', parts: [{ text: 'feito' }] });
      yield completed();
    },
  ],
  [
    // Já fez o que tinha de fazer: o cancelamento chega tarde.
    'prova-surda',
    async function* ({ message }, portao) {
      yield working();
      await portao.esperar(message.messageId);
      yield artifact({ name: 'feito', parts: [{ text: 'feito' }] });
      yield completed();
    },
  ],
  [
    'prova-pausa-surda',
    async function* ({ message }, portao) {
      yield working();
      await portao.esperar(message.messageId);
      yield inputRequired('Qual?', { pergunta: 'Qual?' });
    },
  ],
  [
    // Três pedaços, cada um quando o teste abrir `<messageId>/1`, `/2` e `/3`.
    'prova-pedacos',
    async function* ({ message: { messageId } }, portao) {
      yield working();
      for (const n of [1, 2, 3]) {
        await portao.esperar(`${messageId}/${n}`);
        yield artifact(
          { artifactId: 'texto', name: 'texto', parts: [{ text: `pedaço ${n}` }] },
          { append: n > 1, lastChunk: n === 3 },
        );
      }
      yield completed();
    },
  ],
  [
    'prova-contexto',
    async function* ({ acceptedOutputModes, metadata, pausa, message, task }) {
      yield working();
      const data = { acceptedOutputModes, metadata, pausa, message, estado: task.status.state };
      yield artifact({ parts: [{ data }] });
      yield completed();
    },
  ],
];

/** Sem prefixo conhecido: conclui, como o cenário `tck-complete-task`. */
const CONCLUIR: Roteiro = async function* () {
  yield working();
  yield completed('Hello from TCK');
};

/** O executor do agente de prova. */
export const executorDeProva =
  (portao: Portao): Executor<Pausa> =>
  (contexto) => {
    const { messageId } = contexto.message;
    const roteiro = ROTEIROS.find(([prefixo]) => messageId.startsWith(prefixo))?.[1] ?? CONCLUIR;
    return roteiro(contexto, portao);
  };

/** O card do agente de prova: declara tudo o que o núcleo faz. */
export function cardDeProva(url: string, mudancas: Partial<AgentCard> = {}): AgentCard {
  return {
    name: 'Agente de prova',
    description: 'Faz o que o prefixo do messageId manda.',
    version: '1.0.0',
    supportedInterfaces: [
      { url: `${url}/a2a`, protocolBinding: 'JSONRPC', protocolVersion: '1.0' },
      { url, protocolBinding: 'HTTP+JSON', protocolVersion: '1.0' },
    ],
    capabilities: { streaming: true, pushNotifications: false, extendedAgentCard: false },
    defaultInputModes: ['text/plain'],
    defaultOutputModes: ['text/plain', 'application/json'],
    skills: [
      {
        id: 'prova',
        name: 'Prova',
        description: 'Faz o que mandam.',
        tags: ['testes'],
        inputModes: ['text/plain', 'application/json', 'image/png', 'application/octet-stream'],
      },
    ],
    ...mudancas,
  };
}

/** Um agente de prova no ar, em HTTP. */
export interface AgenteDeProva {
  readonly url: string;
  readonly portao: Portao;
  /** As linhas de log. */
  readonly linhas: readonly string[];
  parar(): Promise<void>;
}

/** Sobe um agente de prova numa porta livre. */
export async function subirAgenteDeProva({
  card,
  porta = 0,
  ...opcoes
}: Partial<Omit<OpcoesDoServidorA2A<Pausa>, 'card'>> & {
  readonly card?: Partial<AgentCard>;
  readonly porta?: number;
} = {}): Promise<AgenteDeProva> {
  const portao = new Portao();
  const linhas: string[] = [];
  let fetch: (request: Request) => Promise<Response>;
  const servidor = await servir({ fetch: (request) => fetch(request) }, { porta, host: '127.0.0.1' });
  const url = `http://127.0.0.1:${servidor.porta}`;
  const agente = criarServidorA2A<Pausa>({
    executor: executorDeProva(portao),
    log: (evento, campos) => linhas.push(`${evento} ${JSON.stringify(campos)}`),
    ...opcoes,
    card: cardDeProva(url, card),
  });
  fetch = agente.fetch;
  return { url, portao, linhas, parar: () => servidor.parar() };
}
