/** O adaptador de Node: liga um handler de fetch a portas TCP e cuida da vida do processo. */
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { createServer, type RequestListener, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { getRequestListener } from '@hono/node-server';
import { ErroDeConfiguracao } from './ambiente.ts';
import type { Escrever, Log } from './log.ts';
import type { Manipulador } from './manipulador.ts';

/** Um servidor no ar. `porta` é a real, mesmo quando se pediu a 0. */
export interface ServidorNoAr {
  readonly porta: number;
  /** Para de aceitar, espera os requests em andamento e o trabalho de fundo, e fecha tudo. */
  parar(): Promise<void>;
}

/** Onde e como escutar. */
export interface OpcoesDeEscuta {
  /** 0 pede uma porta livre. */
  readonly porta: number;
  /** Endereço; vazio quer dizer loopback, em IPv4 e (onde existir) IPv6 na mesma porta. */
  readonly host: string | undefined;
  /** Prazo (ms) para um request chegar inteiro. Os headers têm um terço disso, e a parada também. */
  readonly prazoDoRequestMs: number;
  /** Recebe uma linha por request recusado antes de chegar ao handler. */
  readonly log: Log;
}

const LOOPBACK = ['127.0.0.1', '::1'];

/** Destino das linhas de log no Node. */
export const escreverNoStderr: Escrever = (linha) => {
  process.stderr.write(`${linha}\n`);
};

/**
 * Lê `.env` da pasta atual, se existir. O que já está no ambiente vale mais, mesmo vazio.
 * @throws {ErroDeConfiguracao} se o arquivo existe e não dá para ler.
 */
export function carregarDotEnv(): void {
  try {
    if (existsSync('.env')) process.loadEnvFile('.env');
  } catch (erro) {
    throw new ErroDeConfiguracao(`Não foi possível ler .env (${(erro as NodeJS.ErrnoException).code})`);
  }
}

/**
 * Sobe o handler em HTTP.
 * @throws {ErroDeConfiguracao} se a porta estiver ocupada ou o endereço não for desta máquina.
 */
export async function servir(
  manipulador: Manipulador,
  { porta, host, prazoDoRequestMs, log }: OpcoesDeEscuta,
): Promise<ServidorNoAr> {
  const umTerco = Math.ceil(prazoDoRequestMs / 3);
  const deFundo = new Set<Promise<unknown>>();
  const emAndamento = new Set<ServerResponse>();
  let parando = false;

  const waitUntil = (trabalho: Promise<unknown>): void => {
    const seguro = trabalho.catch(() => undefined).finally(() => deFundo.delete(seguro));
    deFundo.add(seguro);
  };
  const atender = getRequestListener((request) => manipulador.fetch(request, { waitUntil }), {
    // Só chega aqui um request cuja URL ou cujo Host não formam uma URL: o handler nem o viu.
    errorHandler() {
      log('recusado', { status: 400 });
      return new Response('Request HTTP inválido', { status: 400 });
    },
  });
  const ouvir: RequestListener = (request, resposta) => {
    if (parando) {
      resposta.writeHead(503, { connection: 'close' }).end();
      return;
    }
    emAndamento.add(resposta);
    resposta.once('close', () => emAndamento.delete(resposta));
    void atender(request, resposta);
  };

  const servidores: Server[] = [];
  let portaReal = porta;
  for (const endereco of host ? [host] : LOOPBACK) {
    const servidor = createServer(
      {
        headersTimeout: umTerco,
        requestTimeout: prazoDoRequestMs,
        // O Node só olha os prazos de tanto em tanto tempo, e o padrão dele é maior do que eles.
        connectionsCheckingInterval: Math.ceil(umTerco / 4),
      },
      ouvir,
    );
    try {
      portaReal = await escutar(servidor, portaReal, endereco);
      servidores.push(servidor);
    } catch (erro) {
      const codigo = (erro as NodeJS.ErrnoException).code;
      if (servidores.length > 0 && codigo !== 'EADDRINUSE') continue; // máquina sem IPv6
      for (const aberto of servidores) aberto.close();
      throw new ErroDeConfiguracao(
        codigo === 'EADDRINUSE'
          ? `A porta ${portaReal} já está em uso em ${endereco}: pare o outro processo ou mude a porta`
          : `Não foi possível escutar em ${endereco}:${portaReal} (${codigo})`,
      );
    }
  }

  return {
    porta: portaReal,
    async parar() {
      parando = true;
      const fechados = servidores.map((servidor) => new Promise((pronto) => servidor.close(pronto)));
      const respondidos = [...emAndamento].map((resposta) => {
        if (!resposta.headersSent) resposta.setHeader('connection', 'close');
        return once(resposta, 'close');
      });
      await ateOPrazo(Promise.all(respondidos), umTerco);
      // Sobram as conexões que nada pediram, e quem passou do prazo.
      for (const servidor of servidores) servidor.closeAllConnections();
      await Promise.all(fechados);
      await ateOPrazo(Promise.all(deFundo), umTerco);
    },
  };
}

function escutar(servidor: Server, porta: number, endereco: string): Promise<number> {
  return new Promise((pronto, falhou) => {
    servidor.once('error', falhou);
    servidor.listen({ port: porta, host: endereco, ipv6Only: endereco === '::1' }, () => {
      servidor.off('error', falhou);
      pronto((servidor.address() as AddressInfo).port);
    });
  });
}

async function ateOPrazo(trabalho: Promise<unknown>, prazoMs: number): Promise<void> {
  let relogio: NodeJS.Timeout | undefined;
  const prazo = new Promise((pronto) => {
    relogio = setTimeout(pronto, prazoMs);
  });
  await Promise.race([trabalho, prazo]);
  clearTimeout(relogio);
}

/**
 * Roda um processo inteiro: sobe, avisa no log, e para com calma em SIGTERM ou SIGINT (código de saída 0), ou quando
 * o processo que o criou por IPC acaba. Um segundo sinal não apressa nada: num terminal o npm repete o Ctrl-C.
 *
 * Erro de configuração vira uma linha clara no stderr e código 1, sem stack. Falhas nossas que escaparem:
 * - uma promessa rejeitada que ninguém espera é de um request só; vai para o log, e os outros continuam;
 * - de uma exceção fora de qualquer promessa não se sabe o que ficou pela metade: log, parada com calma, código 1.
 * @param iniciar monta e sobe o servidor.
 */
export async function rodarProcesso(log: Log, iniciar: () => Promise<ServidorNoAr>): Promise<void> {
  // Se quem lia o stderr foi embora, o log se perde e o serviço continua.
  process.stderr.on('error', () => undefined);
  process.on('unhandledRejection', (erro) => log('falha-sem-dono', { motivo: motivoDe(erro) }));
  try {
    const servidor = await iniciar();
    let parando = false;
    const parar = async (codigo: number): Promise<void> => {
      if (parando) return;
      parando = true;
      log('parando');
      await servidor.parar();
      log('parado');
      process.exit(codigo);
    };
    for (const evento of ['SIGTERM', 'SIGINT', 'disconnect']) process.on(evento, () => void parar(0));
    process.on('uncaughtException', (erro) => {
      log('falha-fatal', { motivo: motivoDe(erro) });
      void parar(1);
    });
  } catch (erro) {
    if (erro instanceof ErroDeConfiguracao) console.error(erro.message);
    else log('falha-fatal', { motivo: motivoDe(erro) });
    process.exit(1);
  }
}

function motivoDe(erro: unknown): string {
  return String(erro instanceof Error ? erro.stack : erro);
}
