/** A ferramenta `listar_salas`. */
import * as z from 'zod';
import { concluido, type Ferramenta } from './ferramenta.ts';
import type { Cadastro } from './salas.ts';

const Entrada = z.object({});

const Saida = z.object({
  salas: z.array(
    z.object({
      id: z.string(),
      nome: z.string(),
      capacidade: z.number().describe('Número de lugares'),
      recursos: z.array(z.string()),
    }),
  ),
});

/** Cria a ferramenta que devolve `{ salas }`, na ordem do cadastro. */
export function listarSalas(cadastro: Cadastro): Ferramenta<typeof Entrada, typeof Saida> {
  const resultado = concluido({ salas: cadastro.todas });
  return {
    nome: 'listar_salas',
    titulo: 'Listar salas',
    descricao: 'Lista todas as salas, com capacidade e recursos.',
    entrada: Entrada,
    saida: Saida,
    anotacoes: { readOnlyHint: true, openWorldHint: false },
    executar: async () => resultado,
  };
}
