/** O trabalho do redator: resumir um artigo em PDF. Um executor do núcleo A2A, e nada mais. */
import {
  artifact,
  completed,
  type Executor,
  inputRequired,
  rejected,
  working,
} from '../../agente/a2a/executor.ts';
import type { Message } from '../../agente/a2a/modelo.ts';
import { lerPdf } from './pdf.ts';

/** O que o redator guarda enquanto espera o tamanho. Quem chamou nunca vê isto: a Task é opaca. */
export interface Material {
  readonly arquivo: string;
  readonly frases: readonly string[];
}

const MAXIMO_DE_PARAGRAFOS = 10;
const MARKDOWN = 'text/markdown';

/**
 * Espera uma Part `raw` com o PDF e uma Part `data` com `targetLength`; sem esta, pausa e pergunta.
 * O resumo sai em três pedaços do mesmo artifact: quem fez streaming os vê chegar, quem não fez recebe o inteiro.
 */
export const redigir: Executor<Material> = async function* ({ message, pausa }) {
  const material = pausa ?? lerMaterial(message);
  if (!material) return yield rejected('Mande o artigo numa Part raw, com mediaType application/pdf e texto');
  yield working();

  const paragrafos = lerTamanho(message);
  if (paragrafos === undefined) {
    return yield inputRequired(
      `Em quantos parágrafos? Responda nesta Task com uma Part data: {"targetLength": "3 paragraphs"}, de 1 a ${MAXIMO_DE_PARAGRAFOS}`,
      material,
    );
  }

  const pedacos = [
    `# Resumo de ${material.arquivo}\n\n`,
    `${agrupar(material.frases, paragrafos).join('\n\n')}\n\n`,
    `_Fonte: ${material.arquivo}, ${material.frases.length} frases._\n`,
  ];
  const artifactId = crypto.randomUUID();
  for (const [i, text] of pedacos.entries()) {
    yield artifact(
      { artifactId, name: 'resumo', parts: [{ text, mediaType: MARKDOWN }] },
      { append: i > 0, lastChunk: i === pedacos.length - 1 },
    );
  }
  yield completed();
};

function lerMaterial({ parts }: Message): Material | undefined {
  const pdf = parts.find(({ raw, mediaType }) => raw !== undefined && ehPdf(mediaType));
  const frases = lerPdf(pdf?.raw ?? '')
    .join(' ')
    .split(/(?<=[.!?]) +/)
    .filter(Boolean);
  return frases.length > 0 ? { arquivo: pdf?.filename ?? 'artigo.pdf', frases } : undefined;
}

/** O tipo de mídia não distingue maiúsculas, e pode trazer parâmetros (RFC 9110 §8.3.1). */
function ehPdf(mediaType: string | undefined): boolean {
  return mediaType?.split(';')[0]?.trim().toLowerCase() === 'application/pdf';
}

/** `{"targetLength": "3 paragraphs"}`, em qualquer das Parts `data`. */
function lerTamanho({ parts }: Message): number | undefined {
  for (const { data } of parts) {
    const tamanho = (data as { targetLength?: unknown } | null | undefined)?.targetLength;
    const paragrafos = Number(/^(\d{1,3}) paragraphs?$/.exec(String(tamanho))?.[1]);
    if (paragrafos >= 1 && paragrafos <= MAXIMO_DE_PARAGRAFOS) return paragrafos;
  }
  return undefined;
}

/** Reparte as frases, na ordem, em parágrafos do mesmo tamanho (os primeiros levam a sobra). */
function agrupar(frases: readonly string[], paragrafos: number): readonly string[] {
  const quantos = Math.min(paragrafos, frases.length);
  return Array.from({ length: quantos }, (_, i) => {
    const inicio = Math.ceil((i * frases.length) / quantos);
    return frases.slice(inicio, Math.ceil(((i + 1) * frases.length) / quantos)).join(' ');
  });
}
