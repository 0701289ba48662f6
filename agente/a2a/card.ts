/** O Agent Card (spec §4.4, §8) e a resposta HTTP que o publica com cache (spec §8.6). */

/** Um endereço e o binding que fala (spec §4.4.6). */
export interface AgentInterface {
  readonly url: string;
  readonly protocolBinding: 'JSONRPC' | 'HTTP+JSON' | 'GRPC' | (string & {});
  readonly protocolVersion: string;
  readonly tenant?: string;
}

/** Uma capacidade do agente (spec §4.4.5). */
export interface AgentSkill {
  readonly id: string;
  readonly name: string;
  readonly description: string;
  readonly tags: readonly string[];
  readonly examples?: readonly string[];
  readonly inputModes?: readonly string[];
  readonly outputModes?: readonly string[];
}

/** Uma extensão do protocolo que o agente fala, ou exige (spec §4.4.4). */
export interface AgentExtension {
  readonly uri: string;
  readonly description?: string;
  readonly required?: boolean;
  readonly params?: Readonly<Record<string, unknown>>;
}

/** Assinatura JWS do card, sem o payload (spec §8.4.2). */
export interface AgentCardSignature {
  readonly protected: string;
  readonly signature: string;
  readonly header?: Readonly<Record<string, unknown>>;
}

/** A identidade pública de um agente (spec §4.4.1). */
export interface AgentCard {
  readonly name: string;
  readonly description: string;
  readonly version: string;
  readonly supportedInterfaces: readonly AgentInterface[];
  readonly provider?: { readonly organization: string; readonly url: string };
  readonly documentationUrl?: string;
  readonly iconUrl?: string;
  readonly capabilities: {
    readonly streaming?: boolean;
    readonly pushNotifications?: boolean;
    readonly extendedAgentCard?: boolean;
    readonly extensions?: readonly AgentExtension[];
  };
  readonly securitySchemes?: Readonly<Record<string, unknown>>;
  readonly securityRequirements?: readonly unknown[];
  readonly defaultInputModes: readonly string[];
  readonly defaultOutputModes: readonly string[];
  readonly skills: readonly AgentSkill[];
  readonly signatures?: readonly AgentCardSignature[];
}

/** Onde o card é publicado (spec §8.2, §14.3). */
export const CAMINHO_DO_CARD = '/.well-known/agent-card.json';

const MAX_AGE_S = 300;

/**
 * Prepara a resposta do card: corpo, ETag (do conteúdo) e Last-Modified, calculados de novo só quando o card é outro.
 * @param ler o card a publicar agora; enquanto for o mesmo objeto, a resposta preparada continua valendo.
 * @param agora relógio, em ms; `Last-Modified` é quando este processo passou a publicar este card.
 * @param assinar o que fazer ao card antes de publicá-lo. Uma falha não é guardada: o próximo pedido tenta de novo.
 * @returns função que responde 200, ou 304 a quem já tem esta versão. Rejeita se o card não pôde ser montado.
 */
export function publicarCard(
  ler: () => AgentCard | Promise<AgentCard>,
  agora: () => number,
  assinar: (card: AgentCard) => AgentCard | Promise<AgentCard> = (card) => card,
): (request: Request) => Promise<Response> {
  let publicado: { readonly card: AgentCard; readonly pronto: ReturnType<typeof preparar> } | undefined;
  const preparar = async (card: AgentCard) => {
    const corpo = JSON.stringify(await assinar(card));
    const resumo = new Uint8Array(await crypto.subtle.digest('SHA-256', new TextEncoder().encode(corpo)));
    const hex = Array.from(resumo.subarray(0, 16), (byte) => byte.toString(16).padStart(2, '0')).join('');
    return { corpo, etag: `"${hex}"`, lastModified: new Date(agora()).toUTCString() };
  };
  return async (request) => {
    const card = await ler();
    if (publicado?.card !== card) publicado = { card, pronto: preparar(card) };
    const { corpo, etag, lastModified } = await publicado.pronto.catch((erro) => {
      publicado = undefined;
      throw erro;
    });
    const headers = {
      'cache-control': `public, max-age=${MAX_AGE_S}`,
      etag,
      'last-modified': lastModified,
    };
    if (naoMudou(request.headers, etag, lastModified)) return new Response(null, { status: 304, headers });
    return new Response(corpo, { headers: { ...headers, 'content-type': 'application/json' } });
  };
}

/** RFC 9110 §13.2.2: If-None-Match vale mais que If-Modified-Since. */
function naoMudou(headers: Headers, etag: string, lastModified: string): boolean {
  const conhecidas = headers.get('if-none-match');
  if (conhecidas !== null) {
    return conhecidas.split(',').some((tag) => ['*', etag].includes(tag.trim().replace(/^W\//, '')));
  }
  const desde = Date.parse(headers.get('if-modified-since') ?? '');
  return !Number.isNaN(desde) && desde >= Date.parse(lastModified);
}
