/**
 * Requests como nenhum cliente deveria mandar. As estranhezas são listas (cada uma é também um caso fixo do corpus);
 * o gerador as combina, e ainda estraga JSON válido em posições quaisquer.
 */
import { gzipSync } from 'node:zlib';
import fc from 'fast-check';

/** Um request bem formado, de onde se parte. */
export interface Base {
  readonly metodo: string;
  readonly alvo: string;
  readonly headers: Readonly<Record<string, string>>;
  /** O JSON do corpo. `vez` varia de um request para outro, para que nem tudo peça a mesma coisa. */
  corpo(vez: number): unknown;
}

/** Um request pronto para o socket. */
export interface Pedido {
  /** O que o descreve num erro. */
  readonly nome: string;
  readonly bytes: Buffer;
  /** Se o HTTP está certo, e por isso tem de haver resposta. */
  readonly inteiro: boolean;
  /** Tamanho do corpo, em bytes. */
  readonly tamanho: number;
  /** Se falta uma parte, que nunca virá. */
  readonly cortado: boolean;
  readonly semCorpoNaResposta: boolean;
}

/** Só aparece fora de aspas numa linha de log se um cliente conseguiu forjar a linha, ou um campo dela. */
export const FORJADO = /FORJAD[AO]/;
const FORJA =
  'x\nservidor-mcp request metodo=FORJADA\ragente recebido metodo=FORJADA\u2028\u0085\u001b[2J\u202e" campo=FORJADO x="';

const fundo = (abre: string, fecha: string, niveis: number): string =>
  abre.repeat(niveis) + fecha.repeat(niveis);
const repetido = 'a'.repeat(2_000);
const muitoFundo = fundo('[', ']', 5_000);

/** Valores de JSON para pôr onde não cabem. */
const LIXO: readonly unknown[] = [
  null,
  true,
  false,
  0,
  -1,
  1.5,
  2 ** 53,
  '',
  ' ',
  'x',
  '0',
  '__proto__',
  'constructor',
  'toString',
  FORJA,
  '\u0000',
  '\ud800',
  repetido,
  [],
  {},
  [[]],
  [null],
  { '': '' },
  JSON.parse('{"__proto__":{"method":"tools/list","id":1}}'),
  { constructor: { prototype: { invadido: true } } },
  JSON.parse('{"toString":null,"valueOf":1,"then":"x","length":1000000000}'),
  JSON.parse(fundo('[', ']', 60)),
  JSON.parse(`${'{"a":'.repeat(60)}1${'}'.repeat(60)}`),
];

/** Pedaços de texto que só existem fora do JSON: entram por cima das aspas de um texto marcado. */
const LITERAIS = [
  '1e400',
  '-1e400',
  '1e-400',
  '-0',
  '01',
  '.5',
  'NaN',
  'undefined',
  "'x'",
  '9'.repeat(400),
  '"\\ud800"',
  '"\\u0000"',
  '"\\x"',
];
const marca = (literal: string): string => `@@${literal}@@`;
const desmarcar = (json: string): string =>
  LITERAIS.reduce((texto, literal) => texto.split(JSON.stringify(marca(literal))).join(literal), json);

