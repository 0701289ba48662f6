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
  /** O servidor esqueceu a sessão: nada do que se mandar por aqui será atendido. */
  perdida: boolean;
  readonly encerrar: () => Promise<void>;
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
  const host = criarHostSobre(async () => (await conexao()).client, opcoes.tempoLimiteMs);

  /** Um request recusado por falta de sessão não foi executado: pode ser repetido, uma vez, numa sessão nova. */
  const insistir = async <T>(fazer: () => Promise<T>): Promise<T> => {
    const usada = conexao();
    try {
      return await fazer();
    } catch (erro) {
      if (!(await usada).perdida) throw erro;
      // De vários que descobrem juntos, só o primeiro abre outra.
      if (atual === usada) atual = undefined;
      return await fazer();
    }
  };

  return {
    ferramentas: (trace) => insistir(() => host.ferramentas(trace)),
    lerRecurso: (uri, trace) => insistir(() => host.lerRecurso(uri, trace)),
    chamar: (chamada, trace) => insistir(() => host.chamar(chamada, trace)),
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
  let perdida = (): void => {};
  const transporte = new StreamableHTTPClientTransport(endereco, {
    fetch: async (alvo, init) => {
      const resposta = await fetch(alvo, init);
      // Uns servidores dizem 404, como manda a spec de 2025 (Session Management), e outros 400.
      if (init?.method === 'POST' && (resposta.status === 404 || resposta.status === 400)) perdida();
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
    return { client: semSessao, perdida: false, encerrar: () => semSessao.close() };
  }
  const conexao: Conexao = {
    client,
    perdida: false,
    async encerrar() {
      await transporte.terminateSession().catch(() => undefined);
      await client.close();
    },
  };
  perdida = () => {
    conexao.perdida = true;
  };
  return conexao;
}
