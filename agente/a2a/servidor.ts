/** Um servidor A2A inteiro: card, os dois bindings, a guarda e o log, em volta de um executor. */
import { type Context, Hono } from 'hono';
import { LIMITE_DO_CORPO } from '../../comum/corpo.ts';
import { HOSTS_LOCAIS, motivoDeRecusa } from '../../comum/guarda.ts';
import type { Campos, Log } from '../../comum/log.ts';
import type { ContextoDeExecucao, Manipulador } from '../../comum/manipulador.ts';
import { ArmazemEmMemoria } from './armazem-em-memoria.ts';
import { type Atendimento, criarAtendimento } from './atendimento.ts';
import { type AgentCard, CAMINHO_DO_CARD, publicarCard } from './card.ts';
import { ErroA2A, metodoHttpErrado } from './erros.ts';
import type { Executor } from './executor.ts';
import { emStatus, rotasHttpJson } from './http-json.ts';
import { atenderJsonRpc, emErro } from './jsonrpc.ts';
import { criarOperacoes } from './operacoes.ts';
import type { TaskStore } from './registro.ts';

/** Tudo o que um servidor A2A precisa saber; só `card`, `executor` e `log` não têm padrão. */
export interface OpcoesDoServidorA2A<P> {
  /** Quem o agente é e o que faz; é ele que decide as operações e os tipos de mídia aceitos. */
  readonly card: AgentCard;
  /** O card a publicar agora, se as skills mudam com o tempo (o mesmo objeto enquanto não mudam). Padrão: `card`. */
  readonly lerCard?: (() => Promise<AgentCard>) | undefined;
  readonly executor: Executor<P>;
  readonly log: Log;
  /** Assina o card que vai ser publicado (assinatura.ts). Padrão: publica-o como está. */
  readonly assinar?: ((card: AgentCard) => Promise<AgentCard>) | undefined;
  /** Padrão: em memória, com teto. */
  readonly armazem?: TaskStore<P> | undefined;
  /** Relógio, em ms. Padrão: `Date.now`. */
  readonly agora?: (() => number) | undefined;
  /** Nomes aceitos em Host e Origin. Padrão: os locais. */
  readonly hostsPermitidos?: readonly string[] | undefined;
  /** Teto do corpo, em bytes. */
  readonly limiteDoCorpo?: number | undefined;
  /** Quanto tempo (ms) um trabalho fica sem dar notícia antes de ser dado por morto. Padrão: 2 minutos. */
  readonly prazoDeTrabalhoMs?: number | undefined;
  /** Quantas mensagens o histórico de uma Task guarda. Padrão: 200. */
  readonly maximoDeMensagens?: number | undefined;
  /** Caminho do binding JSON-RPC. */
  readonly caminhoJsonRpc?: string | undefined;
}

type Linha = Record<string, Campos[string]>;
type Ambiente = { Bindings: ContextoDeExecucao; Variables: { linha: Linha } };

/**
 * Monta o servidor. O card manda: o que ele não declara responde o erro que a spec dá a quem pede.
 * @throws {TypeError} se o card promete push notifications, que este núcleo não manda.
 */
export function criarServidorA2A<P>(opcoes: OpcoesDoServidorA2A<P>): Manipulador {
  const { card, log, executor } = opcoes;
  if (card.capabilities.pushNotifications) throw new TypeError('este núcleo não manda push notifications');
  const agora = opcoes.agora ?? Date.now;
  const hosts = opcoes.hostsPermitidos ?? HOSTS_LOCAIS;
  const jsonRpc = opcoes.caminhoJsonRpc ?? '/a2a';
  const operacoes = criarOperacoes(card, {
    executor,
    agora,
    armazem: opcoes.armazem ?? new ArmazemEmMemoria<P>(agora),
    prazoDeTrabalhoMs: opcoes.prazoDeTrabalhoMs ?? 120_000,
    maximoDeMensagens: opcoes.maximoDeMensagens ?? 200,
    aoFalhar: (erro, taskId) =>
      log('falha-interna', { task: taskId, motivo: String(erro instanceof Error ? erro.stack : erro) }),
  });
  const responderCard = publicarCard(opcoes.lerCard ?? (() => card), agora, opcoes.assinar);

  const atender = (c: Context): Atendimento => {
    const contexto = (c as Context<Ambiente>).env;
    const waitUntil = (trabalho: Promise<unknown>): void => contexto.waitUntil?.(trabalho);
    const chamada = { headers: c.req.raw.headers, waitUntil };
    return criarAtendimento(
      chamada,
      opcoes.limiteDoCorpo ?? LIMITE_DO_CORPO,
      (c as Context<Ambiente>).get('linha'),
      log,
    );
  };

  const app = new Hono<Ambiente>();
  app.use(async (c, next) => {
    const linha: Linha = {
      http: c.req.method,
      caminho: c.req.path,
      traceparent: c.req.header('traceparent'),
    };
    c.set('linha', linha);
    const recusa = motivoDeRecusa(c.req.raw, hosts);
    if (recusa) c.res = recusar(c, jsonRpc, new ErroA2A(-32600, 403, 'PERMISSION_DENIED', recusa));
    else await next();
    log('recebido', { ...linha, status: c.res.status });
  });
  app.get(CAMINHO_DO_CARD, (c) => responderCard(c.req.raw));
  for (const caminho of [jsonRpc, `${jsonRpc}/`]) {
    app.post(caminho, (c) => atenderJsonRpc(c, operacoes, atender(c)));
  }
  for (const [caminho, allow] of [
    [jsonRpc, ['POST']],
    [`${jsonRpc}/`, ['POST']],
    [CAMINHO_DO_CARD, ['GET', 'HEAD']],
  ] as const) {
    app.all(caminho, (c) => {
      const resposta = recusar(c, jsonRpc, metodoHttpErrado(allow));
      resposta.headers.set('allow', allow.join(', '));
      return resposta;
    });
  }
  if (card.supportedInterfaces.some(({ protocolBinding }) => protocolBinding === 'HTTP+JSON')) {
    app.route('/', rotasHttpJson(operacoes, atender));
  }
  app.notFound((c) =>
    recusar(
      c,
      jsonRpc,
      new ErroA2A(-32601, 404, 'NOT_FOUND', `Nada neste endereço: veja o card em ${CAMINHO_DO_CARD}`),
    ),
  );
  app.onError((erro, c) => recusar(c, jsonRpc, atender(c).traduzir(erro)));

  return {
    fetch: async (request, contexto) => app.fetch(request, contexto ?? {}),
  };
}

/** No caminho do JSON-RPC todo erro fala JSON-RPC; no resto, google.rpc.Status. */
function recusar(c: Context, jsonRpc: string, erro: ErroA2A): Response {
  return [jsonRpc, `${jsonRpc}/`].includes(c.req.path) ? emErro(erro, null, erro.http) : emStatus(c, erro);
}