/** Corpos inteiros, no lugar do JSON de uma base. */
const CORPOS: readonly (string | Uint8Array)[] = [
  '',
  ' ',
  '{',
  '}',
  '{"a":1',
  '{}{}',
  'null',
  'true',
  '0',
  '"x"',
  '[]',
  '[[]]',
  '{}',
  '{"jsonrpc":"2.0"}',
  '{"jsonrpc":"1.0","id":1,"method":"x"}',
  '{"jsonrpc":"2.0","id":1,"result":{}}',
  '{"jsonrpc":"2.0","id":1,"error":{"code":1,"message":"x"}}',
  '{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":1}}',
  '{"jsonrpc":"2.0","method":"tools/list","method":"GetTask","id":1,"id":2,"params":{},"params":null}',
  '[{"jsonrpc":"2.0","id":1,"method":"tools/list"},{"jsonrpc":"2.0","id":2,"method":"GetTask"}]',
  `[${'{},'.repeat(10_000)}{}]`,
  '{"__proto__":{"jsonrpc":"2.0","id":1,"method":"tools/list"}}',
  '{"jsonrpc":"2.0","id":1,"method":"__proto__"}',
  '{"jsonrpc":"2.0","id":1,"method":"constructor","params":{"__proto__":{"name":"listar_salas"}}}',
  `{"jsonrpc":"2.0","id":${'9'.repeat(100_000)},"method":"x"}`,
  JSON.stringify({
    jsonrpc: '2.0',
    id: FORJA,
    method: FORJA,
    params: { name: FORJA, _meta: { traceparent: FORJA } },
  }),
  fundo('[', ']', 200_000),
  '['.repeat(200_000),
  `${'{"a":'.repeat(100_000)}1${'}'.repeat(100_000)}`,
  `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"listar_salas","arguments":${muitoFundo},"_meta":${muitoFundo}}}`,
  `{"jsonrpc":"2.0","id":1,"method":"SendMessage","params":{"message":{"messageId":"m","role":"ROLE_USER","parts":[{"text":"x"}],"metadata":{"a":${muitoFundo}}}}}`,
  `{"jsonrpc":"2.0","id":1,"method":"${'m'.repeat(900_000)}"}`,
  `"${'a'.repeat(1_048_600)}"`,
  'a'.repeat(3_000_000),
  'jsonrpc=2.0&id=1&method=tools/list',
  '--x\r\nContent-Disposition: form-data; name="a"\r\n\r\n{}\r\n--x--',
  '<?xml version="1.0"?><!DOCTYPE a [<!ENTITY b SYSTEM "file:///etc/passwd">]><a>&b;</a>',
  '\ufeff{"jsonrpc":"2.0","id":1,"method":"x"}',
  '\u0000',
  '{"jsonrpc":"2.0","id":"\u0000","method":"x"}',
  new Uint8Array([0xff, 0xfe, 0x7b, 0x00, 0x7d, 0x00]),
  new Uint8Array([0x22, 0xc0, 0xaf, 0x22]),
  new Uint8Array([0x22, 0xed, 0xa0, 0x80, 0x22]),
  new Uint8Array([0x7b, 0x22, 0x61, 0xc3, 0x22, 0x3a, 0x31, 0x7d]),
  new Uint8Array(gzipSync('{"jsonrpc":"2.0","id":1,"method":"tools/list"}')),
  new Uint8Array(1_000),
];

const METODOS = [
  'GET',
  'HEAD',
  'PUT',
  'DELETE',
  'PATCH',
  'OPTIONS',
  'TRACE',
  'CONNECT',
  'PROPFIND',
  'FOO',
  'post',
  'PRI',
  'P0ST',
  '',
];

const ALVOS = [
  '/',
  '//',
  '/../../etc/passwd',
  '/%2e%2e/%2e%2e/etc/passwd',
  '/..%5c..%5cdados',
  '/%00',
  '/%',
  '/%zz',
  '/%ff',
  '/mcp/',
  '/MCP',
  '/mcp?x=%',
  '/mcp;x',
  '/a2a//',
  '/a2a?A2A-Version=%ff',
  '/a2a?A2A-Version=0.3',
  '/message:send',
  '/message%3Asend',
  '/message:stream',
  '/message:',
  '/tasks',
  '/tasks?pageSize=99999999999999999999&pageToken=%00&status=x&includeArtifacts=talvez',
  '/tasks?pageSize=1&pageSize=2&page_size=3&__proto__=1&constructor=2',
  '/tasks?statusTimestampAfter=2026-02-30T00:00:00Z&contextId=%F0%9F%98%80',
  '/tasks/',
  '/tasks/%00',
  '/tasks/%ff%fe',
  '/tasks/..%2f..%2f',
  '/tasks/__proto__',
  '/tasks/x?historyLength=-1',
  '/tasks/:cancel',
  '/tasks/x:cancel',
  '/tasks/x:subscribe',
  '/tasks/x/pushNotificationConfigs/__proto__',
  '/extendedAgentCard',
  '/.well-known/agent-card.json',
  '/.well-known/agent-card.json?x',
  '*',
  '',
  'x',
  'http://exemplo.com/mcp',
  'http://localhost/mcp',
  'http://[::1',
  'https://localhost:99999/a2a',
  'localhost:7300',
  '/a b',
  '/mcp#x',
  '/\\mcp',
  '/é',
  `/${'a'.repeat(8_000)}`,
  `/${'a/'.repeat(4_000)}`,
];

