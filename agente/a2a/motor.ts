/** Decide quem pode trabalhar cada Task, e quando: abre, retoma, cancela, e recolhe o que ficou pela metade. */
import { Andamento, novoTrabalho, type OpcoesDoNucleo } from './andamento.ts';
import { type Alcance, type Assinatura, Canais } from './canais.ts';
import { dobrar, receberMensagem, restaurar } from './dobra.ts';
import { operacaoNaoSuportada, taskEmDuvida, taskNaoCancelavel, taskNaoEncontrada } from './erros.ts';
import { canceled, type Entrada, failed, working } from './executor.ts';
import { interrompido, type StreamResponse, type Task, terminal } from './modelo.ts';
import type { Registro } from './registro.ts';

const INTERVALO_DE_RELEITURA_MS = 50;

export class Motor<P> {
  readonly #opcoes: OpcoesDoNucleo<P>;
  readonly #emCurso = new Map<string, Andamento<P>>();
  readonly #canais = new Canais();

  constructor(opcoes: OpcoesDoNucleo<P>) {
    this.#opcoes = opcoes;
  }

  /** Os eventos da Task a partir deste instante, produzidos neste processo. */
  assinar(taskId: string, alcance: Alcance): Assinatura {
    return this.#canais.assinar(taskId, alcance);
  }

  /**
   * A Task guardada.
   * @throws {ErroA2A} -32001 se não existe.
   */
  async ler(taskId: string): Promise<Registro<P>> {
    while (true) {
      const registro = await this.#opcoes.armazem.get(taskId);
      if (!registro) throw taskNaoEncontrada(taskId);
      if (!this.#abandonado(registro)) return registro;
      await this.#recolher(registro);
    }
  }

  /** Prepara uma Task nova; só existe para os outros depois de `comecar()`. */
  abrir(entrada: Entrada): Andamento<P> {
    return this.#acompanhar(Andamento.novo(this.#opcoes, this.#publicar, entrada));
  }

  /**
   * Reivindica uma Task pausada para a mensagem que a responde. De várias mensagens simultâneas só uma consegue:
   * a que grava primeiro.
   * @throws {ErroA2A} -32001 se não existe; -32004 se já terminou ou está sendo trabalhada.
   */
  async retomar(taskId: string, entrada: Entrada): Promise<Andamento<P>> {
    const { agora, armazem, maximoDeMensagens } = this.#opcoes;
    while (true) {
      const { task, pausa, emDuvida, versao } = await this.ler(taskId);
      const { state } = task.status;
      if (terminal(state))
        throw operacaoNaoSuportada(`A Task já terminou em ${state}: abra outra`, { taskId, state });
      if (!interrompido(state)) {
        throw operacaoNaoSuportada(
          'A Task está sendo trabalhada: acompanhe com GetTask e responda quando ela pausar',
          {
            taskId,
            state,
          },
        );
      }
      const dobra = dobrar(receberMensagem(task, entrada.message, maximoDeMensagens), working(), agora());
      if (!dobra) throw new Error('uma Task interrompida não pode estar em WORKING');
      const trabalho = novoTrabalho(this.#opcoes, { task, pausa, emDuvida });
      const reivindicado = { task: dobra.task, trabalho, versao: versao + 1 };
      if (!(await armazem.put(reivindicado))) continue;
      this.#publicar(dobra.task, dobra.evento, reivindicado.versao);
      return this.#acompanhar(Andamento.retomado(this.#opcoes, this.#publicar, reivindicado, entrada));
    }
  }

  /**
   * Cancela. Uma Task pausada larga a pausa na hora; uma em andamento é avisada, e vale o que ela ainda conseguir.
   * @returns a Task em CANCELED (também se já estava).
   * @throws {ErroA2A} -32001 se não existe; -32002 se terminou de outro jeito, ou se uma resposta anterior pode ter
   * sido executada. GetTask concorda.
   */
  async cancelar(taskId: string): Promise<Task> {
    while (true) {
      const registro = await this.ler(taskId);
      const { task, versao, trabalho, emDuvida } = registro;
      if (task.status.state === 'TASK_STATE_CANCELED') return task;
      if (terminal(task.status.state)) throw taskNaoCancelavel(taskId, task.status.state);
      if (trabalho) {
        await this.#pedirParada(registro);
        continue;
      }
      if (emDuvida) throw taskEmDuvida(taskId, task.status.state);
      const dobra = dobrar(task, canceled(), this.#opcoes.agora());
      if (!dobra || !(await this.#opcoes.armazem.put({ task: dobra.task, versao: versao + 1 }))) continue;
      this.#publicar(dobra.task, dobra.evento, versao + 1);
      return dobra.task;
    }
  }

  #acompanhar(andamento: Andamento<P>): Andamento<P> {
    this.#emCurso.set(andamento.taskId, andamento);
    const esquecer = (): void => {
      // A Task pode ter pausado e já estar com a mensagem seguinte.
      if (this.#emCurso.get(andamento.taskId) === andamento) this.#emCurso.delete(andamento.taskId);
    };
    andamento.fim.then(esquecer, esquecer);
    return andamento;
  }

  async #pedirParada({ task, versao, trabalho }: Registro<P>): Promise<void> {
    const aqui = this.#emCurso.get(task.id);
    if (aqui) {
      aqui.cancelar();
      await aqui.fim.catch(() => undefined);
      return;
    }
    // Outro processo sobre o mesmo armazém trabalha a Task: deixa o recado no registro, que ele lê ao gravar.
    if (trabalho && !trabalho.cancelar) {
      await this.#opcoes.armazem.put({ task, trabalho: { ...trabalho, cancelar: true }, versao: versao + 1 });
    }
    await new Promise((pronto) => setTimeout(pronto, INTERVALO_DE_RELEITURA_MS));
  }

  #abandonado({ task, trabalho }: Registro<P>): boolean {
    return trabalho !== undefined && trabalho.vivoAte < this.#opcoes.agora() && !this.#emCurso.has(task.id);
  }

  /** O processo que trabalhava morreu: a pausa volta a valer, ou a Task nova termina em FAILED. */
  async #recolher({ task, trabalho, versao }: Registro<P>): Promise<void> {
    const anterior = trabalho?.anterior;
    const dobra = anterior
      ? restaurar(anterior.task, this.#opcoes.agora())
      : dobrar(task, failed('O trabalho foi interrompido: peça de novo'), this.#opcoes.agora());
    if (!dobra) return;
    const pausa = anterior?.pausa;
    const emDuvida = anterior && true;
    if (await this.#opcoes.armazem.put({ task: dobra.task, pausa, emDuvida, versao: versao + 1 })) {
      this.#publicar(dobra.task, dobra.evento, versao + 1);
    }
  }

  readonly #publicar = (task: Task, evento: StreamResponse, versao: number): void => {
    this.#canais.publicar(task, evento, versao);
  };
}
