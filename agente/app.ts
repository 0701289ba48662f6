/** O agente de salas inteiro: host MCP por dentro, servidor A2A por fora, e a ponte entre os dois. */
import { criarLog, type Escrever } from '../comum/log.ts';
import type { Manipulador } from '../comum/manipulador.ts';
import type { TaskStore } from './a2a/registro.ts';
import { criarServidorA2A } from './a2a/servidor.ts';
import { cardDeSalas, NOME_DO_HOST, VERSAO_DO_AGENTE } from './card-de-salas.ts';
import { criarHostMcp } from './host-mcp.ts';
import { criarPonte, type Pausa } from './ponte.ts';
import { dialetoDeSalas } from './salas.ts';

/** Tudo o que o agente precisa saber do mundo. */
export interface ConfiguracaoDoAgente {
  /** Base pública do agente, como vai no card; sem barra no fim. */
  readonly urlPublica: string;
  /** Endpoint do servidor MCP. */
  readonly urlDoMcp: string;
  /** Quanto esperar por cada resposta MCP, em ms. */
  readonly tempoLimiteMs: number;
  /** Onde escrever cada linha de log. */
  readonly escrever: Escrever;
  /** Como chegar ao servidor MCP. Padrão: o `fetch` do runtime. */
  readonly fetch?: ((url: string | URL, init?: RequestInit) => Promise<Response>) | undefined;
  readonly hostsPermitidos?: readonly string[] | undefined;
  /** Onde as Tasks moram. Padrão: em memória. */
  readonly armazem?: TaskStore<Pausa> | undefined;
  /** Relógio, em ms. */
  readonly agora?: (() => number) | undefined;
}

/** Monta o agente. Não fala com ninguém até chegar o primeiro request. */
export function criarAgente(config: ConfiguracaoDoAgente): Manipulador {
  const host = criarHostMcp({
    nome: NOME_DO_HOST,
    versao: VERSAO_DO_AGENTE,
    url: config.urlDoMcp,
    tempoLimiteMs: config.tempoLimiteMs,
    fetch: config.fetch,
  });
  return criarServidorA2A({
    card: cardDeSalas(config.urlPublica),
    executor: criarPonte(host, dialetoDeSalas),
    log: criarLog('agente', config.escrever),
    armazem: config.armazem,
    agora: config.agora,
    hostsPermitidos: config.hostsPermitidos,
    // A ponte faz alguns requests MCP por mensagem, e é o limite de cada um que deve valer, não este.
    prazoDeTrabalhoMs: Math.max(120_000, 10 * config.tempoLimiteMs),
  });
}
