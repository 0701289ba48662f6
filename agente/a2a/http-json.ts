/** O binding HTTP+JSON (spec §11): as mesmas operações, em URLs de recurso, com erros em google.rpc.Status. */
import { type Context, Hono } from 'hono';
import { lerJson } from '../../comum/corpo.ts';
import type { Atendimento } from './atendimento.ts';
import { conteudoNaoSuportado, ErroA2A, jsonInvalido, requestInvalido } from './erros.ts';
import { ehJson } from './jsonrpc.ts';
import type { NomeDeOperacao, Operacoes } from './operacoes.ts';
import { responderEventos } from './sse.ts';
import { conferirVersao } from './versao.ts';

type Params = Record<string, unknown>;
type LerParams = (c: Context, atendimento: Atendimento) => Promise<Params>;

/**
 * As rotas do binding, para montar na raiz ou sob um prefixo.
 * @param atender cria o atendimento (log, limites, tradução de erros) de cada request.
 */
export function rotasHttpJson(operacoes: Operacoes, atender: (c: Context) => Atendimento): Hono {
  const rotas = new Hono();
  const operacao =
    (nome: NomeDeOperacao, lerParams: LerParams) =>
    async (c: Context): Promise<Response> => {
      const atendimento = atender(c);
      try {
        atendimento.anotar({ metodo: nome });
        conferirVersao(c.req.raw);
        const resultado = await operacoes[nome](await lerParams(c, atendimento), atendimento.chamada);
        if ('json' in resultado) return Response.json(resultado.json, { headers: { 'content-type': MIDIA } });
        return responderEventos(c, resultado.stream, (evento) => evento);
      } catch (erro) {
        return emStatus(atendimento.traduzir(erro));
      }
    };

  rotas.post('/message:send', operacao('SendMessage', doCorpo));
  rotas.post('/message:stream', operacao('SendStreamingMessage', doCorpo));
  rotas.get('/tasks', operacao('ListTasks', daQuery));
  rotas.get('/extendedAgentCard', operacao('GetExtendedAgentCard', daQuery));

  const doId =
    (sufixo: string): LerParams =>
    async (c) => ({ ...(await daQuery(c)), id: idSem(c, sufixo) });
  const cancelar = operacao('CancelTask', async (c, atendimento) => ({
    ...(c.req.raw.body ? await doCorpo(c, atendimento) : {}),
    id: idSem(c, ':cancel'),
  }));
  const assinar = operacao('SubscribeToTask', doId(':subscribe'));
  rotas.post('/tasks/:alvo{.+:cancel}', cancelar);
  // O proto diz GET e a prosa da spec (§11.3.2) diz POST.
  rotas.on(['GET', 'POST'], '/tasks/:alvo{.+:subscribe}', assinar);
  rotas.get('/tasks/:alvo', operacao('GetTask', doId('')));

  const configs = '/tasks/:alvo/pushNotificationConfigs';
  rotas.post(configs, operacao('CreateTaskPushNotificationConfig', doId('')));
  rotas.get(configs, operacao('ListTaskPushNotificationConfigs', doId('')));
  rotas.get(`${configs}/:config`, operacao('GetTaskPushNotificationConfig', doId('')));
  rotas.delete(`${configs}/:config`, operacao('DeleteTaskPushNotificationConfig', doId('')));

  for (const caminho of [
    '/message:send',
    '/message:stream',
    '/tasks',
    '/tasks/:alvo',
    '/extendedAgentCard',
  ]) {
    rotas.all(caminho, (c) => emStatus(metodoHttpErrado(atender(c)), { allow: 'GET, POST' }));
  }
  return rotas;
}

/** Uma resposta de erro no formato google.rpc.Status (spec §11.6). */
export function emStatus(erro: ErroA2A, headers: Record<string, string> = {}): Response {
  const { http: code, status, message, detalhes: details } = erro;
  const body = { error: { code, status, message, details } };
  return Response.json(body, { status: code, headers: { ...headers, 'content-type': MIDIA } });
}

const MIDIA = 'application/a2a+json';

async function doCorpo(c: Context, { limiteDoCorpo }: Atendimento): Promise<Params> {
  if (!ehJson(c.req.header('content-type'))) {
    throw conteudoNaoSuportado(c.req.header('content-type') ?? '', ['application/json', MIDIA]);
  }
  const corpo = await lerJson(c.req.raw, limiteDoCorpo);
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

/** Números chegam como texto, que o modelo aceita; booleanos têm de ser traduzidos aqui (spec §11.5). */
async function daQuery(c: Context): Promise<Params> {
  const entradas = Object.entries(c.req.query()).map(([nome, valor]) => {
    return [nome, valor === 'true' ? true : valor === 'false' ? false : valor] as const;
  });
  return Object.fromEntries(entradas);
}

function idSem(c: Context, sufixo: string): string {
  const alvo = c.req.param('alvo') ?? '';
  return sufixo ? alvo.slice(0, -sufixo.length) : alvo;
}

function metodoHttpErrado(atendimento: Atendimento): ErroA2A {
  atendimento.anotar({ erro: 405 });
  return new ErroA2A(-32600, 405, 'UNIMPLEMENTED', 'Método HTTP não permitido neste endereço');
}
