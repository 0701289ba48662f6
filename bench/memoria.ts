/** Memória: ociosa, depois de muitas reservas, e quanto ocupa cada Task guardada. */
import type { Bancada } from './bancada.ts';
import { pelosDois } from './linhas.ts';
import type { Medidas } from './medidas.ts';

/** Tudo em bytes. */
export interface Memoria {
  readonly reservas: number;
  readonly agente: { readonly ociosa: number; readonly depois: number };
  readonly servidorMcp: { readonly ociosa: number; readonly depois: number };
  readonly porTask: number;
}

/** Precisa vir antes de qualquer outra carga nos dois serviços. */
export async function medirMemoria(bancada: Bancada, medidas: Medidas): Promise<Memoria> {
  const { agente, mcp, carga, bytesPorTask } = bancada;
  const residente = async () => ({
    agente: await agente.processo.pedir<number>('memoria'),
    mcp: await mcp.processo.pedir<number>('memoria'),
  });

  const ociosa = await residente();
  const lote = {
    operacao: 'a2aReservar',
    alvo: pelosDois(bancada, medidas),
    vezes: medidas.reservasDaMemoria,
  };
  await carga.pedir('preparar', lote);
  await carga.pedir('disparar', lote);
  const depois = await residente();

  // As primeiras compilam o código e conectam o cliente: isso não é de nenhuma Task.
  await bytesPorTask.pedir('reservar', { vezes: Math.ceil(medidas.tasksDaMemoria / 40) });
  const antes = await bytesPorTask.pedir<number>('heapVivo');
  await bytesPorTask.pedir('reservar', { vezes: medidas.tasksDaMemoria });
  const porTask = ((await bytesPorTask.pedir<number>('heapVivo')) - antes) / medidas.tasksDaMemoria;

  return {
    reservas: medidas.reservasDaMemoria,
    agente: { ociosa: ociosa.agente, depois: depois.agente },
    servidorMcp: { ociosa: ociosa.mcp, depois: depois.mcp },
    porTask,
  };
}
