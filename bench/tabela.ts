/** O relatório do bench: o que se imprime e o que vai em `--json`. */
import { availableParallelism } from 'node:os';
import type { Alvo } from './alvos.ts';
import { mediana } from './estatistica.ts';
import type { Inicio } from './inicio.ts';
import type { Linha } from './linhas.ts';
import type { Memoria } from './memoria.ts';
import type { Resultados } from './rodadas.ts';

/** O documento de `--json`. CPU em microssegundos por operação, latências em ms, memória em bytes. */
export interface Relatorio {
  readonly node: string;
  readonly nucleos: number;
  readonly rodadas: number;
  readonly linhas: readonly {
    readonly grupo: string;
    readonly id: string;
    readonly nome: string;
    readonly cpuUs: number;
    readonly cpuPorProcessoUs: Readonly<Record<string, number>>;
    /** Em relação ao eco de node:http da mesma rodada. */
    readonly vezesOEco: number;
    readonly porSegundo: number;
    readonly p50Ms: number;
    readonly p99Ms: number;
  }[];
  readonly inicio: Inicio;
  readonly memoria: Memoria;
  readonly alvos: readonly Alvo[];
}

/** Reúne as medianas num documento. */
export function relatar(
  linhas: readonly Linha[],
  resultados: Resultados,
  { rodadas, ...resto }: Pick<Relatorio, 'rodadas' | 'inicio' | 'memoria' | 'alvos'>,
): Relatorio {
  return {
    node: process.version,
    nucleos: availableParallelism(),
    rodadas,
    linhas: linhas.map(({ grupo, id, nome, medidos }) => {
      const medidas = resultados.de(id);
      return {
        grupo,
        id,
        nome,
        cpuUs: resultados.cpu(id),
        cpuPorProcessoUs: Object.fromEntries(
          medidos.map((processo, i) => [processo.nome, mediana(medidas.map(({ cpu }) => cpu[i] as number))]),
        ),
        vezesOEco: resultados.razao(id, 'eco'),
        porSegundo: mediana(medidas.map(({ porSegundo }) => porSegundo)),
        p50Ms: mediana(medidas.map(({ p50 }) => p50)),
        p99Ms: mediana(medidas.map(({ p99 }) => p99)),
      };
    }),
    ...resto,
  };
}

/** O relatório para ler, em Markdown. */
export function imprimir({ node, nucleos, rodadas, linhas, inicio, memoria, alvos }: Relatorio): string {
  const mb = (bytes: number): string => `${(bytes / 1e6).toFixed(0)} MB`;
  const tabelaDeLinhas = alinhar([
    ['', 'CPU µs/op', 'por processo', '× eco', 'op/s', 'p50 ms', 'p99 ms'],
    ...linhas.map((linha) => [
      linha.nome,
      linha.cpuUs.toFixed(0),
      Object.values(linha.cpuPorProcessoUs)
        .map((us) => us.toFixed(0))
        .join(' + '),
      linha.vezesOEco.toFixed(2),
      linha.porSegundo.toFixed(0),
      linha.p50Ms.toFixed(2),
      linha.p99Ms.toFixed(2),
    ]),
  ]);
  const tabelaDeAlvos = alinhar([
    ['alvo', 'limite', 'medido', ''],
    ...alvos.map(({ alvo, limite, medido, ok }) => [
      alvo,
      String(limite),
      medido >= 100 ? medido.toFixed(0) : medido.toFixed(3),
      ok ? 'ok' : 'NÃO',
    ]),
  ]);
  return [
    `Node ${node}, ${nucleos} núcleos, medianas de ${rodadas} rodadas intercaladas`,
    '',
    tabelaDeLinhas,
    '',
    `npm start até a primeira reserva: ${inicio.nossoMs.toFixed(0)} ms; serviço Hono mínimo: ${inicio.minimoMs.toFixed(0)} ms`,
    `Memória residente, ociosa e depois de ${memoria.reservas} reservas: agente ${mb(memoria.agente.ociosa)} e ${mb(memoria.agente.depois)}, ` +
      `servidor MCP ${mb(memoria.servidorMcp.ociosa)} e ${mb(memoria.servidorMcp.depois)}`,
    '',
    tabelaDeAlvos,
  ].join('\n');
}

function alinhar([titulos = [], ...linhas]: readonly (readonly string[])[]): string {
  const larguras = titulos.map((titulo, i) =>
    Math.max(titulo.length, ...linhas.map((linha) => (linha[i] ?? '').length)),
  );
  const emLinha = (celulas: readonly string[]): string =>
    `| ${celulas.map((celula, i) => (i === 0 ? celula.padEnd(larguras[i] ?? 0) : celula.padStart(larguras[i] ?? 0))).join(' | ')} |`;
  const regua = `|${larguras.map((largura, i) => (i === 0 ? '-'.repeat(largura + 2) : `${'-'.repeat(largura + 1)}:`)).join('|')}|`;
  return [emLinha(titulos), regua, ...linhas.map(emLinha)].join('\n');
}
