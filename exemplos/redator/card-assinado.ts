/** Exercício 2: um card que prova de quem é, e um verificador que não se deixa enganar (spec §8.4). */
import canonicalize from 'canonicalize';
import {
  base64url,
  type CryptoKey,
  createLocalJWKSet,
  exportJWK,
  generateKeyPair,
  generateSecret,
  type JSONWebKeySet,
} from 'jose';
import {
  assinarCard,
  CardNaoConfere,
  conferirCard,
  type OpcoesDeConferencia,
} from '../../agente/a2a/assinatura.ts';
import { type AgentCard, CAMINHO_DO_CARD } from '../../agente/a2a/card.ts';
import type { Canonicalizar } from '../../agente/a2a/card-canonico.ts';
import { HOSTS_LOCAIS, motivoDeRecusa } from '../../comum/guarda.ts';
import type { Manipulador } from '../../comum/manipulador.ts';
import { linha, type Narrar } from '../cliente/narracao.ts';
import { criarRedator } from './agente.ts';

// Os tipos do pacote descrevem outro formato de módulo: o que chega é a própria função.
const canonicalizar = canonicalize as unknown as Canonicalizar;

const BASE = 'http://localhost';
const CAMINHO_DAS_CHAVES = '/jwks.json';

/** Assina com um segredo, depois com um par de chaves, e mostra o que o verificador aceita e recusa. */
export async function cardAssinado(narrar: Narrar): Promise<void> {
  const escrever = (): void => {};

  // HS256: quem confere precisa do segredo, e com ele poderia assinar. Serve entre dois que já se conhecem.
  const segredo = await generateSecret('HS256', { extractable: true });
  const comSegredo = criarRedator({
    urlPublica: BASE,
    escrever,
    assinar: (card) => assinarCard(card, { chave: segredo, alg: 'HS256', kid: 'segredo-1', canonicalizar }),
  });
  narrar(linha('HS256', 'um segredo que os dois lados têm'));
  await provar(
    comSegredo,
    narrar,
    { chavePara: () => segredo, algoritmos: ['HS256'], canonicalizar },
    {
      chavePara: () => generateSecret('HS256', { extractable: true }),
    },
  );

  // ES256: só o redator assina, e qualquer um confere com a chave que ele publica.
  const { privateKey, publicKey } = await generateKeyPair('ES256');
  const chaves: JSONWebKeySet = {
    keys: [{ ...(await exportJWK(publicKey)), kid: 'redator-1', alg: 'ES256', use: 'sig' }],
  };
  const jku = `${BASE}${CAMINHO_DAS_CHAVES}`;
  const comPar = publicarChaves(
    criarRedator({
      urlPublica: BASE,
      escrever,
      assinar: (card) =>
        assinarCard(card, { chave: privateKey, alg: 'ES256', kid: 'redator-1', jku, canonicalizar }),
    }),
    chaves,
  );
  narrar(linha('ES256', `a chave pública está em ${jku}`));
  await provar(
    comPar,
    narrar,
    {
      // O jku vem do card: só se segue o que já se conhecia, senão o impostor publicaria a chave dele.
      chavePara: async (header) => (header.jku === jku ? buscarChave(comPar, jku, header.kid) : undefined),
      algoritmos: ['ES256'],
      canonicalizar,
    },
    { chavePara: async () => (await generateKeyPair('ES256')).publicKey },
  );
}

/** Confere o card publicado como deve ser, e depois quatro vezes como não deve. */
async function provar(
  redator: Manipulador,
  narrar: Narrar,
  certo: OpcoesDeConferencia,
  outro: Pick<OpcoesDeConferencia, 'chavePara'>,
): Promise<void> {
  const resposta = await redator.fetch(new Request(`${BASE}${CAMINHO_DO_CARD}`));
  const card = (await resposta.json()) as AgentCard;
  const casos: readonly (readonly [string, AgentCard, OpcoesDeConferencia])[] = [
    ['como foi publicado', card, certo],
    ['card alterado', { ...card, description: `${card.description} De graça!` }, certo],
    ['outra chave', card, { ...certo, ...outro }],
    [
      'alg none',
      {
        ...card,
        signatures: [{ protected: base64url.encode('{"alg":"none","kid":"redator-1"}'), signature: '' }],
      },
      certo,
    ],
    ['sem assinatura', { ...card, signatures: [] }, certo],
  ];
  for (const [caso, recebido, opcoes] of casos) {
    const veredito = await conferirCard(recebido, opcoes).then(
      ({ alg, kid }) => `aceito (${alg}, ${kid})`,
      (erro: unknown) => {
        if (!(erro instanceof CardNaoConfere)) throw erro;
        return 'recusado';
      },
    );
    narrar(linha('', `${caso}: ${veredito}`));
  }
}

/** Põe o JWK Set ao lado do agente. */
function publicarChaves(agente: Manipulador, chaves: JSONWebKeySet): Manipulador {
  return {
    async fetch(request, contexto) {
      const { pathname } = new URL(request.url);
      const nosso = request.method === 'GET' && pathname === CAMINHO_DAS_CHAVES;
      if (!nosso || motivoDeRecusa(request, HOSTS_LOCAIS)) return agente.fetch(request, contexto);
      return Response.json(chaves, { headers: { 'content-type': 'application/jwk-set+json' } });
    },
  };
}

async function buscarChave(publicador: Manipulador, jku: string, kid: string): Promise<CryptoKey> {
  const resposta = await publicador.fetch(new Request(jku));
  return createLocalJWKSet((await resposta.json()) as JSONWebKeySet)({ alg: 'ES256', kid });
}
