/**
 * O lado de dentro do agente: host MCP (spec 2026-07-28, Streamable HTTP), sem sessão e sem responder perguntas.
 * O `input_required` chega cru a quem chamou; é a ponte que decide o que fazer com ele.
 */
import {
  type CallToolResult,
  Client,
  type DiscoverResult,
  INTERNAL_ERROR,
  type InputRequiredResult,
  type InputResponses,
  isInputRequiredResult,
  ProtocolError,
  SdkError,
  SdkErrorCode,
  type Tool,
} from '@modelcontextprotocol/client';
import { type Traceparent, traceparentFilho } from '../comum/traceparent.ts';
import { TransporteMcp } from './transporte-mcp.ts';

const VERSAO_DO_MCP = '2026-07-28';
/** Quantas vezes seguidas um servidor pode pedir só "volte com este estado", sem perguntar nada. */
const VOLTAS_SEM_PERGUNTA = 5;

/** Um `tools/call`. Os dois últimos campos só existem num retry, e o `requestState` nunca é aberto aqui. */
export interface ChamadaDeFerramenta {
  readonly ferramenta: string;
  readonly argumentos: Readonly<Record<string, unknown>>;
  readonly inputResponses?: InputResponses | undefined;
  readonly requestState?: string | undefined;
}

/** O que a ponte usa de um servidor MCP. Todo request leva um traceparent filho de `trace`. */
export interface HostMcp {
  /** As ferramentas publicadas; do cache enquanto valer o `ttlMs` que o servidor declarou. */
  ferramentas(trace: Traceparent): Promise<readonly Tool[]>;
  /** O texto de um resource; do cache enquanto valer o `ttlMs`. */
  lerRecurso(uri: string, trace: Traceparent): Promise<string>;
  /** Chama, ou repete a chamada com as respostas: cada vez é um request independente, com id novo. */
  chamar(chamada: ChamadaDeFerramenta, trace: Traceparent): Promise<CallToolResult | InputRequiredResult>;
}

/** O servidor MCP entendeu e recusou, com um erro de JSON-RPC. */
export class RecusadoPeloServidorMcp extends Error {
  override name = 'RecusadoPeloServidorMcp';
  readonly codigo: number;
  constructor(codigo: number, mensagem: string) {
    super(mensagem);
    this.codigo = codigo;
  }
}

/** Não se chegou ao servidor MCP, ou o que voltou não é MCP. A mensagem pode ir para o cliente. */
export class ServidorMcpIndisponivel extends Error {
  override name = 'ServidorMcpIndisponivel';
}

/** Configuração do host. */
export interface OpcoesDoHostMcp {
  readonly nome: string;
  readonly versao: string;
  /** O endpoint do servidor MCP. */
  readonly url: string;
  /** Quanto esperar por cada resposta, em ms. */
  readonly tempoLimiteMs: number;
  /** Como chegar ao servidor: o `fetch` global, um service binding, ou um handler em memória. */
  readonly fetch?: ((url: string | URL, init?: RequestInit) => Promise<Response>) | undefined;
}

/**
 * Cria o host. Nada é enviado aqui; um servidor fora do ar só é notado na primeira chamada, e a seguinte tenta de novo.
 * Todos os métodos lançam `RecusadoPeloServidorMcp` ou `ServidorMcpIndisponivel`.
 */
export function criarHostMcp({ nome, versao, url, tempoLimiteMs, fetch }: OpcoesDoHostMcp): HostMcp {
  // Um só Client para sempre: é ele que numera os requests, e um retry não pode repetir o id do original.
  let conectado: Promise<Client> | undefined;
  return criarHostSobre(() => {
    conectado ??= conectarSemSessao(nome, versao, new TransporteMcp(new URL(url), fetch));
    return conectado;
  }, tempoLimiteMs);
}

/**
 * Cria o host sobre um Client do SDK, seja qual for a revisão que ele negociou.
 * @param cliente dá, a cada request, o Client já conectado.
 * @param tempoLimiteMs quanto esperar por cada resposta.
 */
