/**
 * Cards assinados (spec §8.4): um JWS com payload destacado, que é o card na forma canônica.
 *
 * @example
 * import modulo from 'canonicalize';
 * const canonicalizar = modulo as unknown as Canonicalizar; // os tipos do pacote não descrevem o que ele exporta
 * const { privateKey, publicKey } = await generateKeyPair('ES256'); // jose
 * const assinado = await assinarCard(card, { chave: privateKey, alg: 'ES256', kid: 'k1', canonicalizar });
 * await conferirCard(assinado, { chavePara: () => publicKey, algoritmos: ['ES256'], canonicalizar });
 */
import { base64url, decodeProtectedHeader, FlattenedSign, flattenedVerify, type KeyInput } from 'jose';
import type { AgentCard, AgentCardSignature } from './card.ts';
import { type Canonicalizar, canonizarCard } from './card-canonico.ts';

/** O header protegido de uma assinatura de card (spec §8.4.2). */
export interface HeaderDaAssinatura {
  readonly alg: string;
  readonly kid: string;
  /** Onde o JWK Set com a chave pública é publicado. */
  readonly jku?: string | undefined;
}

/** Como assinar. `alg` tem de servir à `chave`: privada (ES256, EdDSA, ...) ou secreta (HS256). */
export interface OpcoesDeAssinatura extends HeaderDaAssinatura {
  readonly chave: KeyInput;
  readonly canonicalizar: Canonicalizar;
}

/** Como conferir. */
export interface OpcoesDeConferencia {
  /**
   * A chave em que se confia para este header, que ainda não foi verificado; `undefined` se nenhuma. Um `jku` só deve
   * ser seguido se for de um endereço já conhecido.
   */
  readonly chavePara: (header: HeaderDaAssinatura) => KeyInput | undefined | Promise<KeyInput | undefined>;
  /** Os únicos valores de `alg` aceitos. Quem decide é quem confere, nunca o card: `none` não entra. */
  readonly algoritmos: readonly string[];
  readonly canonicalizar: Canonicalizar;
}

/** Nenhuma assinatura do card vale: o conteúdo mudou, a chave é outra, ou o algoritmo não é aceito. */
export class CardNaoConfere extends Error {
  override name = 'CardNaoConfere';
}

/**
 * Acrescenta uma assinatura ao card; as que já houver continuam (rotação de chaves).
 * @returns outro card, com `signatures`.
 * @throws {TypeError} se a `chave` não serve ao `alg`.
 */
export async function assinarCard(card: AgentCard, opcoes: OpcoesDeAssinatura): Promise<AgentCard> {
  const { chave, canonicalizar, alg, kid, jku } = opcoes;
  const bytes = new TextEncoder().encode(canonizarCard(card, canonicalizar));
  const jws = await new FlattenedSign(bytes)
    .setProtectedHeader({ alg, kid, typ: 'JOSE', ...(jku !== undefined && { jku }) })
    .sign(chave);
  const assinatura = { protected: jws.protected ?? '', signature: jws.signature };
  return { ...card, signatures: [...(card.signatures ?? []), assinatura] };
}

/**
 * Confere o card: basta uma assinatura válida de uma chave em que se confia (spec §8.4.3).
 * @returns o header da assinatura que valeu.
 * @throws {CardNaoConfere} se nenhuma vale, ou se não há nenhuma.
 */
export async function conferirCard(
  card: AgentCard,
  { chavePara, algoritmos, canonicalizar }: OpcoesDeConferencia,
): Promise<HeaderDaAssinatura> {
  const payload = base64url.encode(canonizarCard(card, canonicalizar));
  for (const assinatura of card.signatures ?? []) {
    const header = lerHeader(assinatura);
    const chave = header && algoritmos.includes(header.alg) ? await chavePara(header) : undefined;
    if (!header || !chave) continue;
    // Só o header protegido conta: o outro qualquer um reescreve.
    const jws = { payload, protected: assinatura.protected, signature: assinatura.signature };
    const vale = await flattenedVerify(jws, chave, { algorithms: [...algoritmos] }).then(
      () => true,
      () => false,
    );
    if (vale) return header;
  }
  throw new CardNaoConfere('Nenhuma assinatura do card vale para uma chave conhecida');
}

function lerHeader({ protected: protegido, signature }: AgentCardSignature): HeaderDaAssinatura | undefined {
  try {
    // Os bits que sobram no último caractere do base64url não são conferidos pelo JWS: exige-se a grafia única.
    if (base64url.encode(base64url.decode(signature)) !== signature) return undefined;
    const { alg, kid, jku } = decodeProtectedHeader({ protected: protegido });
    if (typeof alg !== 'string' || typeof kid !== 'string') return undefined;
    return { alg, kid, ...(typeof jku === 'string' && { jku }) };
  } catch {
    return undefined;
  }
}
