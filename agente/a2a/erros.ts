/** Os erros da A2A 1.0 (spec §3.3.2, §5.4, §9.5, §11.6), um só objeto para os dois bindings. */
import type * as z from 'zod';

/** Um item de `data` (JSON-RPC) ou `details` (HTTP+JSON): sempre com `@type`. */
export type Detalhe = { readonly '@type': string } & Readonly<Record<string, unknown>>;

/** Um erro que o cliente vê. `codigo` é o do JSON-RPC; `http` e `status` são os do binding HTTP+JSON. */
export class ErroA2A extends Error {
  override name = 'ErroA2A';
  readonly codigo: number;
  readonly http: number;
  readonly status: string;
  readonly detalhes: readonly Detalhe[];

  constructor(
    codigo: number,
    http: number,
    status: string,
    mensagem: string,
    detalhes: readonly Detalhe[] = [],
  ) {
    super(mensagem);
    this.codigo = codigo;
    this.http = http;
    this.status = status;
    this.detalhes = detalhes;
  }
}

/**
 * O agente não conseguiu trabalhar agora, e a culpa não é do pedido.
 * Lançado por um executor que respondia a uma pausa, devolve a Task exatamente ao que era antes da mensagem:
 * o cliente recebe este erro e pode mandar a mesma mensagem de novo. Numa Task nova, ela termina em FAILED.
 */
export class Indisponivel extends ErroA2A {
  override name = 'Indisponivel';
  /** Se o trabalho pode ter sido feito mesmo assim: até se saber, a Task não pode ser cancelada. */
  readonly emDuvida: boolean;
  constructor(mensagem: string, { emDuvida = false } = {}) {
    super(-32603, 503, 'UNAVAILABLE', mensagem, [infoDeErro('UNAVAILABLE')]);
    this.emDuvida = emDuvida;
  }
}

/** -32001: a Task não existe, ou já foi descartada. */
export const taskNaoEncontrada = (taskId: string): ErroA2A =>
  erroDaSpec(-32001, 404, 'NOT_FOUND', 'TASK_NOT_FOUND', 'Task não encontrada: confira o id', { taskId });

/** -32002: a Task já terminou, ou terminou enquanto o cancelamento era tentado. */
export const taskNaoCancelavel = (taskId: string, estado: string): ErroA2A =>
  erroDaSpec(
    -32002,
    400,
    'FAILED_PRECONDITION',
    'TASK_NOT_CANCELABLE',
    `A Task não pode mais ser cancelada: está em ${estado}`,
    { taskId, state: estado },
  );

/** -32002: uma resposta anterior pode ter sido executada, e cancelar diria que não foi. */
export const taskEmDuvida = (taskId: string, estado: string): ErroA2A =>
  erroDaSpec(
    -32002,
    400,
    'FAILED_PRECONDITION',
    'TASK_NOT_CANCELABLE',
    'Não se sabe se a última resposta foi executada: mande-a de novo para saber, e então cancele se ainda couber',
    { taskId, state: estado },
  );

/** -32003: o card não declara push notifications. */
export const pushNaoSuportado = (): ErroA2A =>
  erroDaSpec(
    -32003,
    400,
    'FAILED_PRECONDITION',
    'PUSH_NOTIFICATION_NOT_SUPPORTED',
    'Este agente não manda push notifications: acompanhe a Task com GetTask',
  );

/** -32004: operação que o card não declara, ou que o estado da Task não permite. */
export const operacaoNaoSuportada = (mensagem: string, metadata?: Record<string, string>): ErroA2A =>
  erroDaSpec(-32004, 400, 'FAILED_PRECONDITION', 'UNSUPPORTED_OPERATION', mensagem, metadata);

/** -32005: tipo de mídia que o agente não lê. */
export const conteudoNaoSuportado = (mediaType: string, aceitos: readonly string[]): ErroA2A =>
  erroDaSpec(
    -32005,
    400,
    'INVALID_ARGUMENT',
    'CONTENT_TYPE_NOT_SUPPORTED',
    `Tipo de mídia não suportado; aceitos: ${aceitos.join(', ')}`,
    { mediaType, supported: aceitos.join(', ') },
  );

