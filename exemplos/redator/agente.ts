/** O redator inteiro: um servidor A2A como outro qualquer, com card, streaming e pausa. */
import type { AgentCard } from '../../agente/a2a/card.ts';
import { criarServidorA2A } from '../../agente/a2a/servidor.ts';
import { VERSAO_DA_A2A } from '../../agente/a2a/versao.ts';
import { criarLog, type Escrever } from '../../comum/log.ts';
import type { Manipulador } from '../../comum/manipulador.ts';
import { redigir } from './redacao.ts';

/** O que o redator precisa saber do mundo. */
export interface ConfiguracaoDoRedator {
  /** Base pública, como vai no card; sem barra no fim. */
  readonly urlPublica: string;
  /** Onde escrever cada linha de log. */
  readonly escrever: Escrever;
  /** Assina o card antes de publicá-lo. Padrão: publica-o sem assinatura. */
  readonly assinar?: ((card: AgentCard) => Promise<AgentCard>) | undefined;
}

/** Monta o redator. */
export function criarRedator({ urlPublica, escrever, assinar }: ConfiguracaoDoRedator): Manipulador {
  return criarServidorA2A({
    card: cardDoRedator(urlPublica),
    executor: redigir,
    log: criarLog('redator', escrever),
    assinar,
  });
}

/** O card do redator: só o que ele faz mesmo. */
export function cardDoRedator(urlPublica: string): AgentCard {
  return {
    name: 'redator',
    description: 'Resume artigos em PDF, no tamanho pedido.',
    version: '1.0.0',
    supportedInterfaces: [
      { url: `${urlPublica}/a2a`, protocolBinding: 'JSONRPC', protocolVersion: VERSAO_DA_A2A },
      { url: urlPublica, protocolBinding: 'HTTP+JSON', protocolVersion: VERSAO_DA_A2A },
    ],
    capabilities: { streaming: true, pushNotifications: false, extendedAgentCard: false },
    defaultInputModes: ['text/plain', 'application/json'],
    defaultOutputModes: ['text/markdown'],
    skills: [
      {
        id: 'resumir-artigo',
        name: 'Resumir artigo',
        description: 'Lê um artigo em PDF e escreve um resumo.',
        tags: ['pesquisa', 'resumo'],
        inputModes: ['text/plain', 'application/pdf', 'application/json'],
        outputModes: ['text/markdown'],
      },
    ],
  };
}
