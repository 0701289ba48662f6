/**
 * Põe os dois serviços no ar atrás de um proxy que estraga respostas, e roda o validador contra ele. Se estragar a
 * resposta que uma verificação lê não a faz falhar, a verificação é vazia.
 */
import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import type { Manipulador } from '../comum/manipulador.ts';
import { type Rodada, rodarValidador } from './rodar.ts';
import { criarServicos } from './servicos.ts';

/** Qualquer valor JSON. */
export type Json = null | boolean | number | string | Json[] | { [campo: string]: Json };

/** Um request do validador, como o proxy o vê. No GET do card, `metodo` é `GET` e `params` é vazio. */
export interface Pedido {
  readonly servico: 'mcp' | 'agente';
  readonly metodo: string;
  readonly params: Json;
}

/** A resposta a caminho do validador. Estragar é mudar este objeto; `corpo` undefined derruba a conexão. */
export interface Resposta {
  status: number;
  headers: Record<string, string>;
  corpo: string | undefined;
}

/** Muda a resposta. Recebe também o último requestState que o agente guardou, que o validador nunca vê. */
export type Estragar = (resposta: Resposta, estadoDoAgente: string | undefined) => void;

/** Diz se é esta a resposta a mudar. */
export type Qual = (pedido: Pedido, resposta: Readonly<Resposta>) => boolean;

/** Qual resposta mudar, e como. */
export interface Estrago {
  readonly em: Qual;
  /** Das que casam com `em`, qual: 1 é a primeira (o padrão); `todas` não espera uma só. */
  readonly vez?: number | 'todas';
  readonly estragar: Estragar;
}

/**
 * Roda o validador contra os dois serviços de verdade, recém-criados, estragando no caminho as respostas pedidas.
 * @throws se um estrago não pôde ser feito, ou se a resposta a estragar nunca passou: o teste estaria mentindo.
 */
export async function rodarComEstragos(...estragos: readonly Estrago[]): Promise<Rodada> {
  const servicos = criarServicos();
  const contagens = new Map(estragos.map((estrago) => [estrago, 0]));
  const falhas: unknown[] = [];
  const interceptar = (pedido: Pedido, resposta: Resposta): void => {
    // Todos escolhem olhando a resposta como veio; só depois ela é mudada.
    for (const estrago of estragos.filter(({ em }) => em(pedido, resposta))) {
      const contagem = (contagens.get(estrago) ?? 0) + 1;
      contagens.set(estrago, contagem);
      const { vez = 1, estragar } = estrago;
      if (vez !== 'todas' && vez !== contagem) continue;
      try {
        estragar(resposta, servicos.ultimoEstado());
      } catch (erro) {
        falhas.push(erro);
      }
    }
  };
  const mcp = await abrir('mcp', servicos.mcp, interceptar);
  const agente = await abrir('agente', servicos.agente, interceptar);
  try {
    const rodada = await rodarValidador('--mcp', urlDe(mcp), '--agente', urlDe(agente));
    for (const [estrago, contagem] of contagens) {
      const { vez = 1 } = estrago;
      if (contagem < (vez === 'todas' ? 1 : vez)) {
        falhas.push(new Error(`A resposta a estragar nunca passou: ${JSON.stringify(estrago)}`));
      }
    }
    if (falhas.length > 0) throw new AggregateError(falhas, [...falhas, ...rodada.linhas].join('\n'));
    return rodada;
  } finally {
    mcp.close();
    agente.close();
  }
}

function urlDe(servidor: Server): string {
  return `http://127.0.0.1:${(servidor.address() as AddressInfo).port}`;
}

async function abrir(
  servico: Pedido['servico'],
  manipulador: Manipulador,
  interceptar: (pedido: Pedido, resposta: Resposta) => void,
): Promise<Server> {
  const servidor = createServer(async (entrada, saida) => {
    const corpo = await text(entrada);
    const resposta = await repassar(manipulador, entrada, corpo);
    const { method = entrada.method ?? '', params = {} } = corpo ? JSON.parse(corpo) : {};
    interceptar({ servico, metodo: method, params }, resposta);
    responder(saida, resposta);
  });
  servidor.listen(0, '127.0.0.1');
  await once(servidor, 'listening');
  return servidor;
}

async function repassar(
  manipulador: Manipulador,
  entrada: IncomingMessage,
  corpo: string,
): Promise<Resposta> {
  const { method = 'GET', url = '/', headers } = entrada;
  const resposta = await manipulador.fetch(
    new Request(`http://localhost${url}`, {
      method,
      headers: headers as Record<string, string>,
      ...(method === 'POST' && { body: corpo }),
    }),
  );
  return {
    status: resposta.status,
    headers: Object.fromEntries(resposta.headers),
    corpo: await resposta.text(),
  };
}

function responder(saida: ServerResponse, { status, headers, corpo }: Resposta): void {
  if (corpo === undefined) {
    saida.destroy();
    return;
  }
  const { 'content-length': _, ...outros } = headers;
  saida.writeHead(status, outros).end(corpo);
}
