/** O cliente HTTP do gerador de carga: conexões que ficam abertas, e o mínimo de trabalho por request. */
import { Agent, request } from 'node:http';

/** Uma resposta já lida. */
export interface Lida {
  readonly status: number;
  readonly texto: string;
}

const conexoes = new Agent({ keepAlive: true, maxSockets: 64 });

/** Faz um POST de JSON. */
export function postar(
  url: string,
  corpo: string,
  headers: Readonly<Record<string, string>> = {},
): Promise<Lida> {
  return new Promise((pronto, falhou) => {
    const pedido = request(
      url,
      {
        agent: conexoes,
        method: 'POST',
        headers: {
          'content-type': 'application/json',
          'content-length': Buffer.byteLength(corpo),
          ...headers,
        },
      },
      (resposta) => {
        let texto = '';
        resposta.setEncoding('utf8');
        resposta.on('data', (pedaco: string) => {
          texto += pedaco;
        });
        resposta.on('end', () => pronto({ status: resposta.statusCode ?? 0, texto }));
        resposta.on('error', falhou);
      },
    );
    pedido.on('error', (erro) => {
      // O servidor fechou uma conexão ociosa no instante em que ela ia ser reusada: o pedido não chegou a ser lido.
      if (pedido.reusedSocket && (erro as NodeJS.ErrnoException).code === 'ECONNRESET') {
        postar(url, corpo, headers).then(pronto, falhou);
      } else falhou(erro);
    });
    pedido.end(corpo);
  });
}
