/** O adaptador de Deno: liga um handler de fetch a portas TCP. */
import type { Manipulador } from './manipulador.ts';
import { type Escutar, type Onde, type ServidorNoAr, servirEm } from './processo.ts';

/** O pouco do Deno que se usa aqui. */
declare const Deno: {
  serve(
    opcoes: {
      readonly hostname: string;
      readonly port: number;
      readonly signal: AbortSignal;
      readonly onListen: () => void;
    },
    fetch: (request: Request) => Promise<Response>,
  ): { readonly addr: { readonly port: number }; shutdown(): Promise<void> };
};

/** @see servirEm */
export function servir(manipulador: Manipulador, onde: Onde): Promise<ServidorNoAr> {
  return servirEm(escutar, manipulador, onde);
}

const escutar: Escutar = async (fetch, hostname, port) => {
  const controle = new AbortController();
  const servidor = Deno.serve({ hostname, port, signal: controle.signal, onListen: () => undefined }, fetch);
  let parado = false;
  return {
    porta: servidor.addr.port,
    async parar() {
      await servidor.shutdown();
      parado = true;
    },
    derrubar() {
      // Abortar um servidor que já parou lança.
      if (!parado) controle.abort();
    },
  };
};
