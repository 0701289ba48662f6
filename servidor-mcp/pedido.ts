/** O que um cliente pede: uma sala, num intervalo, em nome de alguém. Leitura e regras, sem protocolo. */
import * as z from 'zod';
import { lerInstante } from './instante.ts';
import { type Intervalo, violacaoDaPolitica } from './politica.ts';
import type { Cadastro, Sala } from './salas.ts';

const texto = (maximo: number) =>
  z.string('deve ser um texto').max(maximo, `deve ter no máximo ${maximo} caracteres`);

const instante = (descricao: string, exemplo: string) =>
  texto(64)
    .refine((valor) => lerInstante(valor) !== undefined, {
      error: `deve ser um instante ISO 8601 que exista no calendário, com fuso, como ${exemplo}`,
    })
    .describe(`${descricao}, em ISO 8601 com fuso. Exemplo: ${exemplo}`);

/** Argumentos de `consultar_disponibilidade`. */
export const ArgumentosDeConsulta = z.object({
  sala: texto(128).describe('Id da sala, como em listar_salas'),
  inicio: instante('Início do intervalo', '2026-11-03T14:00:00-03:00'),
  fim: instante('Fim do intervalo, que fica de fora dele', '2026-11-03T15:00:00-03:00'),
});

/** Argumentos de `reservar_sala`. O responsável chega sem espaços nas pontas. */
export const ArgumentosDeReserva = ArgumentosDeConsulta.extend({
  responsavel: texto(128)
    .trim()
    .min(1, 'não pode ficar em branco')
    // Um caractere de controle forjaria linhas em quem exibe o nome; um substituto solto não cabe em UTF-8.
    .refine((nome) => !/[\p{Cc}\p{Cs}\u2028\u2029]/u.test(nome), {
      error: 'não pode ter caracteres de controle',
    })
    .describe('Nome de quem fica responsável pela reserva'),
});

/** Argumentos já lidos de `consultar_disponibilidade`. */
export type PedidoDeConsulta = z.output<typeof ArgumentosDeConsulta>;

/** Argumentos já lidos de `reservar_sala`. */
export type PedidoDeReserva = z.output<typeof ArgumentosDeReserva>;

/**
 * Aplica as regras a um pedido, na ordem: sala, intervalo, janela, duração.
 * @returns a sala e o intervalo, ou `{ erro }` com o texto exato do erro de execução.
 */
export function conferirPedido(
  cadastro: Cadastro,
  pedido: PedidoDeConsulta,
): { readonly sala: Sala; readonly intervalo: Intervalo } | { readonly erro: string } {
  const sala = cadastro.sala(pedido.sala);
  if (!sala) return { erro: `Sala inexistente: ${pedido.sala}` };
  // O esquema dos argumentos já recusou o que não é instante.
  const intervalo = { inicio: lerInstante(pedido.inicio) as number, fim: lerInstante(pedido.fim) as number };
  const erro = violacaoDaPolitica(intervalo);
  return erro ? { erro } : { sala, intervalo };
}
