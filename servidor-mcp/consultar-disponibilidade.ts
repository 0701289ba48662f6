/** A ferramenta `consultar_disponibilidade`. */
import * as z from 'zod';
import type { Agenda } from './agenda.ts';
import { concluido, erroDeExecucao, type Ferramenta } from './ferramenta.ts';
import { ArgumentosDeConsulta, conferirPedido } from './pedido.ts';
import type { Cadastro } from './salas.ts';

const Saida = z.object({
  sala: z.string(),
  livre: z.boolean(),
  conflitos: z
    .array(z.object({ id: z.string(), inicio: z.string(), fim: z.string(), responsavel: z.string() }))
    .describe('As reservas que ocupam a sala no intervalo, por ordem de início'),
});

/** Cria a ferramenta que diz se uma sala está livre, com as mesmas validações da reserva. */
export function consultarDisponibilidade(
  cadastro: Cadastro,
  agenda: Agenda,
): Ferramenta<typeof ArgumentosDeConsulta, typeof Saida> {
  return {
    nome: 'consultar_disponibilidade',
    titulo: 'Consultar disponibilidade',
    descricao: 'Diz se uma sala está livre no intervalo e, se não estiver, quais reservas conflitam.',
    entrada: ArgumentosDeConsulta,
    saida: Saida,
    anotacoes: { readOnlyHint: true, openWorldHint: false },
    async executar(argumentos) {
      const pedido = conferirPedido(cadastro, argumentos);
      if ('erro' in pedido) return erroDeExecucao(pedido.erro);
      const conflitos = await agenda.conflitos(pedido.sala.id, pedido.intervalo);
      return concluido({
        sala: pedido.sala.id,
        livre: conflitos.length === 0,
        conflitos: conflitos.map(({ id, inicio, fim, responsavel }) => ({ id, inicio, fim, responsavel })),
      });
    },
  };
}
