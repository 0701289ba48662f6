/** O adaptador de Node: liga um handler de fetch a portas TCP. */
import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setFlagsFromString } from 'node:v8';
import { getRequestListener, RequestError } from '@hono/node-server';
import { PRAZO_DO_REQUEST_MS } from './ambiente.ts';
import type { Escrever } from './log.ts';
import type { Manipulador } from './manipulador.ts';
import { type Escutar, type Onde, type ServidorNoAr, servirEm } from './processo.ts';

/** Destino das linhas de log. */
export const escreverNoStderr: Escrever = (linha) => {
  process.stderr.write(`${linha}\n`);
};

/**
 * Quanto, em %, o heap cresce entre duas coletas completas. O padrão do V8 chega a quadruplicar: numa máquina grande são
 * centenas de MB de lixo. Vai aqui e não na linha de comando, onde qualquer opção do V8 invalida o cache de código do
 * próprio Node e atrasa cada partida.
 */
const CRESCIMENTO_DO_HEAP = 20;

/** @see servirEm */
export function servir(manipulador: Manipulador, onde: Onde): Promise<ServidorNoAr> {
  setFlagsFromString(`--heap-growing-percent=${CRESCIMENTO_DO_HEAP}`);
  return servirEm(escutarCom(onde.prazoDoRequestMs ?? PRAZO_DO_REQUEST_MS), manipulador, onde);
}

function escutarCom(prazoDoRequestMs: number): Escutar {
  const prazoDosHeadersMs = Math.ceil(prazoDoRequestMs / 3);
  const prazos = {
    requestTimeout: prazoDoRequestMs,
    headersTimeout: prazoDosHeadersMs,
    // O Node só confere os prazos de tanto em tanto tempo, e o padrão dele, 30 s, é mais do que eles.
    connectionsCheckingInterval: Math.ceil(prazoDosHeadersMs / 4),
  };

  return async (fetch, host, port) => {
    const emAndamento = new Set<ServerResponse>();
    let parando = false;
    const atender = getRequestListener(fetch, { errorHandler: responderFalha });
    const servidor = createServer(prazos, (request, resposta) => {
      if (parando) {
        resposta.writeHead(503, { connection: 'close' }).end();
        return;
      }
      emAndamento.add(resposta);
      resposta.once('close', () => emAndamento.delete(resposta));
      void atender(request, resposta);
    });
    servidor.listen({ port, host, ipv6Only: host === '::1' });
    await once(servidor, 'listening');

    return {
      porta: (servidor.address() as AddressInfo).port,
      async parar() {
        parando = true;
        const fechado = once(servidor, 'close');
        servidor.close();
        await Promise.all(
          [...emAndamento].map((resposta) => {
            if (!resposta.headersSent) resposta.setHeader('connection', 'close');
            return once(resposta, 'close');
          }),
        );
        // Sobram as conexões em que ninguém pediu nada ainda.
        servidor.closeAllConnections();
        await fechado;
      },
      derrubar() {
        servidor.close();
        servidor.closeAllConnections();
      },
    };
  };
}

/** Um request cuja URL ou cujo Host não formam uma URL não chega ao handler; o resto é o handler que falhou inteiro. */
function responderFalha(erro: unknown): Response {
  if (erro instanceof RequestError) return new Response('Request HTTP mal formado', { status: 400 });
  void Promise.reject(erro); // para o log, como qualquer falha sem dono
  return new Response('Falha interna', { status: 500 });
}