/** -32007: o card declara o card estendido, mas não há um configurado. */
export const cardEstendidoNaoConfigurado = (): ErroA2A =>
  erroDaSpec(
    -32007,
    400,
    'FAILED_PRECONDITION',
    'EXTENDED_AGENT_CARD_NOT_CONFIGURED',
    'Este agente não tem card estendido configurado',
  );

/** -32008: o card exige extensões que o cliente não declarou em `A2A-Extensions`. */
export const extensaoExigida = (uris: readonly string[]): ErroA2A =>
  erroDaSpec(
    -32008,
    400,
    'FAILED_PRECONDITION',
    'EXTENSION_SUPPORT_REQUIRED',
    `Este agente exige extensões: declare-as no header A2A-Extensions: ${uris.join(', ')}`,
    { required: uris.join(', ') },
  );

/** -32009: versão da A2A que não falamos. */
export const versaoNaoSuportada = (pedida: string, aceita: string): ErroA2A =>
  erroDaSpec(
    -32009,
    400,
    'FAILED_PRECONDITION',
    'VERSION_NOT_SUPPORTED',
    `Versão da A2A não suportada: este agente fala ${aceita} (header A2A-Version: ${aceita})`,
    { requested: pedida, supported: aceita },
  );

/** -32700: o corpo não é JSON. */
export const jsonInvalido = (motivo: string): ErroA2A => new ErroA2A(-32700, 400, 'INVALID_ARGUMENT', motivo);

/** -32600: o JSON não é um request. */
export const requestInvalido = (motivo: string): ErroA2A =>
  new ErroA2A(-32600, 400, 'INVALID_ARGUMENT', motivo);

/** -32601: método que não existe. */
export const metodoDesconhecido = (): ErroA2A =>
  new ErroA2A(
    -32601,
    404,
    'NOT_FOUND',
    'Método desconhecido: a A2A 1.0 usa nomes como SendMessage, GetTask, ListTasks e CancelTask',
  );

/** 405: o endereço existe, mas não com este método HTTP. */
export const metodoHttpErrado = (permitidos: readonly string[]): ErroA2A =>
  new ErroA2A(-32600, 405, 'UNIMPLEMENTED', `Método HTTP não permitido aqui: use ${permitidos.join(' ou ')}`);

/** -32603: falha nossa. O motivo real só vai para o log. */
export const erroInterno = (): ErroA2A => new ErroA2A(-32603, 500, 'INTERNAL', 'Erro interno do agente');

/** -32602 com um `BadRequest` que nomeia cada campo. */
export function parametrosInvalidos(violacoes: readonly { field: string; description: string }[]): ErroA2A {
  const resumo = violacoes.map(({ field, description }) =>
    field ? `${field}: ${description}` : description,
  );
  return new ErroA2A(-32602, 400, 'INVALID_ARGUMENT', `Parâmetros inválidos: ${resumo.join('; ')}`, [
    { '@type': 'type.googleapis.com/google.rpc.BadRequest', fieldViolations: violacoes },
  ]);
}

/** Traduz as queixas do zod em `fieldViolations`, com caminhos como `message.parts[0]`. */
export function parametrosInvalidosDoZod(erro: z.ZodError): ErroA2A {
  return parametrosInvalidos(
    erro.issues.slice(0, 20).map(({ path, message }) => ({
      field: path.reduce<string>(
        (caminho, passo) =>
          typeof passo === 'number'
            ? `${caminho}[${passo}]`
            : caminho
              ? `${caminho}.${String(passo)}`
              : String(passo),
        '',
      ),
      description: message,
    })),
  );
}

function erroDaSpec(
  codigo: number,
  http: number,
  status: string,
  reason: string,
  mensagem: string,
  metadata?: Record<string, string>,
): ErroA2A {
  return new ErroA2A(codigo, http, status, mensagem, [infoDeErro(reason, metadata)]);
}

function infoDeErro(reason: string, metadata?: Record<string, string>): Detalhe {
  return {
    '@type': 'type.googleapis.com/google.rpc.ErrorInfo',
    reason,
    domain: 'a2a-protocol.org',
    ...(metadata && { metadata }),
  };
}
