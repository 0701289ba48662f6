/** O que uma ferramenta MCP devolve, como Parts da A2A: cada tipo de bloco tem o seu campo (spec A2A §4.1.6). */
import type { CallToolResult, ContentBlock } from '@modelcontextprotocol/client';
import type { Part } from '../../agente/a2a/modelo.ts';

/** Os blocos na ordem em que vieram e, no fim, o `structuredContent` se houver. */
export function emParts({ content, structuredContent }: CallToolResult): readonly Part[] {
  const estruturado: readonly Part[] =
    structuredContent === undefined ? [] : [{ data: structuredContent, mediaType: 'application/json' }];
  return [...content.map(emPart), ...estruturado];
}

function emPart(bloco: ContentBlock): Part {
  switch (bloco.type) {
    case 'text':
      return { text: bloco.text, mediaType: 'text/plain' };
    case 'image':
    case 'audio':
      return { raw: bloco.data, mediaType: bloco.mimeType };
    case 'resource_link':
      return { url: bloco.uri, filename: bloco.name, ...(bloco.mimeType && { mediaType: bloco.mimeType }) };
    case 'resource': {
      const { uri, mimeType } = bloco.resource;
      const conteudo =
        'text' in bloco.resource ? { text: bloco.resource.text } : { raw: bloco.resource.blob };
      return { ...conteudo, filename: uri, ...(mimeType && { mediaType: mimeType }) };
    }
  }
}
