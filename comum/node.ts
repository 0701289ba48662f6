/** O adaptador de Node: liga um handler de fetch a portas TCP e cuida da vida do processo. */
import { existsSync } from 'node:fs';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createAdaptorServer } from '@hono/node-server';
import { ErroDeConfiguracao } from './ambiente.ts';
import type { Log } from './log.ts';
import type { Manipulador } from './manipulador.ts';

/** Um servidor no ar. `porta` é a real, mesmo quando se pediu a 0. */
export interface ServidorNoAr {
  readonly porta: number;
  /** Para de aceitar, espera os requests em andamento e o trabalho de fundo, e fecha tudo. */
  parar(): Promise<void>;
}

const LOOPBACK = ['127.0.0.1', '::1'];
const TEMPO_DOS_HEADERS_MS = 10_000;
const TEMPO_DO_REQUEST_MS = 30_000;
const TEMPO_DE_PARADA_MS = 10_000;

/** Lê `.env` da pasta atual, se existir. O que já está no ambiente vale mais, mesmo vazio. */
export function carregarDotEnv(): void {
  if (existsSync('.env')) process.loadEnvFile('.env');
}

/**
 * Sobe o handler em HTTP.
 * @param host endereço; vazio quer dizer loopback, em IPv4 e (onde existir) IPv6 na mesma porta.
 * @throws {ErroDeConfiguracao} se a porta estiver ocupada ou o endereço não for desta máquina.
 */
export async function servir(
  manipulador: Manipulador,
  { porta, host }: { porta: number; host: string | undefined },
): Promise<ServidorNoAr> {
  const deFundo = new Set<Promise<unknown>>();
  const waitUntil = (trabalho: Promise<unknown>): void => {
    const seguro = trabalho.catch(() => undefined).finally(() => deFundo.delete(seguro));
    deFundo.add(seguro);
  };
  const fetch = (request: Request): Promise<Response> => manipulador.fetch(request, { waitUntil });

  const servidores: Server[] = [];
  let portaReal = porta;
  for (const endereco of host ? [host] : LOOPBACK) {
    const servidor = createAdaptorServer({ fetch }) as Server;
    servidor.headersTimeout = TEMPO_DOS_HEADERS_MS;
    servidor.requestTimeout = TEMPO_DO_REQUEST_MS;
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
      const limite = setTimeout(() => {
        for (const servidor of servidores) servidor.closeAllConnections();
      }, TEMPO_DE_PARADA_MS);
      // Uma conexão keep-alive só fica ociosa depois da resposta em andamento: por isso a repetição.
      const ociosas = setInterval(() => {
        for (const servidor of servidores) servidor.closeIdleConnections();
      }, 20);
      await Promise.all(servidores.map((servidor) => new Promise((pronto) => servidor.close(pronto))));
      await Promise.race([
        Promise.all(deFundo),
        new Promise((pronto) => setTimeout(pronto, TEMPO_DE_PARADA_MS).unref()),
      ]);
      clearInterval(ociosas);
      clearTimeout(limite);
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

/**
 * Roda um processo inteiro: sobe, avisa no log, e para com calma em SIGTERM ou SIGINT (código de saída 0).
 * Erro de configuração vira uma linha clara no stderr e código 1, sem stack.
 * @param iniciar monta e sobe o servidor; recebe o log já pronto.
 */
export async function rodarProcesso(log: Log, iniciar: () => Promise<ServidorNoAr>): Promise<void> {
  try {
    const servidor = await iniciar();
    let parando = false;
    const parar = async (): Promise<void> => {
      if (parando) process.exit(1); // segundo sinal: quem pediu não quer mais esperar
      parando = true;
      log('parando');
      await servidor.parar();
      log('parado');
      process.exit(0);
    };
    process.on('SIGTERM', parar);
    process.on('SIGINT', parar);
  } catch (erro) {
    if (!(erro instanceof ErroDeConfiguracao)) throw erro;
    console.error(erro.message);
    process.exit(1);
  }
}
