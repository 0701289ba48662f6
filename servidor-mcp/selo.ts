/**
 * O selo do requestState (MCP 2026-07-28, basic/patterns/mrtr): um JWS compacto, assinado e legível, que leva tudo
 * de que o servidor precisa para retomar o pedido depois de um reinício.
 */
import { CompactSign, compactVerify } from 'jose';
import * as z from 'zod';
import { ArgumentosDeReserva, type PedidoDeReserva } from './pedido.ts';

/** O que vai selado: o pedido original e a pergunta feita sobre ele. */
export interface EstadoSelado {
  /** Id aleatório do pedido original; uma pergunta refeita o conserva, e assim o pedido conclui uma vez só. */
  readonly pedido: string;
  readonly ferramenta: string;
  readonly argumentos: PedidoDeReserva;
  /** Chave usada em inputRequests. */
  readonly chave: string;
  readonly alternativas: readonly string[];
}

/** Por que um requestState foi recusado. Vai para o log; o cliente recebe só -32602. */
export class EstadoRecusado extends Error {
  override name = 'EstadoRecusado';
}

/** Sela e abre requestStates. */
export interface Selo {
  /** Sela um estado, com validade a partir de agora. */
  selar(estado: EstadoSelado): Promise<string>;
  /** Abre um estado. @throws {EstadoRecusado} se foi alterado, venceu, ou não foi selado com nenhum dos segredos. */
  abrir(token: string): Promise<EstadoSelado>;
}

const ALG = 'HS384';
const CODIFICADOR = new TextEncoder();

// 48 bytes de HMAC-SHA384 são 64 caracteres exatos de base64url, sem bits sobrando no último: com este alfabeto cada
// assinatura tem uma única grafia. Com HS256 sobrariam dois bits, e 1 em 16 trocas do último caractere passaria.
const GRAFIA = /^[A-Za-z0-9_-]+\.[A-Za-z0-9_-]+\.[A-Za-z0-9_-]{64}$/;

// Os argumentos têm tamanho limitado; nada que este servidor sela chega perto disto.
const MAXIMO_DE_CARACTERES = 16_384;

const Conteudo = z.object({
  exp: z.number(),
  jti: z.string(),
  ferramenta: z.string(),
  argumentos: ArgumentosDeReserva,
  chave: z.string(),
  alternativas: z.array(z.string()),
});

/**
 * Cria o selo.
 * @param segredos textos secretos: o primeiro sela, todos abrem (rotação).
 * @param ttlSegundos validade de um estado.
 * @param agora relógio, em ms desde 1970.
 */
export function criarSelo(segredos: readonly string[], ttlSegundos: number, agora: () => number): Selo {
  // Importar a chave custa tanto quanto assinar: uma vez por processo, no primeiro uso.
  let importadas: Promise<readonly CryptoKey[]> | undefined;
  const chaves = (): Promise<readonly CryptoKey[]> => {
    importadas ??= Promise.all(segredos.map(importar));
    return importadas;
  };

  return {
    async selar({ pedido, ...resto }) {
      const exp = agora() / 1000 + ttlSegundos;
      const [chave] = await chaves();
      return new CompactSign(CODIFICADOR.encode(JSON.stringify({ exp, jti: pedido, ...resto })))
        .setProtectedHeader({ alg: ALG })
        .sign(chave as CryptoKey);
    },

    async abrir(token) {
      if (token.length > MAXIMO_DE_CARACTERES || !GRAFIA.test(token)) {
        throw new EstadoRecusado('grafia inválida');
      }
      const lido = Conteudo.safeParse(jsonOuNada(await verificar(token, await chaves())));
      if (!lido.success) throw new EstadoRecusado('conteúdo de outra versão');
      const { exp, jti: pedido, ...resto } = lido.data;
      if (exp * 1000 <= agora()) throw new EstadoRecusado('vencido');
      return { pedido, ...resto };
    },
  };
}

function importar(segredo: string): Promise<CryptoKey> {
  return crypto.subtle.importKey(
    'raw',
    CODIFICADOR.encode(segredo),
    { name: 'HMAC', hash: 'SHA-384' },
    false,
    ['sign', 'verify'],
  );
}

async function verificar(token: string, chaves: readonly CryptoKey[]): Promise<string> {
  for (const chave of chaves) {
    try {
      const { payload } = await compactVerify(token, chave, { algorithms: [ALG] });
      return new TextDecoder().decode(payload);
    } catch {
      // Outra chave da lista pode ter selado este estado.
    }
  }
  throw new EstadoRecusado('assinatura inválida');
}

function jsonOuNada(texto: string): unknown {
  try {
    return JSON.parse(texto);
  } catch {
    return undefined;
  }
}
