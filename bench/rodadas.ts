/** As rodadas: todas as linhas, uma depois da outra, várias vezes, para que o ruído da máquina caia em todas. */

import { mediana } from './estatistica.ts';
import type { Linha } from './linhas.ts';
import type { Medidas } from './medidas.ts';

/** Uma linha numa rodada. CPU em microssegundos por operação, na ordem de `Linha.medidos`. */
export interface Medida {
  readonly cpu: readonly number[];
  readonly porSegundo: number;
  readonly p50: number;
  readonly p99: number;
}

/**
 * Quantas rodadas vale o aquecimento de cada grupo, e o tempo (ms) que ele pode levar. O V8 leva uns 3.000 requests para
 * otimizar o caminho todo: os serviços chegam aqui depois de dezenas de milhares, e os pisos não podem perder por frios.
 */
const AQUECIMENTO = {
  pisos: { rodadas: 30, ms: 6_000 },
  nossas: { rodadas: 10, ms: 1_500 },
  crescimento: { rodadas: 10, ms: 1_000 },
} as const;

/** As medidas de todas as rodadas, por id de linha. */
export class Resultados {
  readonly #medidas = new Map<string, Medida[]>();

  guardar(id: string, medida: Medida): void {
    this.#medidas.set(id, [...(this.#medidas.get(id) ?? []), medida]);
  }

  de(id: string): readonly Medida[] {
    const medidas = this.#medidas.get(id);
    if (!medidas) throw new Error(`a linha ${id} não foi medida`);
    return medidas;
  }

  /** CPU mediana por operação, somados os processos. */
  cpu(id: string): number {
    return mediana(this.de(id).map(total));
  }

  /** A mediana das razões, cada uma dentro da sua rodada: é o que resiste a uma máquina que muda de velocidade. */
  razao(acima: string, ...abaixo: readonly string[]): number {
    return mediana(
      this.de(acima).map(
        (medida, rodada) =>
          total(medida) / abaixo.reduce((soma, id) => soma + total(this.de(id)[rodada] as Medida), 0),
      ),
    );
  }
}

const total = ({ cpu }: Medida): number => cpu.reduce((soma, parcela) => soma + parcela, 0);

/** Roda uma linha uma vez. */
export async function medir(linha: Linha, vezes = linha.vezes): Promise<Medida> {
  await linha.preparar(vezes);
  const antes = await Promise.all(linha.medidos.map((processo) => processo.cpu()));
  const { ms, p50, p99 } = await linha.emitir(vezes);
  const depois = await Promise.all(linha.medidos.map((processo) => processo.cpu()));
  return {
    cpu: depois.map((valor, i) => (valor - (antes[i] as number)) / vezes),
    porSegundo: (vezes * 1000) / ms,
    p50,
    p99,
  };
}

async function aquecer(linha: Linha): Promise<void> {
  const { rodadas, ms } = AQUECIMENTO[linha.grupo];
  const prazo = performance.now() + ms;
  for (let n = 0; n < rodadas && performance.now() < prazo; n++) await medir(linha);
}

/**
 * Aquece e mede.
 * @param prazo instante (`performance.now`) depois do qual nenhuma rodada começa, salvo a primeira.
 */
export async function rodar(
  linhas: readonly Linha[],
  { rodadas }: Pick<Medidas, 'rodadas'>,
  prazo: number,
  avisar: (texto: string) => void,
): Promise<{ resultados: Resultados; feitas: number }> {
  avisar('aquecendo');
  for (const linha of linhas) await aquecer(linha);
  const resultados = new Resultados();
  let feitas = 0;
  while (feitas < rodadas && (feitas === 0 || performance.now() < prazo)) {
    avisar(`rodada ${feitas + 1} de ${rodadas}`);
    // Alternar o sentido tira de cada linha a vantagem, ou a desvantagem, de vir sempre depois da mesma.
    for (const linha of feitas % 2 ? [...linhas].reverse() : linhas) {
      resultados.guardar(linha.id, await medir(linha));
    }
    feitas++;
  }
  return { resultados, feitas };
}
