/**
 * W3C Trace Context (https://www.w3.org/TR/trace-context/, §3.2), só o que a ponte precisa:
 * aceitar um traceparent válido, recusar o resto e derivar um filho por request.
 */

/** Um traceparent já validado. Ids em hexadecimal minúsculo; `flags` é o byte trace-flags. */
export interface Traceparent {
  readonly traceId: string;
  readonly spanId: string;
  readonly flags: number;
}

const FORMATO = /^([0-9a-f]{2})-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})(-.*)?$/;
const FLAGS_CONHECIDAS = 0x03;

/**
 * Lê o valor de um header ou de `_meta.traceparent`.
 * @param valor texto recebido, ou nada.
 * @returns o contexto, ou `undefined` se ausente ou inválido (versão `ff`, ids só de zeros, maiúsculas, sobra
 * de caracteres na versão 00). Nunca lança.
 */
export function lerTraceparent(valor: string | null | undefined): Traceparent | undefined {
  if (!valor || valor.length > 512) return undefined;
  const partes = FORMATO.exec(valor);
  if (!partes) return undefined;
  const [, versao, traceId, spanId, flags, resto] = partes as unknown as [
    string,
    string,
    string,
    string,
    string,
    string?,
  ];
  if (versao === 'ff' || (versao === '00' && resto !== undefined)) return undefined;
  if (/^0+$/.test(traceId) || /^0+$/.test(spanId)) return undefined;
  // A spec manda zerar os bits que não conhecemos em vez de repassá-los.
  return { traceId, spanId, flags: Number.parseInt(flags, 16) & FLAGS_CONHECIDAS };
}

/** Um trace novo, amostrado, para quando o cliente não mandou nenhum (ou mandou um inválido). */
export function novoTraceparent(): Traceparent {
  return { traceId: oitoBytes() + oitoBytes(), spanId: oitoBytes(), flags: 1 };
}

/**
 * O valor a enviar num request filho: mesmo trace-id e flags, span-id novo, sempre na versão 00.
 * @returns 55 caracteres, prontos para `_meta.traceparent`.
 */
export function traceparentFilho(pai: Traceparent): string {
  return `00-${pai.traceId}-${oitoBytes()}-${pai.flags.toString(16).padStart(2, '0')}`;
}

/**
 * Dezesseis dígitos aleatórios, nunca todos zero. Vêm das pontas de um UUID, que não têm bits fixos: os runtimes sorteiam
 * UUIDs às centenas, enquanto cada `getRandomValues` é uma chamada ao sistema.
 */
function oitoBytes(): string {
  let hex: string;
  do {
    const uuid = crypto.randomUUID();
    hex = uuid.slice(0, 8) + uuid.slice(-8);
  } while (/^0+$/.test(hex));
  return hex;
}
