/** O adaptador de Bun: liga um handler de fetch a portas TCP. */
import type { Manipulador } from './manipulador.ts';
import { type Escutar, type Onde, type ServidorNoAr, servirEm } from './processo.ts';

/** O pouco do Bun que se usa aqui. */
declare const Bun: {
  serve(opcoes: {
    readonly fetch: (request: Request) => Promise<Response>;
    readonly hostname: string;
    readonly port: number;
    readonly idleTimeout: number;
  }): { readonly port: number; stop(fecharTudo?: boolean): Promise<void> };
};

/** O Bun corta em 10 s também quem espera uma resposta; 150 passam de qualquer MCP_TIMEOUT_MS. */
const TEMPO_OCIOSO_S = 150;

/** @see servirEm */
export function servir(manipulador: Manipulador, onde: Onde): Promise<ServidorNoAr> {
  return servirEm(escutar, manipulador, onde);
}

const escutar: Escutar = async (fetch, hostname, port) => {
  const servidor = Bun.serve({ fetch, hostname, port, idleTimeout: TEMPO_OCIOSO_S });
  return {
    porta: servidor.port,
    parar: () => servidor.stop(),
    derrubar: () => servidor.stop(true),
  };
};
