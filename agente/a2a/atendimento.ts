/** O que acompanha um request HTTP do começo ao fim, qualquer que seja o binding. */
import type { Campos, Log } from '../../comum/log.ts';
import { ErroA2A, erroInterno } from './erros.ts';
import type { Chamada } from './operacoes.ts';

export interface Atendimento {
  readonly chamada: Chamada;
  readonly limiteDoCorpo: number;
  /** Acrescenta campos à linha de log deste request. */
  anotar(campos: Campos): void;
  /** O erro que o cliente vê. O que não for `ErroA2A` é falha nossa: vira -32603, e o motivo só vai para o log. */
  traduzir(erro: unknown): ErroA2A;
}

/**
 * @param campos a linha de log em construção; quem a escreve é o servidor, depois da resposta.
 * @param log recebe as falhas inesperadas.
 */
export function criarAtendimento(
  chamada: Chamada,
  limiteDoCorpo: number,
  campos: Record<string, Campos[string]>,
  log: Log,
): Atendimento {
  return {
    chamada,
    limiteDoCorpo,
    anotar(novos) {
      Object.assign(campos, novos);
    },
    traduzir(erro) {
      const visivel = erro instanceof ErroA2A ? erro : erroInterno();
      campos.erro = visivel.codigo;
      if (visivel !== erro)
        log('falha-interna', { motivo: String(erro instanceof Error ? erro.stack : erro) });
      return visivel;
    },
  };
}