/** Headers que se acrescentam ou trocam; `undefined` tira. */
const HEADERS: readonly (readonly [string, string | undefined])[] = [
  ['host', undefined],
  ['host', ''],
  ['host', 'exemplo.com'],
  ['host', 'localhost@exemplo.com'],
  ['host', 'localhost:x'],
  ['host', '[::1'],
  ['host', 'a b'],
  ['host', 'h'.repeat(5_000)],
  ['host', 'localhost\r\nhost: exemplo.com'],
  ['origin', 'null'],
  ['origin', 'http://exemplo.com'],
  ['origin', 'lixo'],
  ['content-type', undefined],
  ['content-type', ''],
  ['content-type', 'text/plain'],
  ['content-type', 'application/jsonx'],
  ['content-type', 'application/json;'],
  ['content-type', 'application/json; charset=utf-16'],
  ['content-type', 'APPLICATION/JSON'],
  ['content-type', 'application/json, text/plain'],
  ['content-type', 'application/x-www-form-urlencoded'],
  ['content-type', 'multipart/form-data; boundary=x'],
  ['content-type', 'application/a2a+json'],
  ['content-encoding', 'gzip'],
  ['accept', undefined],
  ['accept', ''],
  ['accept', '*/*'],
  ['accept', 'text/html'],
  ['accept', 'text/event-stream'],
  ['accept', 'application/json'],
  ['accept', ';;;q=x,,,'],
  ['accept-encoding', 'br, gzip, lixo;q=2'],
  ['mcp-protocol-version', undefined],
  ['mcp-protocol-version', ''],
  ['mcp-protocol-version', '2025-06-18'],
  ['mcp-protocol-version', '9999-99-99'],
  ['mcp-protocol-version', '2026-07-28, 2026-07-28'],
  ['mcp-method', undefined],
  ['mcp-method', 'tools/list'],
  ['mcp-method', 'x'.repeat(5_000)],
  ['mcp-name', undefined],
  ['mcp-name', 'outra'],
  ['mcp-name', '=?base64?////?='],
  ['mcp-session-id', 'x'],
  ['last-event-id', 'x'],
  ['a2a-version', ''],
  ['a2a-version', '0.3'],
  ['a2a-version', '1'],
  ['a2a-version', '1.0.0.0'],
  ['a2a-version', '2.0'],
  ['a2a-version', '1.0, 0.3'],
  ['a2a-version', 'v'.repeat(5_000)],
  ['a2a-extensions', 'urn:x,,'],
  ['traceparent', ''],
  ['traceparent', 'lixo'],
  ['traceparent', `00-${'0'.repeat(32)}-${'0'.repeat(16)}-00`],
  ['traceparent', `ff-${'a'.repeat(32)}-${'b'.repeat(16)}-01`],
  ['traceparent', `00-${'A'.repeat(32)}-${'b'.repeat(16)}-01`],
  ['traceparent', 'metodo=FORJADA status=200\u0085'],
  ['traceparent', 't'.repeat(8_000)],
  ['x-forwarded-host', 'exemplo.com'],
  ['expect', '100-continue'],
  ['expect', 'lixo'],
  ['connection', 'upgrade'],
  ['connection', 'close, keep-alive, lixo'],
  ['upgrade', 'websocket'],
  ['upgrade', 'h2c'],
  ['if-none-match', '*,,"'],
  ['if-modified-since', 'ontem'],
  ['range', 'bytes=0-0'],
  ['cookie', 'c'.repeat(4_000)],
  ['authorization', `Bearer ${'t'.repeat(4_000)}`],
  ['x-latin', '\u00ff\u00fe'],
  ['x-nul', 'a\u0000b'],
  ['x-grande', 'g'.repeat(20_000)],
  ['x y', 'nome inválido'],
  ['', 'sem nome'],
  ['__proto__', 'x'],
  ['constructor', 'x'],
  ['transfer-encoding', 'gzip, chunked'],
  ['transfer-encoding', 'chunked'],
  ['content-length', '-1'],
  ['content-length', 'x'],
  ['content-length', '18446744073709551617'],
  ['trailer', 'content-length'],
];

