/** As ferramentas de um servidor MCP, como o card de um agente A2A: cada ferramenta é uma skill. */
import { getDisplayName, type Implementation, type Tool } from '@modelcontextprotocol/client';
import type { AgentCard, AgentSkill } from '../../agente/a2a/card.ts';
import { VERSAO_DA_A2A } from '../../agente/a2a/versao.ts';

/**
 * Uma skill da A2A não tem onde dizer que entrada aceita, além do tipo de mídia. Os esquemas vão numa extensão que só
 * acrescenta dados ao card, e que ninguém precisa conhecer para usar o agente (README.md desta pasta).
 */
export const EXTENSAO_DE_FERRAMENTAS = 'https://hillvalley.example/a2a/ferramentas-mcp/v1';

/** O que o card diz de todos os servidores: o que decide as operações e os tipos de mídia. */
export function cardSemSkills(urlPublica: string): AgentCard {
  return {
    name: 'Servidor MCP envolvido',
    description:
      'As ferramentas de um servidor MCP. Mande uma Part data: {"ferramenta": "<id da skill>", "argumentos": {...}}.',
    version: '1.0.0',
    supportedInterfaces: [
      { url: `${urlPublica}/a2a`, protocolBinding: 'JSONRPC', protocolVersion: VERSAO_DA_A2A },
      { url: urlPublica, protocolBinding: 'HTTP+JSON', protocolVersion: VERSAO_DA_A2A },
    ],
    capabilities: { streaming: true, pushNotifications: false, extendedAgentCard: false },
    defaultInputModes: ['application/json', 'text/plain'],
    // Imagens, áudios e resources vêm no tipo que a ferramenta disser, e ela só o diz ao responder.
    defaultOutputModes: ['text/plain', 'application/json', '*/*'],
    skills: [],
  };
}

/**
 * @param base o card de antes das ferramentas.
 * @param servidor como o servidor MCP se apresenta, se ele se apresenta.
 */
export function comSkills(
  base: AgentCard,
  servidor: Implementation | undefined,
  ferramentas: readonly Tool[],
): AgentCard {
  const esquemas = ferramentas.map(({ name, inputSchema, outputSchema, annotations }) => [
    name,
    { inputSchema, ...(outputSchema && { outputSchema }), ...(annotations && { annotations }) },
  ]);
  return {
    ...base,
    ...(servidor && { name: getDisplayName(servidor), version: servidor.version }),
    capabilities: {
      ...base.capabilities,
      extensions: [
        {
          uri: EXTENSAO_DE_FERRAMENTAS,
          description: 'O inputSchema e o outputSchema de cada skill, como o servidor MCP os publica.',
          required: false,
          params: { ferramentas: Object.fromEntries(esquemas) },
        },
      ],
    },
    skills: ferramentas.map(emSkill),
  };
}

function emSkill(ferramenta: Tool): AgentSkill {
  const nome = getDisplayName(ferramenta);
  return { id: ferramenta.name, name: nome, description: ferramenta.description || nome, tags: ['mcp'] };
}
