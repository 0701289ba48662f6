/** O servidor MCP como um handler de fetch: o que acontece com um request HTTP antes e depois do SDK. */
import { createMcpHandler, isJsonContentType, ProtocolErrorCode } from '@modelcontextprotocol/server';
import { Hono } from 'hono';
import { ErroDeConfiguracao } from '../comum/ambiente.ts';
import { lerJson } from '../comum/corpo.ts';
import { HOSTS_LOCAIS, motivoDeRecusa } from '../comum/guarda.ts';
import { type Campos, criarLog, type Escrever } from '../comum/log.ts';
import type { Manipulador } from '../comum/manipulador.ts';
import { type Agenda, criarAgendaEmMemoria, type Reserva } from './agenda.ts';
import { erroDeEnvelope, erroDeParametros } from './envelope.ts';
import { type Atendimento, criarFabrica } from './fabrica.ts';
import { ehRequest, respostaDeErro } from './jsonrpc.ts';
import { lerVersaoDaPolitica } from './politica.ts';
import { criarCadastro, type Sala } from './salas.ts';
import { criarSelo } from './selo.ts';

/** Tudo que o servidor recebe de fora. */
export interface ConfiguracaoDoServidorMcp {
  /** dados/salas.json. */
  readonly salas: readonly Sala[];
  /** dados/reservas.json; não é usado se `agenda` vier. */
  readonly reservas: readonly Reserva[];
  /** dados/politica-de-uso.md, inteiro. */
  readonly politica: string;
  /** Segredos do requestState, de ao menos 32 bytes cada: o primeiro sela, todos abrem. */
  readonly segredos: readonly string[];
  /** Validade de um requestState. Padrão: 900. */
  readonly ttlSegundos?: number;
  /** Relógio, em ms desde 1970. Padrão: `Date.now`. */
  readonly agora?: () => number;
  /** Para onde vão as linhas de log. */
  readonly log: Escrever;
  /** Nomes aceitos em Host e Origin. Padrão: os locais. */
  readonly hostsPermitidos?: readonly string[];
  /** Outra agenda no lugar da que fica em memória. */
  readonly agenda?: Agenda;
}

/** Código para o que o JSON-RPC não prevê (MCP usa -32000 para recusas do transporte). */
const RECUSA_HTTP = -32000;

/** Uma assinatura aberta prende uma conexão. Como nada aqui muda, o SDK as encerra logo; o teto é para se isso mudar. */
const MAXIMO_DE_ASSINATURAS = 16;

/**
 * Cria o servidor MCP (Streamable HTTP, revisão 2026-07-28, só em `/mcp`).
 * @throws {ErroDeConfiguracao} se as reservas iniciais ou a política não estiverem na forma esperada.
 */
export function criarServidorMcp(config: ConfiguracaoDoServidorMcp): Manipulador {
  const { ttlSegundos = 900, agora = Date.now, hostsPermitidos = HOSTS_LOCAIS } = config;
  const log = criarLog('servidor-mcp', config.log);
  const versaoDaPolitica = lerVersaoDaPolitica(config.politica);
  if (!versaoDaPolitica) throw new ErroDeConfiguracao('A primeira linha da política não declara a versão');

  const atendimentos = new WeakMap<Request, Atendimento>();
  const mcp = createMcpHandler(
    criarFabrica({
      cadastro: criarCadastro(config.salas),
      agenda: config.agenda ?? criarAgendaEmMemoria(config.reservas, agora),
      selo: criarSelo(config.segredos, ttlSegundos, agora),
      politica: config.politica,
      versaoDaPolitica,
      ttlSegundos,
      agora,
      log,
      atendimentoDe: (request) => request && atendimentos.get(request),
    }),
    { legacy: 'reject', maxSubscriptions: MAXIMO_DE_ASSINATURAS },
  );

  const app = new Hono<{ Variables: { mensagem?: Campos } }>();

  app.use(async (c, next) => {
    await next();
    log('request', {
      ...(c.var.mensagem ?? { http: c.req.method, caminho: c.req.path }),
      requestStateRecusado: atendimentos.get(c.req.raw)?.recusa,
      status: c.res.status,
    });
  });

  app.use(async (c, next) => {
    const motivo = motivoDeRecusa(c.req.raw, hostsPermitidos);
    return motivo ? respostaDeErro(403, { code: RECUSA_HTTP, message: motivo }) : next();
  });

  app.post('/mcp', async (c) => {
    const request = c.req.raw;
    // O SDK responde 415 sem olhar o corpo; lê-lo antes trocaria a resposta.
    if (!isJsonContentType(request.headers.get('content-type'))) return mcp.fetch(request);

    const lido = await lerJson(request);
    if ('falha' in lido) {
      return lido.falha === 'grande'
        ? respostaDeErro(413, { code: RECUSA_HTTP, message: lido.motivo })
        : respostaDeErro(400, { code: ProtocolErrorCode.ParseError, message: lido.motivo });
    }
    const corpo = lido.valor;
    c.set('mensagem', camposDaMensagem(corpo));
    if (ehRequest(corpo)) {
      const { id, method, params } = corpo;
      const erro = erroDeEnvelope(method, params) ?? erroDeParametros(method, params);
      if (erro) return respostaDeErro(400, erro, id);
      atendimentos.set(request, { params });
    }
    return mcp.fetch(request, { parsedBody: corpo });
  });

  app.all('/mcp', () => {
    const resposta = respostaDeErro(405, { code: RECUSA_HTTP, message: 'Método não permitido: use POST' });
    resposta.headers.set('Allow', 'POST');
    return resposta;
  });

  app.notFound(() =>
    respostaDeErro(404, { code: RECUSA_HTTP, message: 'Não encontrado: o endpoint MCP é /mcp' }),
  );

  app.onError((erro) => {
    log('falha', { erro: String(erro) });
    return respostaDeErro(500, {
      code: ProtocolErrorCode.InternalError,
      message: 'Falha interna do servidor',
    });
  });

  return { fetch: async (request) => app.fetch(request) };
}

/** O que se registra de uma mensagem recebida, tenha ela a forma que tiver. Nunca os argumentos nem o requestState. */
function camposDaMensagem(corpo: unknown): Campos {
  const { method, id, params } = objeto(corpo);
  const { name, uri, _meta } = objeto(params);
  const { traceparent } = objeto(_meta);
  return {
    metodo: texto(method) ?? null,
    id: typeof id === 'number' ? id : (texto(id) ?? null),
    nome: texto(name) ?? texto(uri),
    traceparent: texto(traceparent),
  };
}

function objeto(valor: unknown): Record<string, unknown> {
  return typeof valor === 'object' && valor !== null ? (valor as Record<string, unknown>) : {};
}

function texto(valor: unknown): string | undefined {
  return typeof valor === 'string' ? valor : undefined;
}