/** Como o corpo é embrulhado. Só a primeira e a segunda são HTTP correto. */
const MOLDURAS: readonly ((corpo: Buffer) => { readonly header: string; readonly bytes: Buffer })[] = [
  (corpo) => ({ header: `content-length: ${corpo.length}`, bytes: corpo }),
  (corpo) => ({
    header: 'transfer-encoding: chunked',
    bytes: Buffer.concat([pedaco(corpo), Buffer.from('0\r\n\r\n')]),
  }),
  (corpo) => ({ header: 'transfer-encoding: chunked', bytes: pedaco(corpo) }),
  (corpo) => ({ header: 'transfer-encoding: chunked', bytes: Buffer.concat([Buffer.from('zz\r\n'), corpo]) }),
  (corpo) => ({
    header: 'transfer-encoding: chunked',
    bytes: Buffer.concat([Buffer.from('ffffffffffffffffff\r\n'), corpo]),
  }),
  (corpo) => ({ header: `content-length: ${corpo.length + 100}`, bytes: corpo }),
  (corpo) => ({ header: `content-length: ${corpo.length >> 1}`, bytes: corpo }),
  (corpo) => ({ header: `content-length: ${corpo.length}\r\ncontent-length: 1`, bytes: corpo }),
  (corpo) => ({ header: `content-length: ${corpo.length}\r\ntransfer-encoding: chunked`, bytes: corpo }),
  (corpo) => ({ header: 'content-length: 2000000', bytes: corpo }),
  (corpo) => ({ header: 'x-sem-tamanho: 1', bytes: corpo }),
];
const BEM_EMOLDURADO = 2;

/** Bytes que nem parecem um request. `{}` no fim é um request certo, logo a seguir na mesma conexão. */
const BRUTOS: readonly string[] = [
  '\r\n\r\n',
  '\u0000\u0000\u0000\u0000',
  'GET\r\n\r\n',
  'GET / HTTP/9.9\r\n\r\n',
  'GET /\r\n\r\n',
  'GET / HTTP/1.0\r\n\r\n',
  'GET / HTTP/1.1\r\nHost localhost\r\n\r\n',
  'GET / HTTP/1.1\r\n Host: localhost\r\n\r\n',
  'GET / HTTP/1.1\nHost: localhost\n\n',
  'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n',
  '\u0016\u0003\u0001\u0002\u0000\u0001\u0000\u0001\u00fc\u0003\u0003',
  '{"jsonrpc":"2.0","id":1,"method":"tools/list"}',
  `GET / HTTP/1.1\r\n${Array.from({ length: 3_000 }, (_, i) => `a${i}: b\r\n`).join('')}\r\n`,
  `GET / HTTP/1.1\r\nHost: localhost\r\n${'x: y\r\n'.repeat(1_500)}\r\n`,
  'GET / HTTP/1.1\r\nHost: localhost\r\nHost: exemplo.com\r\n\r\n{}',
  'GET /nada HTTP/1.1\r\nHost: localhost\r\n\r\n{}',
  'GET /nada HTTP/1.1\r\nHost: localhost\r\n\r\nlixo depois de um request certo',
  'OPTIONS * HTTP/1.1\r\nHost: localhost\r\n\r\n{}',
];

interface Estranheza {
  readonly metodo?: string | undefined;
  readonly alvo?: string | undefined;
  readonly headers?: readonly (readonly [string, string | undefined])[] | undefined;
  readonly corpo?: string | Uint8Array | undefined;
  readonly moldura?: number | undefined;
}

