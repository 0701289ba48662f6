/** Um servidor MCP (2026-07-28) que existe só para perguntar de todos os jeitos, e devolver de tudo. */
import {
  acceptedContent,
  type CallToolResult,
  createMcpHandler,
  type InputRequiredResult,
  inputRequired,
  inputResponse,
  McpServer,
} from '@modelcontextprotocol/server';
import * as z from 'zod';
import type { Manipulador } from '../../../comum/manipulador.ts';

/** O que nenhuma resposta A2A pode mostrar. */
export const ESTADO = 'requestState-que-so-o-servidor-entende';

type Resultado = CallToolResult | InputRequiredResult;

const dizer = (texto: string): CallToolResult => ({ content: [{ type: 'text', text: texto }] });

/** Os tipos de campo que uma elicitation pode ter. */
const FORMULARIO = {
  type: 'object' as const,
  properties: {
    nome: { type: 'string' as const, minLength: 2, title: 'Nome', description: 'como no crachá' },
    email: { type: 'string' as const, format: 'email' as const },
    sala: { type: 'string' as const, enum: ['a', 'b'] },
    cor: {
      type: 'string' as const,
      oneOf: [
        { const: '#f00', title: 'Vermelho' },
        { const: '#00f', title: 'Azul' },
      ],
    },
    pessoas: { type: 'integer' as const, minimum: 1, maximum: 20, default: 4 },
    peso: { type: 'number' as const, maximum: 99.5 },
    projetor: { type: 'boolean' as const },
    mesa: { type: 'array' as const, maxItems: 1, items: { type: 'string' as const, enum: ['p', 'g'] } },
    lanches: { type: 'array' as const, items: { type: 'string' as const, enum: ['cafe', 'bolo'] } },
    cafes: {
      type: 'array' as const,
      minItems: 1,
      items: {
        anyOf: [
          { const: 'curto', title: 'Curto' },
          { const: 'longo', title: 'Longo' },
        ],
      },
    },
  },
  required: ['nome', 'sala', 'pessoas'],
};

const simples = (campo: string) => ({
  type: 'object' as const,
  properties: { [campo]: { type: 'string' as const } },
  required: [campo],
});

/** @param extras ferramentas a mais, para ver o card acompanhar a lista. */
export function servidorDePerguntas(extras: ReadonlySet<string> = new Set()): Manipulador {
  const handler = createMcpHandler(() => montar(extras), { legacy: 'reject' });
  return { fetch: (request) => handler.fetch(request) };
}

function montar(extras: ReadonlySet<string>): McpServer {
  const servidor = new McpServer({ name: 'perguntas', title: 'Perguntas', version: '9.9.9' });

  servidor.registerTool(
    'formulario',
    { title: 'Formulário', description: 'Pergunta tudo', inputSchema: z.object({ assunto: z.string() }) },
    async ({ assunto }, { mcpReq }): Promise<Resultado> => {
      const resposta = inputResponse(mcpReq.inputResponses, 'dados');
      if (resposta.kind !== 'elicit') {
        const dados = inputRequired.elicit({ message: `Dados de ${assunto}`, requestedSchema: FORMULARIO });
        return inputRequired({ inputRequests: { dados }, requestState: ESTADO });
      }
      return { ...dizer(`${resposta.action}`), structuredContent: { recebido: { ...resposta.content } } };
    },
  );

  servidor.registerTool(
    'duas-perguntas',
    { description: 'Pergunta duas coisas de uma vez' },
    async ({ mcpReq }): Promise<Resultado> => {
      if (inputResponse(mcpReq.inputResponses, 'nome').kind === 'missing') {
        return inputRequired({
          inputRequests: {
            nome: inputRequired.elicit({ message: 'Que nome?', requestedSchema: simples('nome') }),
            apelido: inputRequired.elicit({ message: 'Que apelido?', requestedSchema: simples('apelido') }),
          },
          requestState: ESTADO,
        });
      }
      const nome = acceptedContent<{ nome: string }>(mcpReq.inputResponses, 'nome');
      const apelido = acceptedContent<{ apelido: string }>(mcpReq.inputResponses, 'apelido');
      return dizer(`nome=${nome?.nome ?? '-'} apelido=${apelido?.apelido ?? '-'}`);
    },
  );

  servidor.registerTool(
    'rodadas',
    { description: 'Pergunta uma coisa, depois outra' },
    async ({ mcpReq }): Promise<Resultado> => {
      const antes = mcpReq.requestState<string | undefined>()?.slice(ESTADO.length) ?? '';
      const um = acceptedContent<{ um: string }>(mcpReq.inputResponses, 'um');
      const dois = acceptedContent<{ dois: string }>(mcpReq.inputResponses, 'dois');
      if (dois) return dizer(`${antes} e ${dois.dois}`);
      const [chave, estado] = um ? ['dois', um.um] : ['um', ''];
      return inputRequired({
        inputRequests: {
          [chave]: inputRequired.elicit({ message: `Diga ${chave}`, requestedSchema: simples(chave) }),
        },
        requestState: `${ESTADO}${estado}`,
      });
    },
  );

  servidor.registerTool(
    'confirmar',
    { description: 'Responde a uma recusa com erro, como na documentação do SDK' },
    async ({ mcpReq }): Promise<Resultado> => {
      const resposta = inputResponse(mcpReq.inputResponses, 'certeza');
      if (resposta.kind === 'elicit')
        return { ...dizer('Não confirmado'), isError: resposta.action !== 'accept' };
      const certeza = inputRequired.elicit({
        message: 'Certeza?',
        requestedSchema: { type: 'object', properties: {} },
      });
      return inputRequired({ inputRequests: { certeza }, requestState: ESTADO });
    },
  );

  servidor.registerTool('de-tudo', { description: 'Devolve todos os tipos de bloco' }, async () => ({
    content: [
      { type: 'text', text: 'olá' },
      { type: 'image', data: 'AAEC', mimeType: 'image/png' },
      { type: 'audio', data: 'AwQF', mimeType: 'audio/wav' },
      {
        type: 'resource_link',
        uri: 'https://exemplo.example/a.pdf',
        name: 'a.pdf',
        mimeType: 'application/pdf',
      },
      { type: 'resource', resource: { uri: 'nota://1', text: '# nota', mimeType: 'text/markdown' } },
      { type: 'resource', resource: { uri: 'bin://1', blob: 'BgcI', mimeType: 'application/zip' } },
    ],
    structuredContent: { ok: true },
  }));
  servidor.registerTool('erro', { description: 'Falha' }, async () => ({
    ...dizer('Deu errado assim'),
    isError: true,
  }));
  servidor.registerTool('vazio', { description: 'Não devolve nada' }, async () => ({ content: [] }));
  for (const extra of extras) servidor.registerTool(extra, {}, async () => dizer(extra));
  return servidor;
}
