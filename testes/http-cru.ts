/** HTTP sem cliente: bytes escolhidos um a um num socket, para mandar o que nenhum cliente mandaria. */
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';

/** Uma resposta HTTP como veio. */
export interface RespostaCrua {
  readonly status: number;
  /** Nomes em minúsculas. */
  readonly headers: ReadonlyMap<string, string>;
  readonly corpo: Buffer;
}

/** Uma conexão aberta. */
export interface Conexao {
  readonly socket: Socket;
  /** Tudo o que chegou, quando o outro lado fecha ou derruba a conexão. */
  readonly recebido: Promise<Buffer>;
}

/** Abre uma conexão. Rejeita com o erro do sistema (ECONNREFUSED) se ninguém escuta. */
export async function abrirConexao(porta: number, host = '127.0.0.1'): Promise<Conexao> {
  const socket = connect({ port: porta, host, allowHalfOpen: true });
  await once(socket, 'connect');
  const pedacos: Buffer[] = [];
  socket.on('data', (pedaco) => pedacos.push(pedaco));
  const recebido = new Promise<Buffer>((pronto) => {
    const acabar = (): void => {
      socket.destroy();
      pronto(Buffer.concat(pedacos));
    };
    // O outro lado pode recusar e derrubar a conexão enquanto ainda se manda: o que ele disse antes vale.
    socket.on('error', acabar).on('end', acabar).on('close', acabar);
  });
  return { socket, recebido };
}

/**
 * Manda os bytes e lê até o outro lado fechar.
 * @param acabou se os bytes já não formam um request inteiro: avisa logo que não há mais. Nos outros isso seria desistir da
 * resposta (o Node larga o request de quem fecha o seu lado), e só se avisa depois de ela começar, ou de muito silêncio.
 */
export async function trocar(porta: number, bytes: Uint8Array, acabou: boolean): Promise<Buffer> {
  const { socket, recebido } = await abrirConexao(porta);
  socket.write(bytes);
  if (acabou) socket.end();
  else {
    socket.setTimeout(SILENCIO_MS, () => socket.end());
    socket.on('data', (pedaco) => {
      if (!pedaco.toString('latin1', 0, 10).startsWith('HTTP/1.1 1')) socket.end();
    });
  }
  return recebido;
}

const SILENCIO_MS = 5_000;

/**
 * Separa as respostas que vieram numa conexão; as provisórias (1xx) ficam de fora.
 * @param semCorpo se a pergunta foi um HEAD.
 * @throws {Error} se os bytes não forem respostas HTTP inteiras: o servidor teria cortado uma pelo meio.
 */
export function lerRespostas(bytes: Buffer, semCorpo = false): RespostaCrua[] {
  const respostas: RespostaCrua[] = [];
  for (let resto = bytes; resto.length > 0; ) {
    const fim = resto.indexOf('\r\n\r\n');
    const [inicial = '', ...linhas] = resto.subarray(0, Math.max(fim, 0)).toString('latin1').split('\r\n');
    const status = Number(/^HTTP\/1\.1 (\d{3}) /.exec(inicial)?.[1]);
    if (!status)
      throw new Error(`não é uma resposta HTTP: ${JSON.stringify(resto.toString('latin1', 0, 200))}`);
    const headers = new Map(linhas.map((linha) => separar(linha)));
    const [corpo, depois] =
      semCorpo || status < 200 || status === 204 || status === 304
        ? [Buffer.alloc(0), resto.subarray(fim + 4)]
        : lerCorpo(headers, resto.subarray(fim + 4));
    if (status >= 200) respostas.push({ status, headers, corpo });
    resto = depois;
  }
  return respostas;
}

function separar(linha: string): [string, string] {
  const onde = linha.indexOf(':');
  return [linha.slice(0, onde).toLowerCase(), linha.slice(onde + 1).trim()];
}

function lerCorpo(headers: ReadonlyMap<string, string>, bytes: Buffer): [Buffer, Buffer] {
  if (headers.get('transfer-encoding') === 'chunked') return lerPedacos(bytes);
  const tamanho = headers.get('content-length');
  // Sem tamanho, o corpo vai até o fim da conexão.
  if (tamanho === undefined) return [bytes, Buffer.alloc(0)];
  if (bytes.length < Number(tamanho)) throw new Error('resposta cortada no meio do corpo');
  return [bytes.subarray(0, Number(tamanho)), bytes.subarray(Number(tamanho))];
}

function lerPedacos(bytes: Buffer): [Buffer, Buffer] {
  const pedacos: Buffer[] = [];
  let resto = bytes;
  while (true) {
    const fim = resto.indexOf('\r\n');
    const tamanho = Number.parseInt(resto.toString('latin1', 0, Math.max(fim, 0)), 16);
    if (Number.isNaN(tamanho)) throw new Error('resposta cortada no meio dos pedaços');
    pedacos.push(resto.subarray(fim + 2, fim + 2 + tamanho));
    resto = resto.subarray(fim + 2 + tamanho + 2);
    if (tamanho === 0) return [Buffer.concat(pedacos), resto];
  }
}