export function criarHostSobre(cliente: () => Promise<Client>, tempoLimiteMs: number): HostMcp {
  const opcoes = { timeout: tempoLimiteMs };
  const comTrace = (trace: Traceparent) => ({ _meta: { traceparent: traceparentFilho(trace) } });

  return {
    ferramentas: (trace) =>
      traduzindo(async () => (await (await cliente()).listTools(comTrace(trace), opcoes)).tools),

    lerRecurso: (uri, trace) =>
      traduzindo(async () => {
        const { contents } = await (await cliente()).readResource({ uri, ...comTrace(trace) }, opcoes);
        return contents.map((conteudo) => ('text' in conteudo ? conteudo.text : '')).join('');
      }),

    chamar: (chamada, trace) =>
      traduzindo(async () => {
        const { ferramenta: name, argumentos } = chamada;
        let { inputResponses, requestState } = chamada;
        for (let volta = 0; volta < VOLTAS_SEM_PERGUNTA; volta++) {
          const params = {
            name,
            arguments: { ...argumentos },
            ...comTrace(trace),
            ...(inputResponses && { inputResponses }),
            ...(requestState !== undefined && { requestState }),
          };
          // `request`, e não `callTool`: este tentaria validar o input_required contra o outputSchema.
          const resultado = await (await cliente()).request(
            { method: 'tools/call', params },
            { ...opcoes, allowInputRequired: true },
          );
          if (!isInputRequiredResult(resultado) || perguntaAlgo(resultado)) return resultado;
          // Sem pergunta não há o que mostrar ao cliente: volta-se só com o estado, como a spec manda.
          ({ requestState } = resultado);
          inputResponses = undefined;
        }
        throw new ServidorMcpIndisponivel('O servidor MCP pede para voltar depois, sem fim');
      }),
  };
}

/** O que se supõe de um servidor a quem ainda não se perguntou nada. */
const DISCOVER_SUPOSTO: DiscoverResult = {
  resultType: 'complete',
  supportedVersions: [VERSAO_DO_MCP],
  capabilities: { tools: {}, resources: {} },
};

/**
 * Sem sessão não há aperto de mão: a versão é a que este host fala, e vai em cada request. Declará-la aqui evita um
 * `server/discover` que prenderia o host ao estado do servidor na hora de subir; se ele não a falar, recusa com -32022.
 * @param discover o que o servidor já disse de si, para quem perguntou. Nada é enviado aqui.
 */
export async function conectarSemSessao(
  name: string,
  version: string,
  transporte: TransporteMcp,
  discover: DiscoverResult = DISCOVER_SUPOSTO,
): Promise<Client> {
  const cliente = new Client(
    { name, version },
    {
      capabilities: { elicitation: { form: {} } },
      versionNegotiation: { mode: { pin: VERSAO_DO_MCP } },
      // Sem isto o SDK responderia a elicitation sozinho, e a Task nunca pausaria.
      inputRequired: { autoFulfill: false },
    },
  );
  await cliente.connect(transporte, { prior: { kind: 'modern', discover } });
  return cliente;
}

function perguntaAlgo({ inputRequests = {} }: InputRequiredResult): boolean {
  return Object.keys(inputRequests).length > 0;
}

async function traduzindo<T>(fazer: () => Promise<T>): Promise<T> {
  try {
    return await fazer();
  } catch (erro) {
    if (erro instanceof ServidorMcpIndisponivel) throw erro;
    // O texto de uma falha interna é do servidor, e pode trazer o que não interessa a quem está do lado de fora.
    if (erro instanceof ProtocolError && erro.code === INTERNAL_ERROR) {
      throw new ServidorMcpIndisponivel('O servidor MCP falhou ao atender: tente de novo daqui a pouco');
    }
    if (erro instanceof ProtocolError) throw new RecusadoPeloServidorMcp(erro.code, erro.message);
    if (erro instanceof SdkError && erro.code === SdkErrorCode.RequestTimeout) {
      throw new ServidorMcpIndisponivel(
        'O servidor MCP não respondeu a tempo, e não se sabe se o pedido foi executado',
      );
    }
    throw new ServidorMcpIndisponivel(
      erro instanceof SdkError
        ? 'O servidor MCP devolveu uma resposta que não é MCP'
        : 'O servidor MCP está fora do ar: tente de novo daqui a pouco',
    );
  }
}
