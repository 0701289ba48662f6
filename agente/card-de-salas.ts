/** A identidade pública do agente de salas (A2A 1.0, spec §4.4.1). */
import type { AgentCard } from './a2a/card.ts';
import { VERSAO_DA_A2A } from './a2a/versao.ts';

export const NOME_DO_HOST = 'agente-central-de-salas';
export const VERSAO_DO_AGENTE = '1.0.0';

/**
 * @param urlPublica a base, sem barra no fim, por onde os clientes chegam ao agente.
 */
export function cardDeSalas(urlPublica: string): AgentCard {
  return {
    name: 'Central de Salas',
    description: 'Reserva salas de reuniao da Hill Valley Tech.',
    provider: { organization: 'Hill Valley Tech', url: 'https://hillvalley.example' },
    version: VERSAO_DO_AGENTE,
    supportedInterfaces: [
      { url: `${urlPublica}/a2a`, protocolBinding: 'JSONRPC', protocolVersion: VERSAO_DA_A2A },
      { url: urlPublica, protocolBinding: 'HTTP+JSON', protocolVersion: VERSAO_DA_A2A },
    ],
    capabilities: { streaming: false, pushNotifications: false, extendedAgentCard: false },
    defaultInputModes: ['text/plain'],
    defaultOutputModes: ['text/plain'],
    skills: [
      {
        id: 'reservar-sala',
        name: 'Reservar sala',
        description: 'Reserva uma sala em um intervalo. Se houver conflito, pergunta qual alternativa usar.',
        tags: ['salas', 'agenda'],
        inputModes: ['text/plain'],
        outputModes: ['text/plain'],
        examples: [
          'reservar sala=sala-garagem inicio=2026-11-03T14:00:00-03:00 fim=2026-11-03T15:00:00-03:00 responsavel=Marty',
        ],
      },
    ],
  };
}
