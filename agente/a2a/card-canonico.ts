/**
 * O que se assina de um card (spec §8.4.1): sem `signatures` e sem os valores padrão que o protobuf não transmite,
 * para que quem o recebeu reconstrua exatamente os mesmos bytes.
 */
import type { AgentCard } from './card.ts';

/**
 * RFC 8785: um valor JSON na sua única grafia (por exemplo, a do pacote `canonicalize`).
 * Vem de fora porque só quem assina ou confere cards precisa de um.
 */
export type Canonicalizar = (valor: unknown) => string | undefined;

/** Uma mensagem do proto: que campos ela tem, e quais deles sobrevivem vazios. */
interface Forma {
  /** Campos REQUIRED, e os `optional`: presentes, contam mesmo iguais ao padrão. */
  readonly ficam?: readonly string[];
  /** Os outros campos: iguais ao padrão, não são transmitidos. */
  readonly somem?: readonly string[];
  /** A forma de cada campo que é uma mensagem ou uma lista delas. */
  readonly mensagens?: Readonly<Record<string, Forma>>;
  /** Presente num `map` do proto: as chaves são livres, e a forma é a de cada valor. */
  readonly mapaDe?: Forma;
}

const ESCOPOS: Forma = { mapaDe: {} };
const REQUISITO: Forma = { mensagens: { schemes: { mapaDe: { somem: ['list'] } } } };

function fluxo(ficam: readonly string[], somem: readonly string[]): Forma {
  return { ficam, somem: [...somem, 'refreshUrl'], mensagens: { scopes: ESCOPOS } };
}

const ESQUEMA_DE_SEGURANCA: Forma = {
  mensagens: {
    apiKeySecurityScheme: { ficam: ['location', 'name'], somem: ['description'] },
    httpAuthSecurityScheme: { ficam: ['scheme'], somem: ['description', 'bearerFormat'] },
    openIdConnectSecurityScheme: { ficam: ['openIdConnectUrl'], somem: ['description'] },
    mtlsSecurityScheme: { somem: ['description'] },
    oauth2SecurityScheme: {
      ficam: ['flows'],
      somem: ['description', 'oauth2MetadataUrl'],
      mensagens: {
        flows: {
          mensagens: {
            authorizationCode: fluxo(['authorizationUrl', 'tokenUrl', 'scopes'], ['pkceRequired']),
            clientCredentials: fluxo(['tokenUrl', 'scopes'], []),
            deviceCode: fluxo(['deviceAuthorizationUrl', 'tokenUrl', 'scopes'], []),
            implicit: fluxo([], ['authorizationUrl']),
            password: fluxo([], ['tokenUrl']),
          },
        },
      },
    },
  },
};
const CARD: Forma = {
  ficam: [
    'name',
    'description',
    'supportedInterfaces',
    'version',
    'documentationUrl',
    'capabilities',
    'defaultInputModes',
    'defaultOutputModes',
    'skills',
    'iconUrl',
  ],
  mensagens: {
    supportedInterfaces: { ficam: ['url', 'protocolBinding', 'protocolVersion'], somem: ['tenant'] },
    provider: { ficam: ['url', 'organization'] },
    capabilities: {
      ficam: ['streaming', 'pushNotifications', 'extendedAgentCard'],
      mensagens: { extensions: { somem: ['uri', 'description', 'required', 'params'] } },
    },
    securitySchemes: { mapaDe: ESQUEMA_DE_SEGURANCA },
    securityRequirements: REQUISITO,
    skills: {
      ficam: ['id', 'name', 'description', 'tags'],
      somem: ['examples', 'inputModes', 'outputModes'],
      mensagens: { securityRequirements: REQUISITO },
    },
  },
};

/**
 * Os bytes que uma assinatura do card cobre, como texto. Um campo que a spec não conhece entra como está, mesmo
 * vazio ou nulo: quem o acrescentar depois de assinado invalida a assinatura.
 * @throws {TypeError} se `canonicalizar` não souber escrever o card.
 */
export function canonizarCard(card: AgentCard, canonicalizar: Canonicalizar): string {
  const { signatures: _fora, ...assinado } = card;
  const texto = canonicalizar(semPadroes(assinado, CARD));
  if (texto === undefined) throw new TypeError('o card não tem forma canônica');
  return texto;
}

function semPadroes(valor: unknown, forma: Forma | undefined): unknown {
  if (!forma || typeof valor !== 'object' || valor === null) return valor;
  if (Array.isArray(valor)) return valor.map((item) => semPadroes(item, forma));
  const { ficam = [], somem = [], mensagens = {}, mapaDe } = forma;
  const campos = Object.entries(valor).flatMap(([campo, conteudo]) => {
    if (mapaDe) return [[campo, semPadroes(conteudo, mapaDe)]];
    const interna = Object.hasOwn(mensagens, campo) ? mensagens[campo] : undefined;
    const fica = ficam.includes(campo);
    if (!fica && !interna && !somem.includes(campo)) return [[campo, conteudo]];
    const some = conteudo === null || (!fica && ehPadrao(conteudo, interna));
    return some ? [] : [[campo, semPadroes(conteudo, interna)]];
  });
  return Object.fromEntries(campos);
}

/** Uma mensagem vazia está presente; um mapa vazio não. */
function ehPadrao(valor: unknown, forma: Forma | undefined): boolean {
  if (typeof valor !== 'object' || valor === null)
    return valor === '' || valor === false || valor === undefined;
  return (Array.isArray(valor) || forma?.mapaDe !== undefined) && Object.keys(valor).length === 0;
}
