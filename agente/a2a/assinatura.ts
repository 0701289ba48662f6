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
import {
  base64url,
  decodeProtectedHeader,
  type FlattenedJWSInput,
  FlattenedSign,
  flattenedVerify,
  type KeyInput,
} from 'jose';
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
   * ser seguido se for de um endereço já conhecido. Se lançar, é como se não houvesse chave.
   */
  readonly chavePara: (header: HeaderDaAssinatura) => KeyInput | undefined | Promise<KeyInput | undefined>;
  /** Os únicos valores de `alg` aceitos. Quem decide é quem confere, nunca o card: `none` não entra. */
  readonly algoritmos: readonly string[];
  readonly canonicalizar: Canonicalizar;
}

/**
 * Nenhuma assinatura do card vale: o conteúdo mudou, a chave é outra, ou o algoritmo não é aceito. `cause` é a última
 * falha de quem procurou uma chave, se houve alguma.
 */
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
 * @throws {CardNaoConfere} se nenhuma vale, se não há nenhuma, ou se o que veio não tem a forma de um card.
 */
export async function conferirCard(
  card: AgentCard,
  { chavePara, algoritmos, canonicalizar }: OpcoesDeConferencia,
): Promise<HeaderDaAssinatura> {
  const payload = lerPayload(card, canonicalizar);
  // O card vem de fora: o tipo diz o que deveria haver nele.
  const assinaturas: unknown = card.signatures;
  let cause: unknown;
  for (const assinatura of Array.isArray(assinaturas) ? assinaturas : []) {
    const header = lerHeader(assinatura);
    if (!header || !algoritmos.includes(header.alg)) continue;
    // Só o header protegido conta: o outro qualquer um reescreve.
    const jws = { payload, protected: assinatura.protected, signature: assinatura.signature };
    try {
      const chave = await chavePara(header);
      if (chave && (await vale(jws, chave, algoritmos))) return header;
    } catch (erro) {
      cause = erro;
    }
  }
  throw new CardNaoConfere('Nenhuma assinatura do card vale para uma chave conhecida', { cause });
}

function lerPayload(card: AgentCard, canonicalizar: Canonicalizar): string {
  try {
    return base64url.encode(canonizarCard(card, canonicalizar));
  } catch (cause) {
    throw new CardNaoConfere('O card não tem forma canônica', { cause });
  }
}

function vale(jws: FlattenedJWSInput, chave: KeyInput, algoritmos: readonly string[]): Promise<boolean> {
  return flattenedVerify(jws, chave, { algorithms: [...algoritmos] }).then(
    () => true,
    () => false,
  );
}

function lerHeader(assinatura: unknown): HeaderDaAssinatura | undefined {
  try {
    const { protected: protegido, signature } = assinatura as AgentCardSignature;
    // Os bits que sobram no último caractere do base64url não são conferidos pelo JWS: exige-se a grafia única.
    if (base64url.encode(base64url.decode(signature)) !== signature) return undefined;
    const { alg, kid, jku } = decodeProtectedHeader({ protected: protegido });
    if (typeof alg !== 'string' || typeof kid !== 'string') return undefined;
    return { alg, kid, ...(typeof jku === 'string' && { jku }) };
  } catch {
    return undefined;
  }
}