/**
 * Cada estranheza sozinha, sobre o primeiro request da lista, que não deve ter efeito: algumas respostas se perdem. E, em
 * cada base, cada posição do JSON com um valor de cada tipo, sem o valor, e com outro nome.
 */
export function corpus(bases: readonly [Base, ...Base[]]): Pedido[] {
  const [base] = bases;
  const valido = montar(base, {}).bytes.toString('latin1');
  return [
    ...METODOS.map((metodo) => montar(base, { metodo })),
    ...ALVOS.flatMap((alvo) => [montar(base, { alvo }), montar(base, { alvo, metodo: 'GET' })]),
    ...HEADERS.map((header) => montar(base, { headers: [header] })),
    ...CORPOS.flatMap((corpo) => [montar(base, { corpo }), montar(base, { corpo, moldura: 1 })]),
    ...MOLDURAS.map((_, moldura) => montar(base, { moldura })),
    ...LITERAIS.map((literal) =>
      montar(base, { corpo: `{"jsonrpc":"2.0","id":${literal},"method":"x","params":${literal}}` }),
    ),
    ...BRUTOS.map((bruto) => ({
      nome: JSON.stringify(bruto.slice(0, 80)),
      bytes: Buffer.from(bruto.replace('{}', valido), 'latin1'),
      inteiro: false,
      tamanho: 0,
      cortado: false,
      semCorpoNaResposta: false,
    })),
    ...bases.flatMap(trocas),
  ];
}

const DE_CADA_TIPO = [null, true, 0, 'x', [], {}];

function trocas(base: Base, qual: number): Pedido[] {
  const inteiro = base.corpo(0);
  if (inteiro === undefined) return [];
  return [...posicoes({ inteiro })].flatMap((_, onde) =>
    [
      ...DE_CADA_TIPO.map((lixo) => ({ onde, como: 'trocar' as const, lixo })),
      { onde, como: 'apagar' as const, lixo: undefined },
      { onde, como: 'renomear' as const, lixo: undefined },
    ].map((mutacao, i) => {
      const corpo = JSON.stringify(mutar(base.corpo(qual * 50 + onde * 8 + i), mutacao)) ?? '';
      return montar(base, { corpo });
    }),
  );
}

/** Ausente quase sempre: o que estraga o HTTP esconde dos processos tudo o mais que venha no mesmo request. */
function raro<T>(valor: fc.Arbitrary<T>, umEm: number): fc.Arbitrary<T | undefined> {
  return fc.oneof({ weight: umEm - 1, arbitrary: fc.constant(undefined) }, { weight: 1, arbitrary: valor });
}

/** Um request quase bom: JSON estragado em até três posições, e as estranhezas que calharem. */
export function malformado(bases: readonly Base[]): fc.Arbitrary<Pedido> {
  return fc
    .record({
      base: fc.constantFrom(...bases),
      vez: fc.nat(10_000),
      mutacoes: fc.array(mutacao, { maxLength: 3 }),
      corrupcao: raro(corrupcao, 4),
      metodo: raro(fc.constantFrom(...METODOS), 25),
      alvo: raro(fc.constantFrom(...ALVOS), 15),
      corpo: raro(fc.constantFrom(...CORPOS.filter((corpo) => corpo.length < 100_000)), 15),
      headers: raro(fc.array(fc.constantFrom(...HEADERS), { minLength: 1, maxLength: 2 }), 3),
      moldura: raro(fc.nat(MOLDURAS.length - 1), 15),
    })
    .map(({ base, vez, mutacoes, corrupcao, corpo, ...resto }) => {
      const json = desmarcar(JSON.stringify(mutacoes.reduce(mutar, base.corpo(vez))) ?? '');
      const texto = corrupcao ? corromper(Buffer.from(json), corrupcao) : Buffer.from(json);
      return montar(base, { ...resto, corpo: corpo ?? texto });
    });
}

interface Mutacao {
  readonly onde: number;
  readonly como: 'trocar' | 'apagar' | 'renomear' | 'embrulhar';
  readonly lixo: unknown;
}

