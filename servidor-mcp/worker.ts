/** O servidor MCP como worker: o que as duas entradas de workerd, com e sem objeto durável, têm em comum. */
import { env } from 'cloudflare:workers';
import type { Ambiente } from '../comum/ambiente.ts';
import { comoWorker, type Worker } from '../comum/worker.ts';
import type { Agenda } from './agenda.ts';
import { configuracaoDoAmbiente } from './ambiente.ts';
import { criarServidorMcp } from './app.ts';
import { DADOS } from './dados.ts';

/**
 * Monta o worker com o que os bindings dizem.
 * @param agenda onde as reservas moram; ausente, na memória deste isolate.
 * @throws {ErroDeConfiguracao} se o segredo faltar: chamada ao carregar o módulo, o workerd não sobe.
 */
export function criarWorker(agenda?: Agenda): Worker {
  const { hostsPermitidos, segredos, ttlSegundos } = configuracaoDoAmbiente(env as Ambiente);
  return comoWorker(
    criarServidorMcp({
      ...DADOS,
      hostsPermitidos,
      segredos,
      ttlSegundos,
      log: console.error,
      ...(agenda && { agenda }),
    }),
  );
}
