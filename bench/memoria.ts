/** Memória: ociosa, depois de muitas reservas, e quanto ocupa cada Task guardada. */
import type { Bancada } from './bancada.ts';
import { pelosDois } from './linhas.ts';
import type { Medidas } from './medidas.ts';

/** Tudo em bytes. `reservas` é quantas foram feitas: menos que as pedidas só se a máquina não deu conta. */
export interface Memoria {
  readonly reservas: number;
  readonly agente: { readonly ociosa: number; readonly depois: number };
  readonly servidorMcp: { readonly ociosa: number; readonly depois: number };
  readonly porTask: number;
}

const TEMPO_DAS_RESERVAS_MS = 90_000;
const TEMPO_DAS_TASKS_MS = 20_000;

/** Precisa vir antes de qualquer outra carga nos dois serviços. */
export async function medirMemoria(bancada: Bancada, medidas: Medidas): Promise<Memoria> {
  const { agente, mcp, carga, bytesPorTask } = bancada;
  const residente = async () => ({
    agente: await agente.processo.pedir<number>('memoria'),
    mcp: await mcp.processo.pedir<number>('memoria'),
  });

  const ociosa = await residente();
  const reservas = await repetir(medidas.reservasDaMemoria, TEMPO_DAS_RESERVAS_MS, async (vezes) => {
    const lote = { operacao: 'a2aReservar', alvo: pelosDois(bancada, medidas), vezes };
    await carga.pedir('preparar', lote);
    await carga.pedir('disparar', lote);
  });
  const depois = await residente();

  const reservar = (vezes: number): Promise<unknown> => bytesPorTask.pedir('reservar', { vezes });
  // As primeiras compilam o código e conectam o cliente: isso não é de nenhuma Task.
  await reservar(Math.ceil(medidas.tasksDaMemoria / 40));
  const antes = await bytesPorTask.pedir<number>('heapVivo');
  const tasks = await repetir(medidas.tasksDaMemoria, TEMPO_DAS_TASKS_MS, reservar);
  const porTask = ((await bytesPorTask.pedir<number>('heapVivo')) - antes) / tasks;

  return {
    reservas,
    agente: { ociosa: ociosa.agente, depois: depois.agente },
    servidorMcp: { ociosa: ociosa.mcp, depois: depois.mcp },
    porTask,
  };
}

/** Em lotes, até `quantas` ou até acabar o tempo, que só acaba numa máquina ocupada. @returns quantas foram. */
async function repetir(
  quantas: number,
  tempoMs: number,
  lote: (vezes: number) => Promise<unknown>,
): Promise<number> {
  const prazo = performance.now() + tempoMs;
  let feitas = 0;
  while (feitas < quantas && performance.now() < prazo) {
    const vezes = Math.min(1_000, quantas - feitas);
    await lote(vezes);
    feitas += vezes;
  }
  return feitas;
}
