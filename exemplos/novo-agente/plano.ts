/** O plano de um agente novo, e as três coisas sem as quais ele não deve ser publicado. */
import * as z from 'zod';
import { TASK_STATES } from '../../agente/a2a/modelo.ts';

const texto = z.string().min(1);
const skill = z.strictObject({
  id: texto,
  nome: texto,
  descricao: texto,
  tags: z.array(texto).min(1),
  entrada: z.array(texto).optional(),
  saida: z.array(texto).optional(),
});

/** Só a forma: o que falta ao plano para ele poder ser publicado é dito por `recusar`. */
export const Plano = z.strictObject({
  nome: texto,
  descricao: texto,
  versao: texto,
  url: z.string().optional(),
  bindings: z.array(z.enum(['JSONRPC', 'HTTP+JSON'])).min(1),
  streaming: z.boolean(),
  skills: z
    .array(skill)
    .min(1)
    .refine((skills) => new Set(skills.map(({ id }) => id)).size === skills.length, {
      error: 'cada skill tem o seu id',
    }),
  /** Quando a Task chega a cada estado que o agente usa. */
  estados: z
    .partialRecord(z.enum(TASK_STATES).exclude(['TASK_STATE_UNSPECIFIED']), texto)
    .refine((estados) => estados.TASK_STATE_COMPLETED && estados.TASK_STATE_FAILED, {
      error:
        'todo agente termina Tasks: diga ao menos quando é TASK_STATE_COMPLETED e quando é TASK_STATE_FAILED',
    }),
  assinatura: z.strictObject({ alg: texto, kid: texto.optional(), jku: z.string().optional() }).optional(),
});
export type Plano = z.output<typeof Plano>;

/** Um plano que passou pelas três recusas. */
export interface PlanoAceito extends Plano {
  readonly url: string;
  readonly skills: (Plano['skills'][number] & { readonly entrada: string[]; readonly saida: string[] })[];
  readonly assinatura: { readonly alg: string; readonly kid: string; readonly jku: string };
}

/** Um tipo de mídia, com os parâmetros que tiver: `text/markdown`, `text/markdown; charset=utf-8` (RFC 9110 §8.3.1). */
const MIDIA =
  /^[a-z0-9!#$&^_.+-]+\/[a-z0-9!#$&^_.+-]+( *; *[a-z0-9!#$&^_.+-]+=([a-z0-9!#$&^_.+-]+|"[^"\\]*"))*$/i;
/** Nomes que nunca chegam a ninguém de fora: os reservados (RFC 2606, 6761, 6762, 8375) e os que só redes de casa usam. */
const SO_DE_DENTRO = /(^|\.)(local|localhost|internal|test|invalid|home\.arpa|lan|home|corp)$/;
/** Um segredo não prova um card público: quem pudesse conferir poderia assinar. */
const ALGS_ASSIMETRICOS = ['ES256', 'ES384', 'ES512', 'EdDSA', 'RS256', 'PS256'];

/**
 * As três recusas: sem URL estável, skill sem modos, sem plano de assinatura.
 * @returns o motivo de cada uma; vazio se o plano pode ser publicado, e então ele é um `PlanoAceito`.
 */
export function recusar({ url, skills, assinatura }: Plano): readonly string[] {
  const recusas: string[] = [];
  if (!urlEstavel(url)) {
    recusas.push(
      `sem URL estável: "url" deve ser https, com um nome público e sem porta, query nem fragmento; veio ${JSON.stringify(url)}`,
    );
  }
  for (const { id, entrada = [], saida = [] } of skills) {
    const ruins = [...entrada, ...saida].filter((modo) => !MIDIA.test(modo));
    if (entrada.length === 0 || saida.length === 0 || ruins.length > 0) {
      recusas.push(
        `skill sem modos: "${id}" deve dizer "entrada" e "saida", em tipos de mídia como text/markdown`,
      );
    }
  }
  if (!assinatura?.kid || !urlEstavel(assinatura.jku) || !ALGS_ASSIMETRICOS.includes(assinatura.alg)) {
    recusas.push(
      `sem plano de assinatura: "assinatura" deve dizer "alg" (${ALGS_ASSIMETRICOS.join(', ')}), "kid" e, em "jku", a URL estável das chaves públicas`,
    );
  }
  return recusas;
}

function urlEstavel(url: string | undefined): boolean {
  if (!url || !URL.canParse(url)) return false;
  // Um `?` ou `#` sem nada depois some de `search` e `hash`, mas não da URL que iria para o card.
  if (/[?#]/.test(url)) return false;
  const { protocol, hostname, port, username, password } = new URL(url);
  const nomePublico = /^(?!\d+(\.\d+)+$)[^.]+(\.[^.]+)+$/.test(hostname) && !SO_DE_DENTRO.test(hostname);
  return protocol === 'https:' && nomePublico && !port && !username && !password;
}
