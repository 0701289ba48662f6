/** O que as três ferramentas têm em comum: como se registram no SDK e que forma têm as suas respostas. */
import type {
  CallToolResult,
  InputRequiredResult,
  McpServer,
  ServerContext,
  ToolAnnotations,
} from '@modelcontextprotocol/server';
import type * as z from 'zod';
import type { Log } from '../comum/log.ts';
import { esquemaPronto } from './esquema.ts';

/** Uma ferramenta, sem nada do SDK além dos tipos da resposta. */
export interface Ferramenta<Entrada extends z.ZodObject, Saida extends z.ZodObject> {
  readonly nome: string;
  readonly titulo: string;
  readonly descricao: string;
  readonly entrada: Entrada;
  readonly saida: Saida;
  readonly anotacoes: ToolAnnotations;
  executar(
    argumentos: z.output<Entrada>,
    contexto: ServerContext,
  ): Promise<CallToolResult | InputRequiredResult>;
}

/** Registra uma ferramenta num servidor: o SDK pede um servidor novo por request. */
export type Registro = (servidor: McpServer) => void;

/**
 * Prepara uma ferramenta uma vez, para registrá-la a cada request sem refazer nada.
 * O que `executar` lançar vai para o log e vira um erro de execução com texto nosso: o SDK mandaria a mensagem crua.
 */
export function prepararFerramenta<Entrada extends z.ZodObject, Saida extends z.ZodObject>(
  ferramenta: Ferramenta<Entrada, Saida>,
  log: Log,
): Registro {
  const config = {
    title: ferramenta.titulo,
    description: ferramenta.descricao,
    inputSchema: esquemaPronto(ferramenta.entrada, 'input'),
    outputSchema: esquemaPronto(ferramenta.saida, 'output'),
    annotations: ferramenta.anotacoes,
  };
  const executar = async (
    argumentos: z.output<Entrada>,
    contexto: ServerContext,
  ): Promise<CallToolResult | InputRequiredResult> => {
    try {
      return await ferramenta.executar(argumentos, contexto);
    } catch (erro) {
      log('falha', { ferramenta: ferramenta.nome, erro: String(erro) });
      return erroDeExecucao('Falha interna do servidor');
    }
  };
  return (servidor) => servidor.registerTool(ferramenta.nome, config, executar);
}

/** Resultado concluído: o conteúdo estruturado e o mesmo JSON em texto, para clientes que só leem texto. */
export function concluido(conteudo: CallToolResult['structuredContent']): CallToolResult {
  return { content: [{ type: 'text', text: JSON.stringify(conteudo) }], structuredContent: conteudo };
}

/** Erro de execução (MCP 2026-07-28, server/tools, Error Handling): um resultado, para que quem chamou possa corrigir. */
export function erroDeExecucao(texto: string): CallToolResult {
  return { content: [{ type: 'text', text: texto }], isError: true };
}
