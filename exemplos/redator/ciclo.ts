/** Exercício 1: o ciclo de vida inteiro de uma Task, com a pausa no meio, visto por quem chama. */
import { type Buscar, conectar, ErroDoAgente } from '../cliente/cliente-a2a.ts';
import { linha, type Narrar, narrarCard, narrarEnvio, narrarEvento } from '../cliente/narracao.ts';
import { PEDIDO, TAMANHO } from './artigo.ts';

/**
 * O pesquisador delega o resumo ao redator e responde à pausa.
 * @param base onde o card do redator é publicado.
 */
export async function ciclo(base: string, buscar: Buscar, narrar: Narrar): Promise<void> {
  const redator = await conectar(base, buscar);
  narrarCard(redator, narrar);

  let taskId: string | undefined;
  for (const parts of [PEDIDO, TAMANHO]) {
    narrarEnvio(parts, narrar);
    for await (const evento of redator.acompanhar(parts, { taskId })) {
      narrarEvento(evento, narrar);
      if ('task' in evento) taskId = evento.task.id;
    }
  }

  const { artifacts } = await redator.lerTask(taskId ?? '');
  const [resumo] = artifacts;
  narrar(linha('resumo', (resumo?.parts ?? []).map(({ text }) => text).join('')));

  // Uma Task terminada não volta, e uma que ninguém abriu não existe: cada caso tem o seu erro (spec §3.1.1, §5.4).
  for (const destino of [{ taskId }, { taskId: 'nao-existe' }]) {
    await redator.enviar(TAMANHO, destino).catch((erro: unknown) => {
      if (!(erro instanceof ErroDoAgente)) throw erro;
      narrar(linha('erro', `${erro.codigo} ${erro.motivo}`));
    });
  }
}
