/** Exercício 3: os pedaços chegam pelo stream, e quem chama monta com eles o mesmo artifact que GetTask devolve. */
import type { Artifact } from '../../agente/a2a/modelo.ts';
import { type Buscar, conectar } from '../cliente/cliente-a2a.ts';
import { linha, type Narrar, narrarEvento } from '../cliente/narracao.ts';
import { PEDIDO, TAMANHO } from './artigo.ts';

/**
 * Pede, espera a pausa sem streaming, e responde com streaming.
 * @returns o artifact acumulado e o que o redator guardou.
 */
export async function streaming(
  base: string,
  buscar: Buscar,
  narrar: Narrar,
): Promise<{ readonly acumulado: Artifact | undefined; readonly guardado: Artifact | undefined }> {
  const redator = await conectar(base, buscar);
  const { id: taskId } = await redator.enviar(PEDIDO);

  let acumulado: Artifact | undefined;
  for await (const evento of redator.acompanhar(TAMANHO, { taskId })) {
    narrarEvento(evento, narrar);
    if (!('artifactUpdate' in evento)) continue;
    const { artifact, append = false } = evento.artifactUpdate;
    acumulado = acumular(acumulado, artifact, append);
  }

  const [guardado] = (await redator.lerTask(taskId)).artifacts;
  const veredito = resumir(acumulado) === resumir(guardado) ? 'igual' : 'diferente';
  narrar(linha(veredito, `o artifact acumulado e o de GetTask, com ${guardado?.parts.length} Parts`));
  return { acumulado, guardado };
}

/** Soma um pedaço ao que já chegou do mesmo artifact; sem `append`, o pedaço é o artifact inteiro (spec §4.2.2). */
function acumular(anterior: Artifact | undefined, pedaco: Artifact, append: boolean): Artifact {
  return append && anterior?.artifactId === pedaco.artifactId
    ? { ...anterior, parts: [...anterior.parts, ...pedaco.parts] }
    : pedaco;
}

function resumir(artifact: Artifact | undefined): string {
  return `${artifact?.artifactId} ${artifact?.parts.map(({ text }) => text).join('')}`;
}
