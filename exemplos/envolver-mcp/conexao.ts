/**
 * Como chegar a um servidor MCP de qualquer revisão. A 2026-07-28 não tem sessão, e a ponte funciona inteira; nas de
 * 2025 há um aperto de mão e, quase sempre, uma sessão, que pode se perder.
 */
import { Client, type Implementation, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import {
  conectarSemSessao,
  criarHostSobre,
  type HostMcp,
  ServidorMcpIndisponivel,
} from '../../agente/host-mcp.ts';
import { TransporteMcp } from '../../agente/transporte-mcp.ts';

/** Configuração da conexão. */
export interface OpcoesDaConexao {
  readonly nome: string;
  readonly versao: string;
  /** O endpoint Streamable HTTP do servidor MCP. */
  readonly url: string;
  /** Quanto esperar por cada resposta, em ms. */
  readonly tempoLimiteMs: number;
  /** Como chegar ao servidor. Padrão: o `fetch` do runtime. */
  readonly fetch?: ((url: string | URL, init?: RequestInit) => Promise<Response>) | undefined;
}

/** Um host que negocia a revisão na primeira chamada, e de novo se a sessão se perder. */
export interface HostNegociado extends HostMcp {
  /** Como o servidor se apresenta, se ele se apresenta. @throws {ServidorMcpIndisponivel} */
  servidor(): Promise<Implementation | undefined>;
  /** Encerra a sessão, se houver uma. */
  fechar(): Promise<void>;
}

interface Conexao {
  readonly client: Client;
  /** O host sobre este Client: um request começa e termina na mesma sessão. */
  readonly host: HostMcp;
  /** Requests em curso: uma conexão trocada por outra só é encerrada quando o último deles terminar. */
  emCurso: number;
  readonly encerrar: () => Promise<void>;
}

/** Este request foi recusado porque o servidor não conhece a sessão, antes de ser executado. */
class SessaoPerdida extends ServidorMcpIndisponivel {
  override name = 'SessaoPerdida';
}

/** Cria o host. Nada é enviado até a primeira chamada. */
export function criarHostNegociado(opcoes: OpcoesDaConexao): HostNegociado {
  let atual: Promise<Conexao> | undefined;
  const conexao = (): Promise<Conexao> => {
    atual ??= negociar(opcoes).catch((erro) => {
      atual = undefined;
      throw erro;
    });
    return atual;
  };

  const usar = async <T>(qual: Promise<Conexao>, fazer: (host: HostMcp) => Promise<T>): Promise<T> => {
    const usada = await qual;
    usada.emCurso += 1;
    try {
      return await fazer(usada.host);
    } catch (erro) {
      // De vários que descobrem juntos, só o primeiro abre outra.
      if (erro instanceof SessaoPerdida && atual === qual) atual = undefined;
      throw erro;
    } finally {
      usada.emCurso -= 1;
      if (atual !== qual && usada.emCurso === 0) void usada.encerrar();
    }
  };

  /**
   * Só o request que foi recusado por falta de sessão é repetido, e uma vez: um que falhou de outro modo pode ter sido
   * executado, mesmo que a sessão dele já não exista.
   */
  const insistir = async <T>(fazer: (host: HostMcp) => Promise<T>): Promise<T> => {
    try {
      return await usar(conexao(), fazer);
    } catch (erro) {
      if (!(erro instanceof SessaoPerdida)) throw erro;
      return usar(conexao(), fazer);
    }
  };

  return {
    ferramentas: (trace) => insistir((host) => host.ferramentas(trace)),
    lerRecurso: (uri, trace) => insistir((host) => host.lerRecurso(uri, trace)),
    chamar: (chamada, trace) => insistir((host) => host.chamar(chamada, trace)),
    servidor: async () => (await conexao()).client.getServerVersion(),
    async fechar() {
      await (await atual?.catch(() => undefined))?.encerrar();
    },
  };
}

async function negociar({
  nome,
  versao,
  url,
  tempoLimiteMs,
  fetch = globalThis.fetch,
}: OpcoesDaConexao): Promise<Conexao> {
  const endereco = new URL(url);
  const transporte = new StreamableHTTPClientTransport(endereco, {
    fetch: async (alvo, init) => {
      const resposta = await fetch(alvo, init);
      if (await recusouASessao(init, resposta)) {
        throw new SessaoPerdida('O servidor MCP esqueceu a sessão: tente de novo daqui a pouco');
      }
      return resposta;
    },
  });
  // Sem elicitation: num servidor de 2025 a pergunta voltaria por uma conexão viva, que este host não mantém.
  const client = new Client(
    { name: nome, version: versao },
    { capabilities: {}, versionNegotiation: { mode: 'auto' }, inputRequired: { autoFulfill: false } },
  );
  try {
    await client.connect(transporte, { timeout: tempoLimiteMs });
  } catch (erro) {
    await client.close();
    // Sem a URL: isto chega ao cliente A2A, que não tem de saber onde está o servidor MCP.
    throw new ServidorMcpIndisponivel('O servidor MCP está fora do ar, ou não fala uma revisão conhecida', {
      cause: erro,
    });
  }

  const discover = client.getDiscoverResult();
  if (discover) {
    await client.close();
    const semSessao = await conectarSemSessao(nome, versao, new TransporteMcp(endereco, fetch), discover);
    return emConexao(semSessao, tempoLimiteMs, () => semSessao.close());
  }
  return emConexao(client, tempoLimiteMs, async () => {
    await transporte.terminateSession().catch(() => undefined);
    await client.close();
  });
}

function emConexao(client: Client, tempoLimiteMs: number, encerrar: () => Promise<void>): Conexao {
  return { client, host: criarHostSobre(async () => client, tempoLimiteMs), emCurso: 0, encerrar };
}

/** O que dizem da sessão os servidores que respondem 400, e não o 404 que a spec de 2025 manda (Session Management). */
const FALTA_A_SESSAO =
  /\b(?:no|not|missing|invalid|unknown|expired)\b.{0,30}\bsession\b|\bsession\b.{0,30}\b(?:not|missing|invalid|unknown|expired|required)\b/i;

async function recusouASessao(init: RequestInit | undefined, resposta: Response): Promise<boolean> {
  const { status } = resposta;
  if (init?.method !== 'POST' || !new Headers(init.headers).has('mcp-session-id')) return false;
  return status === 404 || (status === 400 && FALTA_A_SESSAO.test(await resposta.clone().text()));
}
