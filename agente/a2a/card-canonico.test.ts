import assert from 'node:assert/strict';
import { test } from 'node:test';
import modulo from 'canonicalize';
import type { AgentCard } from './card.ts';
import { type Canonicalizar, canonizarCard } from './card-canonico.ts';

// Os tipos do pacote descrevem outro formato de módulo: o que chega é a própria função.
const canonicalizar = modulo as unknown as Canonicalizar;

const canonizar = (card: object): unknown => JSON.parse(canonizarCard(card as AgentCard, canonicalizar));

test('§8.4.1: o exemplo da spec dá exatamente a forma canônica da spec', () => {
  const card = {
    name: 'Example Agent',
    description: '',
    capabilities: { streaming: false, pushNotifications: false, extensions: [] },
    skills: [],
  };
  assert.equal(
    canonizarCard(card as unknown as AgentCard, canonicalizar),
    '{"capabilities":{"pushNotifications":false,"streaming":false},"description":"","name":"Example Agent","skills":[]}',
  );
});

test('§8.4.1: fora os REQUIRED e os optional, o que é padrão some, em qualquer nível', () => {
  assert.deepEqual(
    canonizar({
      name: 'a',
      iconUrl: '',
      provider: { url: '', organization: 'o' },
      signatures: [{ protected: 'p', signature: 's' }],
      securityRequirements: [{ schemes: { b: { list: [] } } }, { schemes: {} }],
      supportedInterfaces: [{ url: 'u', protocolBinding: 'JSONRPC', protocolVersion: '1.0', tenant: '' }],
      skills: [
        {
          id: 's',
          name: '',
          description: '',
          tags: [],
          examples: [],
          inputModes: ['text/plain'],
          outputModes: null,
        },
      ],
      capabilities: {
        extensions: [{ uri: 'x', required: false, description: '', params: { vazio: '', lista: [] } }],
      },
    }),
    {
      name: 'a',
      iconUrl: '',
      provider: { url: '', organization: 'o' },
      securityRequirements: [{ schemes: { b: {} } }, {}],
      supportedInterfaces: [{ url: 'u', protocolBinding: 'JSONRPC', protocolVersion: '1.0' }],
      skills: [{ id: 's', name: '', description: '', tags: [], inputModes: ['text/plain'] }],
      capabilities: { extensions: [{ uri: 'x', params: { vazio: '', lista: [] } }] },
    },
  );
});

test('§8.4.1: esquemas de segurança: o escolhido fica mesmo vazio, e os escopos REQUIRED também', () => {
  const securitySchemes = {
    mtls: { mtlsSecurityScheme: { description: '' } },
    chave: { apiKeySecurityScheme: { location: 'header', name: '', description: '' } },
    oauth: {
      oauth2SecurityScheme: {
        oauth2MetadataUrl: '',
        flows: {
          authorizationCode: { authorizationUrl: 'a', tokenUrl: 't', scopes: {}, pkceRequired: false },
        },
      },
    },
    antigo: { oauth2SecurityScheme: { flows: { implicit: { authorizationUrl: 'a', scopes: {} } } } },
  };
  assert.deepEqual(canonizar({ name: 'a', securitySchemes }), {
    name: 'a',
    securitySchemes: {
      mtls: { mtlsSecurityScheme: {} },
      chave: { apiKeySecurityScheme: { location: 'header', name: '' } },
      oauth: {
        oauth2SecurityScheme: {
          flows: { authorizationCode: { authorizationUrl: 'a', tokenUrl: 't', scopes: {} } },
        },
      },
      antigo: { oauth2SecurityScheme: { flows: { implicit: { authorizationUrl: 'a' } } } },
    },
  });
});

test('§8.4.1: um campo que a spec não conhece entra na assinatura, com qualquer nome e mesmo vazio', () => {
  const card = JSON.parse(
    '{"name":"a","novo":{"x":""},"vazio":"","nulo":null,"lista":[],"falso":false,"skills":[{"vazio":""}],"constructor":{"y":0},"__proto__":{"z":false}}',
  );
  assert.equal(
    canonizarCard(card, canonicalizar),
    '{"__proto__":{"z":false},"constructor":{"y":0},"falso":false,"lista":[],"name":"a","novo":{"x":""},"nulo":null,"skills":[{"vazio":""}],"vazio":""}',
  );
});
