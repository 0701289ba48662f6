/** Conta o que passa entre cliente, agente e servidor MCP, uma linha por passo, em três colunas. */
import type { Task } from '../../agente/a2a/modelo.ts';

/** Um corpo JSON-RPC do lado MCP, request ou resposta, com o que o narrador sabe contar. */
export interface CorpoMcp {
  readonly id?: string | number;
  readonly method?: string;
  readonly params?: Retomada & {
    readonly name?: string;
    readonly uri?: string;
    readonly arguments?: unknown;
    readonly _meta?: { readonly traceparent?: string };
  };
  readonly result?: Retomada & {
    readonly resultType?: string;
    readonly isError?: boolean;
    readonly tools?: readonly { readonly name: string }[];
    readonly contents?: readonly { readonly text?: string }[];
    readonly content?: readonly { readonly text?: string }[];
    readonly structuredContent?: Readonly<Record<string, unknown>>;
    readonly inputRequests?: unknown;
  };
  readonly error?: { readonly code: number; readonly message: string };
}

interface Retomada {
  readonly inputResponses?: unknown;
  readonly requestState?: string;
}

/** Cada método conta um passo. */
export interface Narrador {
  titulo(texto: string): void;
  /** Uma linha fora da sequência. */
  nota(texto: string): void;
  pedidoA2A(texto: string, taskId: string | undefined): void;
  respostaA2A(task: Task): void;
  pedidoMcp(corpo: CorpoMcp): void;
  respostaMcp(corpo: CorpoMcp): void;
  /** A Task mudou de estado no agente; `requestState` é o que ficou guardado ao lado dela, se ficou. */
  estado(task: Task, requestState: string | undefined): void;
}

/** @param escrever recebe cada linha, sem quebra no fim. */
export function criarNarrador(escrever: (linha: string) => void): Narrador {
  // Nunca se mostra um requestState; que ele volta sem mudar vê-se por ser o mesmo número.
  const lacres: string[] = [];
  const lacre = (requestState: string): string => {
    if (!lacres.includes(requestState)) lacres.push(requestState);
    return `requestState #${lacres.indexOf(requestState) + 1} <lacrado, ${requestState.length} bytes>`;
  };
  const passo = (colunas: string, texto: string): void => escrever(`  ${colunas.padEnd(37)}${texto}`);

  return {
    titulo: (texto) => escrever(`\n${texto}`),
    nota: (texto) => escrever(`  ${texto}`),

    pedidoA2A: (texto, taskId) =>
      passo('cliente ──▶ agente', `SendMessage${taskId ? ` taskId=${curto(taskId)}` : ''} "${texto}"`),

    respostaA2A: ({ id, status, artifacts }) => {
      passo('cliente ◀── agente', `Task ${curto(id)} ${status.state} "${textoDe(status.message?.parts)}"`);
      for (const { name, parts } of artifacts) {
        passo('cliente ◀── agente', `artifact ${name}: ${textoDe(parts)}`);
      }
    },

    pedidoMcp: ({ id, method, params = {} }) => {
      const { name, uri, inputResponses, requestState, _meta } = params;
      const chamada = [method, name ?? uri].filter(Boolean).join(' ');
      const [, trace, span] = _meta?.traceparent?.split('-') ?? [];
      passo(
        '            agente ──▶ servidor MCP',
        `${chamada} id=${id} trace=${curto(trace)} span=${curto(span)}`,
      );
      if (requestState === undefined) return;
      passo('', `com inputResponses ${JSON.stringify(inputResponses)} e ${lacre(requestState)}`);
    },

    respostaMcp: ({ id, result, error }) => {
      const contado = error ? `erro ${error.code}: ${error.message}` : contarResultado(result ?? {}, lacre);
      passo('            agente ◀── servidor MCP', `id=${id} ${contado}`);
    },

    estado: ({ id, status }, requestState) => {
      const guardado = requestState === undefined ? '' : `; guardado ao lado dela: ${lacre(requestState)}`;
      passo('            agente', `Task ${curto(id)} ${status.state}${guardado}`);
    },
  };
}

function contarResultado(
  result: NonNullable<CorpoMcp['result']>,
  lacre: (requestState: string) => string,
): string {
  const { resultType, isError, tools, contents, content, structuredContent, inputRequests, requestState } =
    result;
  if (tools) return tools.map(({ name }) => name).join(', ');
  if (contents) return `"${contents[0]?.text?.split('\n')[0]} …"`;
  if (requestState !== undefined) {
    return `${resultType}: ${JSON.stringify(opcoes(inputRequests))} e ${lacre(requestState)}`;
  }
  if (isError) return `${resultType}, isError: "${textoDe(content)}"`;
  const { reservado, reserva, sala, motivo } = structuredContent ?? {};
  return `${resultType}: ${JSON.stringify({ reservado, reserva, sala, motivo })}`;
}

/** De cada pergunta, só a chave e as salas que ela oferece. */
function opcoes(inputRequests: unknown): Record<string, readonly string[] | undefined> {
  const perguntas = inputRequests as Record<
    string,
    { params?: { requestedSchema?: { properties?: { sala?: { enum?: readonly string[] } } } } }
  >;
  return Object.fromEntries(
    Object.entries(perguntas).map(([chave, { params }]) => [
      chave,
      params?.requestedSchema?.properties?.sala?.enum,
    ]),
  );
}

function textoDe(parts: readonly { readonly text?: string | undefined }[] = []): string {
  return parts.map(({ text }) => text ?? '').join(' ');
}

function curto(id = ''): string {
  return id.length > 8 ? `${id.slice(0, 8)}…` : id;
}
