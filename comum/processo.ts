/** A vida de um processo, igual em Node, Bun e Deno: escuta, avisa no log, e para com calma. */
import { ErroDeConfiguracao } from './ambiente.ts';
import type { Log } from './log.ts';
import type { Manipulador } from './manipulador.ts';

/** Um endereço em que um runtime escuta. */
export interface Escuta {
  /** A porta real, mesmo quando se pediu a 0. */
  readonly porta: number;
  /** Para de aceitar e espera os requests em andamento. */
  parar(): Promise<unknown>;
  /** Fecha o que `parar` ainda estiver esperando. */
  derrubar(): unknown;
}

/** O que cada runtime faz do seu jeito. Deve falhar com `code: 'EADDRINUSE'` se a porta estiver ocupada. */
export type Escutar = (
  fetch: (request: Request) => Promise<Response>,
  endereco: string,
  porta: number,
) => Promise<Escuta>;

/** Um servidor no ar. */
export interface ServidorNoAr {
  readonly porta: number;
  /** Para de aceitar, espera os requests em andamento e o trabalho de fundo, e fecha tudo. */
  parar(): Promise<void>;
}

const LOOPBACK = ['127.0.0.1', '::1'];
const TEMPO_DE_PARADA_MS = 10_000;

/**
 * Sobe o handler em HTTP.
 * @param escutar como este runtime escuta.
 * @param host endereço; vazio quer dizer loopback, em IPv4 e (onde existir) IPv6 na mesma porta.
 * @throws {ErroDeConfiguracao} se a porta estiver ocupada ou o endereço não for desta máquina.
 */
export async function servirEm(
  escutar: Escutar,
  manipulador: Manipulador,
  { porta, host }: { porta: number; host: string | undefined },
): Promise<ServidorNoAr> {
  const deFundo = new Set<Promise<unknown>>();
  const waitUntil = (trabalho: Promise<unknown>): void => {
    const seguro = trabalho.catch(() => undefined).finally(() => deFundo.delete(seguro));
    deFundo.add(seguro);
  };
  const fetch = (request: Request): Promise<Response> => manipulador.fetch(request, { waitUntil });

  const escutas: Escuta[] = [];
  let portaReal = porta;
  for (const endereco of host ? [host] : LOOPBACK) {
    try {
      const escuta = await escutar(fetch, endereco, portaReal);
      portaReal = escuta.porta;
      escutas.push(escuta);
    } catch (erro) {
      const { code } = erro as { code?: string };
      if (escutas.length > 0 && code !== 'EADDRINUSE') continue; // máquina sem IPv6
      for (const aberta of escutas) aberta.derrubar();
      throw new ErroDeConfiguracao(
        code === 'EADDRINUSE'
          ? `A porta ${portaReal} já está em uso em ${endereco}: pare o outro processo ou mude a porta`
          : `Não foi possível escutar em ${endereco}:${portaReal} (${code ?? String(erro)})`,
      );
    }
  }

  return {
    porta: portaReal,
    async parar() {
      await semPassarDoTempo(escutas.map((escuta) => escuta.parar()));
      for (const escuta of escutas) escuta.derrubar();
      await semPassarDoTempo([...deFundo]);
    },
  };
}

async function semPassarDoTempo(promessas: readonly Promise<unknown>[]): Promise<void> {
  let relogio: ReturnType<typeof setTimeout> | undefined;
  const limite = new Promise((pronto) => {
    relogio = setTimeout(pronto, TEMPO_DE_PARADA_MS);
  });
  await Promise.race([Promise.all(promessas), limite]);
  clearTimeout(relogio);
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
