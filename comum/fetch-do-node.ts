/**
 * O `fetch` de saída no Node. O embutido clona o corpo de todo POST e monta três streams por chamada, que sobrevivem à
 * coleta de lixo rápida: era um quinto da CPU do agente e metade da memória dele. Este faz o mesmo com `node:http` no caso
 * de sempre (um texto por http) e entrega ao embutido todos os outros.
 */
import { Agent, type IncomingMessage, request } from 'node:http';
import { Readable } from 'node:stream';
import type { ReadableStream } from 'node:stream/web';

/** Menos do que um servidor de Node espera antes de fechar uma conexão ociosa: assim ele não a fecha no meio de um envio. */
const OCIOSA_MS = 4_000;

/** Com um destes, um `Response` não aceita corpo (Fetch, null body status). */
const STATUS_SEM_CORPO = new Set([204, 205, 304]);

const conexoes = new Agent({ keepAlive: true, timeout: OCIOSA_MS });

/**
 * Como o `fetch` padrão, mas um redirecionamento volta como veio (o SDK de MCP, que é quem o chama, cuida deles).
 * @throws {TypeError} se não se chegou ao servidor ou a resposta veio pela metade; o motivo de `init.signal`, se ele
 * disparar antes de a resposta chegar.
 */
export async function fetchDoNode(url: string | URL, init: RequestInit = {}): Promise<Response> {
  const { method = 'GET', headers, body, signal } = init;
  const destino = new URL(url);
  if (destino.protocol !== 'http:' || typeof body !== 'string') return fetch(url, init);
  signal?.throwIfAborted();

  return new Promise((pronto, falhou) => {
    const naoChegou = (cause: unknown): void => falhou(new TypeError('fetch failed', { cause }));
    const opcoes = { agent: conexoes, method, headers: Object.fromEntries(new Headers(headers)) };
    const pedido = request(destino, opcoes, (resposta) => lerResposta(resposta).then(pronto, naoChegou));
    const abortar = (): void => {
      falhou(signal?.reason);
      pedido.destroy();
    };
    signal?.addEventListener('abort', abortar);
    pedido.on('close', () => signal?.removeEventListener('abort', abortar));
    pedido.on('error', naoChegou);
    pedido.end(body);
  });
}

async function lerResposta(resposta: IncomingMessage): Promise<Response> {
  const { statusCode: status = 0, statusMessage: statusText = '', headersDistinct } = resposta;
  const headers = Object.entries(headersDistinct).flatMap(([nome, valores = []]) =>
    valores.map((valor): [string, string] => [nome, valor]),
  );
  const opcoes = { status, statusText, headers };
  if (STATUS_SEM_CORPO.has(status)) {
    resposta.resume();
    return new Response(null, opcoes);
  }
  // Um JSON só serve inteiro. O resto (eventos SSE) chega aos poucos.
  return resposta.headers['content-type']?.startsWith('application/json')
    ? responseDeTexto(await lerTexto(resposta), opcoes)
    : new Response(Readable.toWeb(resposta) as ReadableStream as BodyInit, opcoes);
}

/** Ler o corpo de um Response passa por um stream, mesmo quando ele é um texto que já está aqui. */
function responseDeTexto(texto: string, opcoes: ResponseInit): Response {
  return Object.defineProperties(new Response(texto, opcoes), {
    text: { value: async () => texto },
    json: { value: async () => JSON.parse(texto) },
  });
}

function lerTexto(resposta: IncomingMessage): Promise<string> {
  return new Promise((pronto, falhou) => {
    let texto = '';
    resposta.setEncoding('utf8');
    resposta.on('data', (pedaco: string) => {
      texto += pedaco;
    });
    // Como o `fetch` padrão: um BOM não é parte do texto.
    resposta.on('end', () => pronto(texto.replace(/^\uFEFF/, '')));
    resposta.on('error', falhou);
  });
}
