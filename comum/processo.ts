/** A vida de um processo, igual em Node, Bun e Deno: escuta, avisa no log, e para com calma. */
import { ErroDeConfiguracao, PRAZO_DO_REQUEST_MS } from './ambiente.ts';
import type { Log } from './log.ts';
import type { Manipulador } from './manipulador.ts';

/** Onde escutar, e quanto esperar. */
export interface Onde {
  /** 0 pede uma porta livre. */
  readonly porta: number;
  /** Endereço; vazio quer dizer loopback, em IPv4 e (onde existir) IPv6 na mesma porta. */
  readonly host: string | undefined;
  /** Prazo (ms) para um request chegar inteiro. Os headers dele têm um terço disso, e cada passo da parada também. */
  readonly prazoDoRequestMs?: number | undefined;
}

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

/**
 * Sobe o handler em HTTP.
 * @param escutar como este runtime escuta.
 * @throws {ErroDeConfiguracao} se a porta estiver ocupada ou o endereço não for desta máquina.
 */
export async function servirEm(
  escutar: Escutar,
  manipulador: Manipulador,
  { porta, host, prazoDoRequestMs = PRAZO_DO_REQUEST_MS }: Onde,
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
      await ateOPrazo(
        escutas.map((escuta) => escuta.parar()),
        prazoDoRequestMs / 3,
      );
      for (const escuta of escutas) escuta.derrubar();
      await ateOPrazo([...deFundo], prazoDoRequestMs / 3);
    },
  };
}

async function ateOPrazo(promessas: readonly Promise<unknown>[], prazoMs: number): Promise<void> {
  let relogio: ReturnType<typeof setTimeout> | undefined;
  const prazo = new Promise((pronto) => {
    relogio = setTimeout(pronto, prazoMs);
  });
  await Promise.race([Promise.all(promessas), prazo]);
  clearTimeout(relogio);
}

/**
 * Roda um processo inteiro: sobe, avisa no log, e para com calma em SIGTERM ou SIGINT, ou quando acaba o processo que o
 * criou com um canal de IPC; código de saída 0. Um segundo sinal não apressa nada: num terminal, o npm repete o Ctrl-C.
 *
 * Erro de configuração vira uma linha clara no stderr e código 1, sem stack. Falhas nossas que escaparem de tudo:
 * - uma promessa rejeitada que ninguém espera é de um request só: vai para o log, e os outros continuam;
 * - depois de uma exceção fora de qualquer promessa não se sabe o que ficou pela metade: log, parada com calma, código 1.
 * @param iniciar monta e sobe o servidor.
 */
export async function rodarProcesso(log: Log, iniciar: () => Promise<ServidorNoAr>): Promise<void> {
  // Se quem lia o stderr foi embora, perde-se o log, e o serviço continua.
  process.stderr.on('error', () => undefined);
  process.on('unhandledRejection', (erro) => log('falha-sem-dono', { motivo: motivoDe(erro) }));
  try {
    const servidor = await iniciar();
    let parando = false;
    const parar = async (codigo: number): Promise<void> => {
      if (parando) return;
      parando = true;
      const parado = servidor.parar();
      log('parando'); // a esta altura as portas já não aceitam ninguém
      await parado;
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
