/** O binding HTTP+JSON (spec §11): as mesmas operações, em URLs de recurso, com erros em google.rpc.Status. */
import { type Context, Hono } from 'hono';
import { lerJson } from '../../comum/corpo.ts';
import type { Atendimento } from './atendimento.ts';
import { conteudoNaoSuportado, ErroA2A, jsonInvalido, metodoHttpErrado, requestInvalido } from './erros.ts';
import { ehJson } from './jsonrpc.ts';
import type { NomeDeOperacao, Operacoes } from './operacoes.ts';
import { responderEventos } from './sse.ts';
import { conferirVersao } from './versao.ts';

type Params = Record<string, unknown>;
type LerParams = (c: Context, atendimento: Atendimento) => Params | Promise<Params>;

const CONFIGS = '/tasks/:taskId/pushNotificationConfigs';

/** Um id seguido de um verbo; há clientes que codificam o segmento inteiro, dois-pontos incluídos. */
const comVerbo = (verbo: string): string => `/tasks/:id{[^/]+(?::|%3[Aa])${verbo}}`;

/** Cada endereço, e a operação de cada método HTTP (spec §11.3; os verbos `:x` antes do id sozinho). */
const ROTAS: readonly (readonly [string, Readonly<Record<string, readonly [NomeDeOperacao, LerParams]>>])[] =
  [
    ['/message:send', { POST: ['SendMessage', doCorpo] }],
    ['/message:stream', { POST: ['SendStreamingMessage', doCorpo] }],
    ['/tasks', { GET: ['ListTasks', daQuery] }],
    [comVerbo('cancel'), { POST: ['CancelTask', doCorpoSeHouver] }],
    // O proto diz GET e a prosa da spec (§11.3.2) diz POST.
    [comVerbo('subscribe'), { GET: ['SubscribeToTask', daQuery], POST: ['SubscribeToTask', daQuery] }],
    ['/tasks/:id', { GET: ['GetTask', daQuery] }],
    [
      CONFIGS,
      {
        GET: ['ListTaskPushNotificationConfigs', daQuery],
        POST: ['CreateTaskPushNotificationConfig', daQuery],
      },
    ],
    [
      `${CONFIGS}/:id`,
      {
        GET: ['GetTaskPushNotificationConfig', daQuery],
        DELETE: ['DeleteTaskPushNotificationConfig', daQuery],
      },
    ],
    ['/extendedAgentCard', { GET: ['GetExtendedAgentCard', daQuery] }],
  ];

/**
 * As rotas do binding, para montar na raiz ou sob um prefixo.
 * @param atender cria o atendimento (log, limites, tradução de erros) de cada request.
 */
export function rotasHttpJson(operacoes: Operacoes, atender: (c: Context) => Atendimento): Hono {
  const rotas = new Hono();
  const responder = async (c: Context, nome: NomeDeOperacao, lerParams: LerParams): Promise<Response> => {
    const atendimento = atender(c);
    try {
      atendimento.anotar({ metodo: nome });
      conferirVersao(c.req.raw);
      const params = { ...(await lerParams(c, atendimento)), ...doCaminho(c) };
      const resultado = await operacoes[nome](params, atendimento.chamada);
      if ('json' in resultado) return responderJson(c, resultado.json);
      return responderEventos(c, resultado.stream, (evento) => evento);
    } catch (erro) {
      return emStatus(c, atendimento.traduzir(erro));
    }
  };
  for (const [caminho, metodos] of ROTAS) {
    for (const [metodo, [nome, lerParams]] of Object.entries(metodos)) {
      rotas.on(metodo, caminho, (c) => responder(c, nome, lerParams));
    }
    const allow = Object.keys(metodos).flatMap((metodo) => (metodo === 'GET' ? ['GET', 'HEAD'] : [metodo]));
    rotas.all(caminho, (c) =>
      emStatus(c, atender(c).traduzir(metodoHttpErrado(allow)), { allow: allow.join(', ') }),
    );
  }
  return rotas;
}

/** Uma resposta de erro no formato google.rpc.Status (spec §11.6). */
export function emStatus(c: Context, erro: ErroA2A, headers: Record<string, string> = {}): Response {
  const { http: code, status, message, detalhes: details } = erro;
  return responderJson(c, { error: { code, status, message, details } }, { status: code, headers });
}

const MIDIA = 'application/a2a+json';

/** O tipo próprio da A2A (spec §11.1, SHOULD) a quem mostra que o conhece; a quem não mostra, o que todos leem. */
function responderJson(
  c: Context,
  corpo: unknown,
  { status = 200, headers = {} }: { status?: number; headers?: Record<string, string> } = {},
): Response {
  const conhece = [c.req.header('accept'), c.req.header('content-type')].some((tipo) =>
    tipo?.includes(MIDIA),
  );
  return Response.json(corpo, {
    status,
    headers: { ...headers, 'content-type': conhece ? MIDIA : 'application/json' },
  });
}

async function doCorpo(c: Context, atendimento: Atendimento): Promise<Params> {
  if (!ehJson(c.req.header('content-type'))) {
    throw conteudoNaoSuportado(c.req.header('content-type') ?? '', ['application/json', MIDIA]);
  }
  const corpo = await lerJson(c.req.raw, atendimento.limiteDoCorpo);
  if ('falha' in corpo) {
    throw corpo.falha === 'grande'
      ? new ErroA2A(-32600, 413, 'OUT_OF_RANGE', corpo.motivo)
      : jsonInvalido(corpo.motivo);
  }
  if (typeof corpo.valor !== 'object' || corpo.valor === null || Array.isArray(corpo.valor)) {
    throw requestInvalido('O corpo deve ser um objeto JSON');
  }
  return corpo.valor as Params;
}

/** Um POST sem corpo não precisa de Content-Type: o cliente oficial cancela assim. */
async function doCorpoSeHouver(c: Context, atendimento: Atendimento): Promise<Params> {
  const { headers } = c.req.raw;
  const vazio = !headers.has('transfer-encoding') && Number(headers.get('content-length') ?? 0) === 0;
  return vazio ? {} : doCorpo(c, atendimento);
}

/** Números chegam como texto, que o modelo aceita; o booleano tem de ser traduzido aqui (spec §11.5). */
function daQuery(c: Context): Params {
  const params: Params = { ...c.req.query() };
  for (const campo of ['includeArtifacts', 'include_artifacts']) {
    if (params[campo] === 'true' || params[campo] === 'false') params[campo] = params[campo] === 'true';
  }
  return params;
}

/** O id da Task, sem o verbo; vale mais que o do corpo ou da query. */
function doCaminho(c: Context): Params {
  const { id, ...resto } = c.req.param();
  return id === undefined ? resto : { ...resto, id: id.replace(/:(cancel|subscribe)$/, '') };
}
