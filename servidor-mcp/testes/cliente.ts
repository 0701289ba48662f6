/** Um cliente MCP escrito à mão, para poder errar de propósito o que um cliente de verdade acerta. */
import assert from 'node:assert/strict';
import type { Manipulador } from '../../comum/manipulador.ts';

/** A revisão do protocolo. */
export const VERSAO = '2026-07-28';

/** As chaves obrigatórias de `_meta`, com a elicitation em form mode declarada. */
export const META = {
  'io.modelcontextprotocol/protocolVersion': VERSAO,
  'io.modelcontextprotocol/clientCapabilities': { elicitation: { form: {} } },
};

/** O conflito dos dados iniciais: res-0001 ocupa a sala-garagem. */
export const GARAGEM_OCUPADA = {
  sala: 'sala-garagem',
  inicio: '2026-11-03T14:00:00-03:00',
  fim: '2026-11-03T15:00:00-03:00',
  responsavel: 'Marty',
};

/** Um resultado de MCP, com os campos que os testes olham. */
export interface Resultado {
  readonly resultType: string;
  readonly isError?: boolean;
  readonly content: readonly { readonly type: string; readonly text: string }[];
  readonly structuredContent?: Readonly<Record<string, unknown>>;
  readonly inputRequests: Readonly<
    Record<string, { method: string; params: { mode: string; message: string; requestedSchema: Esquema } }>
  >;
  readonly requestState: string;
  readonly [outro: string]: unknown;
}

interface Esquema {
  readonly properties: { readonly sala: { readonly enum: readonly string[] } };
}

/** Para onde vão os requests: a URL de um processo, ou o handler em memória. */
export type Alvo = string | Manipulador;

/** Uma resposta HTTP com o corpo lido. */
export interface Resposta {
  readonly status: number;
  readonly headers: Headers;
  readonly texto: string;
  readonly id: unknown;
  readonly erro:
    | { readonly code: number; readonly message: string; readonly data?: Record<string, unknown> }
    | undefined;
  readonly resultado: Resultado | undefined;
}

/** Manda um corpo qualquer, com os headers dados por cima dos de costume; `null` tira um header. */
export async function enviar(
  alvo: Alvo,
  corpo: string | Uint8Array<ArrayBuffer> | Readonly<Record<string, unknown>> | readonly unknown[],
  headers: Readonly<Record<string, string | null>> = {},
): Promise<Resposta> {
  const enviados = new Headers({
    'content-type': 'application/json',
    accept: 'application/json, text/event-stream',
    'mcp-protocol-version': VERSAO,
  });
  for (const [nome, valor] of Object.entries(headers)) {
    if (valor === null) enviados.delete(nome);
    else enviados.set(nome, valor);
  }
  const cru = typeof corpo === 'string' || corpo instanceof Uint8Array;
  const pedido = { method: 'POST', headers: enviados, body: cru ? corpo : JSON.stringify(corpo) };
  const resposta =
    typeof alvo === 'string'
      ? await fetch(alvo, pedido)
      : await alvo.fetch(new Request('http://localhost/mcp', pedido));
  const texto = await resposta.text();
  const lido = texto === '' ? {} : (JSON.parse(texto) as Record<string, unknown>);
  // Nada do lado de dentro pode aparecer em resposta nenhuma.
  assert.doesNotMatch(texto, /node_modules|\.ts\b|\.js\b|\n\s+at |\/work\/|\/home\/|TypeError|SyntaxError/);
  return {
    status: resposta.status,
    headers: resposta.headers,
    texto,
    id: lido.id,
    erro: lido.error as Resposta['erro'],
    resultado: lido.result as Resposta['resultado'],
  };
}

let proximoId = 1;

/** Manda um request bem formado, com os headers que espelham o corpo. */
export function chamar(
  alvo: Alvo,
  method: string,
  params: Record<string, unknown> = {},
  headers: Readonly<Record<string, string | null>> = {},
): Promise<Resposta> {
  const nome = params.name ?? params.uri;
  return enviar(
    alvo,
    { jsonrpc: '2.0', id: proximoId++, method, params: { _meta: META, ...params } },
    { 'mcp-method': method, ...(typeof nome === 'string' && { 'mcp-name': nome }), ...headers },
  );
}

/** Chama uma ferramenta e exige um resultado, e não um erro de protocolo. */
export async function ferramenta(
  alvo: Alvo,
  name: string,
  args: Record<string, unknown>,
  resto: Record<string, unknown> = {},
): Promise<Resultado> {
  const { resultado, erro } = await chamar(alvo, 'tools/call', { name, arguments: args, ...resto });
  assert.ok(resultado, `esperava um resultado, veio ${JSON.stringify(erro)}`);
  return resultado;
}

/** Pede uma reserva que conflita e devolve a pergunta. */
export async function pausar(alvo: Alvo, args: Record<string, unknown> = GARAGEM_OCUPADA): Promise<Pergunta> {
  const resultado = await ferramenta(alvo, 'reservar_sala', args);
  assert.equal(resultado.resultType, 'input_required');
  const chaves = Object.keys(resultado.inputRequests);
  assert.equal(chaves.length, 1);
  const chave = chaves[0] as string;
  return {
    args,
    chave,
    requestState: resultado.requestState,
    alternativas: resultado.inputRequests[chave]?.params.requestedSchema.properties.sala.enum ?? [],
  };
}

/** Uma pergunta em aberto. */
export interface Pergunta {
  readonly args: Record<string, unknown>;
  readonly chave: string;
  readonly requestState: string;
  readonly alternativas: readonly string[];
}

/** Responde a uma pergunta: `resposta` é o valor da chave em inputResponses. Outros campos de `params` vão em `resto`. */
export function responder(
  alvo: Alvo,
  { args, chave, requestState }: Pergunta,
  resposta: unknown,
  resto: Record<string, unknown> = {},
): Promise<Resposta> {
  return chamar(alvo, 'tools/call', {
    name: 'reservar_sala',
    arguments: args,
    inputResponses: { [chave]: resposta },
    requestState,
    ...resto,
  });
}

/** A resposta que aceita uma sala. */
export const aceitar = (sala: unknown): unknown => ({ action: 'accept', content: { sala } });
