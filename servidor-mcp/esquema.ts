/** Liga um esquema zod ao SDK de MCP sem convertê-lo para JSON Schema de novo a cada request. */
import type { StandardSchemaWithJSON } from '@modelcontextprotocol/server';
import * as z from 'zod';

/**
 * Embrulha um objeto zod num Standard Schema com o JSON Schema já pronto.
 * @param esquema o objeto; suas descrições e mensagens de erro aparecem para quem chama a ferramenta.
 * @param lado de que lado do esquema vem o JSON Schema: argumentos (`input`) ou resultado (`output`).
 * @returns um esquema aceito por `registerTool`, com JSON Schema 2020-12 (o dialeto padrão do MCP, por isso sem `$schema`).
 */
export function esquemaPronto<T extends z.ZodObject>(
  esquema: T,
  lado: 'input' | 'output',
): StandardSchemaWithJSON<z.input<T>, z.output<T>> {
  const { $schema, '~standard': _, ...json } = z.toJSONSchema(esquema, { io: lado });
  const padrao = esquema['~standard'];
  return {
    '~standard': {
      version: 1,
      vendor: 'zod',
      validate: (valor) => padrao.validate(valor),
      jsonSchema: { input: () => json, output: () => json },
    },
  };
}
