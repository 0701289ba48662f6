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
 * Quantas vezes cada linha de um grupo roda antes de se medir, e o tempo (ms) que isso pode levar. O V8 leva milhares de
 * requests para otimizar o caminho todo: os serviços chegam aqui depois de dezenas de milhares, e os pisos não podem
 * perder por frios.
 */
const AQUECIMENTO = {
  pisos: { vezes: 8_000, ms: 8_000 },
  nossas: { vezes: 500, ms: 700 },
  crescimento: { vezes: 1_000, ms: 800 },
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
    const medidas = this.de(acima);
    // Umas linhas medem-se mais vezes por rodada do que outras.
    const daRodada = (id: string, n: number): Medida =>
      this.de(id)[Math.floor((n * this.de(id).length) / medidas.length)] as Medida;
    return mediana(
      medidas.map(
        (medida, n) => total(medida) / abaixo.reduce((soma, id) => soma + total(daRodada(id, n)), 0),
      ),
    );
  }
}

const total = ({ cpu }: Medida): number => cpu.reduce((soma, parcela) => soma + parcela, 0);

/**
 * Quanto de um lote se roda antes dele sem medir: reabre as conexões que expiraram e põe o processo de volta nos caches do
 * processador. Sem isto ganharia quem aparece em mais linhas, por ter rodado há menos tempo.
 */
const PRELUDIO = 1 / 2;

/** Roda uma linha uma vez. */
export async function medir(linha: Linha): Promise<Medida> {
  const { vezes, medidos } = linha;
  await emitir(linha, Math.ceil(vezes * PRELUDIO));
  await linha.preparar(vezes);
  const antes = await Promise.all(medidos.map((processo) => processo.cpu()));
  const { ms, p50, p99 } = await linha.emitir(vezes);
  const depois = await Promise.all(medidos.map((processo) => processo.cpu()));
  return {
    cpu: depois.map((valor, i) => (valor - (antes[i] as number)) / vezes),
    porSegundo: (vezes * 1000) / ms,
    p50,
    p99,
  };
}

/** Roda uma linha sem medir. */
export async function emitir(linha: Linha, vezes: number): Promise<void> {
  await linha.preparar(vezes);
  await linha.emitir(vezes);
}

async function aquecer(linha: Linha, fator: number): Promise<void> {
  const { vezes, ms } = AQUECIMENTO[linha.grupo];
  const prazo = performance.now() + ms;
  for (let feitas = 0; feitas < vezes * fator && performance.now() < prazo; feitas += linha.vezes) {
    await emitir(linha, linha.vezes);
  }
}

/** Quantas vezes por rodada se percorre uma série. */
const VOLTAS_DE_UMA_SERIE = 6;

/**
 * Aquece e mede.
 * @param prazo instante (`performance.now`) em que a última rodada tem de ter acabado, a julgar pela anterior.
 */
export async function rodar(
  linhas: readonly Linha[],
  { rodadas, fator }: Pick<Medidas, 'rodadas' | 'fator'>,
  prazo: number,
  avisar: (texto: string) => void,
): Promise<{ resultados: Resultados; feitas: number }> {
  avisar('aquecendo');
  for (const linha of linhas) await aquecer(linha, fator);
  const resultados = new Resultados();
  const avulsas = linhas.filter(({ serie }) => serie === undefined);
  const series = [...new Set(linhas.flatMap(({ serie = [] }) => serie))].map((nome) =>
    linhas.filter(({ serie }) => serie === nome),
  );
  let feitas = 0;
  let duracao = 0;
  while (feitas < rodadas && (feitas === 0 || performance.now() + duracao < prazo)) {
    const comeco = performance.now();
    avisar(`rodada ${feitas + 1} de ${rodadas}`);
    for (const linha of emSentido(avulsas, feitas)) resultados.guardar(linha.id, await medir(linha));
    for (const serie of series) {
      for (let volta = 0; volta < VOLTAS_DE_UMA_SERIE; volta++) {
        for (const linha of emSentido(serie, volta)) {
          if (volta % linha.aCada === 0) resultados.guardar(linha.id, await medir(linha));
        }
      }
    }
    feitas++;
    duracao = performance.now() - comeco;
  }
  return { resultados, feitas };
}

/** Alternar o sentido tira de cada linha a vantagem, ou a desvantagem, de vir sempre depois da mesma. */
function emSentido(linhas: readonly Linha[], vez: number): readonly Linha[] {
  return vez % 2 ? [...linhas].reverse() : linhas;
}