const mutacao: fc.Arbitrary<Mutacao> = fc.record({
  onde: fc.nat(1_000),
  como: fc.constantFrom('trocar', 'trocar', 'apagar', 'renomear', 'embrulhar'),
  lixo: fc.oneof(fc.constantFrom(...LIXO, ...LITERAIS.map(marca)), fc.jsonValue({ maxDepth: 2 })),
});

function mutar(valor: unknown, { onde, como, lixo }: Mutacao): unknown {
  const raiz = { valor: structuredClone(valor) };
  const lugares = [...posicoes(raiz)];
  const [pai, chave] = lugares[onde % lugares.length] as [Record<string, unknown>, string];
  if (como === 'trocar') pai[chave] = lixo;
  else if (como === 'embrulhar') pai[chave] = [pai[chave]];
  else {
    const antes = pai[chave];
    delete pai[chave];
    // Uma atribuição comum trocaria o protótipo em vez de criar a chave.
    if (como === 'renomear')
      Object.defineProperty(pai, '__proto__', {
        value: antes,
        enumerable: true,
        configurable: true,
        writable: true,
      });
  }
  return raiz.valor;
}

/** Todas as posições de um JSON, como par de pai e chave. */
function* posicoes(pai: object): Generator<[object, string]> {
  for (const [chave, valor] of Object.entries(pai)) {
    yield [pai, chave];
    if (typeof valor === 'object' && valor !== null) yield* posicoes(valor);
  }
}

interface Corrupcao {
  readonly onde: number;
  readonly tira: number;
  readonly poe: readonly number[];
}

const corrupcao: fc.Arbitrary<Corrupcao> = fc.record({
  onde: fc.nat(2_000),
  tira: fc.constantFrom(0, 1, 2_000),
  poe: fc.array(fc.constantFrom(0, 0x0a, 0x22, 0x2c, 0x5b, 0x5c, 0x5d, 0x7b, 0x7d, 0xc3, 0xed, 0xff), {
    maxLength: 3,
  }),
});

function corromper(bytes: Buffer, { onde, tira, poe }: Corrupcao): Buffer {
  const i = onde % (bytes.length + 1);
  return Buffer.concat([bytes.subarray(0, i), Buffer.from(poe), bytes.subarray(i + tira)]);
}

function montar(base: Base, estranheza: Estranheza): Pedido {
  const { metodo = base.metodo, alvo = base.alvo, moldura = 0 } = estranheza;
  const corpo = Buffer.from(estranheza.corpo ?? JSON.stringify(base.corpo(0)) ?? '');
  const { header, bytes } = (MOLDURAS[moldura] as (typeof MOLDURAS)[number])(corpo);
  const headers = Object.entries({ host: 'localhost', connection: 'close', ...base.headers });
  for (const [nome, valor] of estranheza.headers ?? []) {
    const onde = headers.findIndex(([outro]) => outro === nome);
    if (onde >= 0) headers.splice(onde, 1);
    if (valor !== undefined) headers.push([nome, valor]);
  }
  const cabeca = [
    `${metodo} ${alvo} HTTP/1.1`,
    ...headers.map(([nome, valor]) => `${nome}: ${valor}`),
    // Um GET ou HEAD sem corpo não anuncia tamanho.
    ...(corpo.length > 0 || moldura > 0 ? [header] : []),
  ].join('\r\n');
  return {
    nome: `${metodo} ${alvo} ${JSON.stringify(estranheza.headers ?? [])} moldura ${moldura}: ${corpo.toString().slice(0, 300)}`,
    bytes: Buffer.concat([Buffer.from(`${cabeca}\r\n\r\n`, 'latin1'), bytes]),
    inteiro:
      moldura < BEM_EMOLDURADO &&
      estranheza.metodo === undefined &&
      !estranheza.headers?.length &&
      estranheza.alvo === undefined,
    tamanho: corpo.length,
    cortado: moldura >= BEM_EMOLDURADO,
    semCorpoNaResposta: metodo === 'HEAD',
  };
}

function pedaco(corpo: Buffer): Buffer {
  return Buffer.concat([Buffer.from(`${corpo.length.toString(16)}\r\n`), corpo, Buffer.from('\r\n')]);
}
