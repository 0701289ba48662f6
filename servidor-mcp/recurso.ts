/** O resource `politica://uso`. */
import type { McpServer, ReadResourceResult } from '@modelcontextprotocol/server';

const URI_DA_POLITICA = 'politica://uso';

/** Prepara o registro da política de uso, lida como veio de dados/politica-de-uso.md. */
export function prepararPolitica(texto: string): (servidor: McpServer) => void {
  const mimeType = 'text/markdown';
  const config = {
    title: 'Política de uso',
    description: 'As regras de uso das salas de reunião.',
    mimeType,
  };
  const lido: ReadResourceResult = { contents: [{ uri: URI_DA_POLITICA, mimeType, text: texto }] };
  return (servidor) => servidor.registerResource('politica-de-uso', URI_DA_POLITICA, config, () => lido);
}
