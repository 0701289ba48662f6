/** Uma mensagem sendo trabalhada: o laço que consome o executor e grava cada passo na Task. */
import { abrirTask, type Dobra, dobrar, mensagemDoAgente, restaurar } from './dobra.ts';
import { Indisponivel, operacaoNaoSuportada } from './erros.ts';
import { type Atualizacao, canceled, type Entrada, type Executor, failed } from './executor.ts';
import { interrompido, type Message, type StreamResponse, type Task, terminal } from './modelo.ts';
import type { Registro, TaskStore, Trabalho } from './registro.ts';

/** Do que um andamento precisa. */
export interface OpcoesDoNucleo<P> {
  readonly executor: Executor<P>;
  readonly armazem: TaskStore<P>;
  /** Relógio, em ms. */
  readonly agora: () => number;
  /** Recebe o que um executor lançou sem querer; o cliente nunca vê isso. */
  readonly aoFalhar: (erro: unknown, taskId: string) => void;
  /** Por quanto tempo (ms) um trabalho pode ficar sem gravar nada antes de ser dado por abandonado. */
  readonly prazoDeTrabalhoMs: number;
  /** Quantas mensagens o histórico de uma Task guarda; as mais antigas saem. */
  readonly maximoDeMensagens: number;
}

/** O que uma mensagem produz: uma Task, ou uma resposta direta. */
export type Desfecho = { readonly task: Task } | { readonly message: Message };

/** Quem acompanha o andamento de perto: cada mudança da Task, na ordem, com a versão em que foi gravada. */
export type Publicar = (task: Task, evento: StreamResponse, versao: number) => void;

export class Andamento<P> {
  readonly taskId: string;
  /** A Task já aberta (em SUBMITTED, ou de volta a WORKING), ou a resposta direta. */
  readonly aberta: Promise<Desfecho>;
  /** O estado terminal ou interrompido a que se chegou. Rejeita com `Indisponivel` se a pausa foi devolvida. */
  readonly fim: Promise<Desfecho>;

  readonly #opcoes: OpcoesDoNucleo<P>;
  readonly #publicar: Publicar;
  readonly #controle = new AbortController();
  #registro: Registro<P>;
  #abriu!: (desfecho: Desfecho) => void;
  #comecar!: () => void;

  private constructor(
    opcoes: OpcoesDoNucleo<P>,
    publicar: Publicar,
    registro: Registro<P>,
    entrada: Entrada,
  ) {
    this.taskId = registro.task.id;
    this.#opcoes = opcoes;
    this.#publicar = publicar;
    this.#registro = registro;
    const comeco = new Promise<void>((comecar) => {
      this.#comecar = comecar;
    });
    this.fim = comeco.then(() => this.#rodar(entrada));
    this.aberta = new Promise((abriu, falhou) => {
      this.#abriu = abriu;
      this.fim.catch(falhou);
    });
    // Cada cliente olha para uma das duas promessas; a outra não pode derrubar o processo.
    this.aberta.catch(() => undefined);
  }

  /** Prepara uma Task nova, ainda não guardada. */
  static novo<P>(opcoes: OpcoesDoNucleo<P>, publicar: Publicar, entrada: Entrada): Andamento<P> {
    const task = abrirTask(entrada.message, opcoes.agora());
    return new Andamento(opcoes, publicar, { task, versao: 0, trabalho: novoTrabalho(opcoes) }, entrada);
  }

  /** Prepara a retomada de uma Task que acaba de ser reivindicada. */
  static retomado<P>(
    opcoes: OpcoesDoNucleo<P>,
    publicar: Publicar,
    registro: Registro<P>,
    entrada: Entrada,
  ): Andamento<P> {
    return new Andamento(opcoes, publicar, registro, entrada);
  }

  /** Põe o executor para andar. Até aqui nada aconteceu, e quem quiser pode assinar os eventos. */
  comecar(): this {
    this.#comecar();
    return this;
  }

  /** Avisa o executor de que a Task foi cancelada. */
  cancelar(): void {
    this.#controle.abort();
  }

  async #rodar(entrada: Entrada): Promise<Desfecho> {
    const { task, versao, trabalho } = this.#registro;
    const { executor, aoFalhar } = this.#opcoes;
    const contexto = {
      ...entrada,
      taskId: task.id,
      contextId: task.contextId,
      task,
      pausa: trabalho?.anterior?.pausa,
      signal: this.#controle.signal,
    };
    // Numa retomada a Task já está gravada em WORKING: quem não quer esperar não espera nem o executor.
    if (versao > 0) this.#abriu({ task });
    let atualizacoes: ReturnType<Executor<P>> | undefined;
    try {
      atualizacoes = executor(contexto);
      let passo = await this.#proximo(atualizacoes);
      if (versao === 0 && passo.value?.tipo === 'message') return this.#responder(passo.value.parts);
      await this.#abrir();
      while (!passo.done) {
        await this.#avancar(passo.value);
        if (this.#parou()) return { task: this.#registro.task };
        passo = await this.#proximo(atualizacoes);
      }
      throw new Error('o executor acabou sem levar a Task a um estado terminal ou interrompido');
    } catch (erro) {
      return await this.#falhar(erro);
    } finally {
      // Sem esperar: um executor que não responde não pode prender quem espera a Task.
      atualizacoes?.return().catch((erro) => aoFalhar(erro, task.id));
    }
  }

  /** O próximo passo do executor. @throws {Indisponivel} se ele ficar o prazo inteiro sem dar notícia. */
  async #proximo(atualizacoes: ReturnType<Executor<P>>): Promise<IteratorResult<Atualizacao<P>, void>> {
    const { prazoDeTrabalhoMs, aoFalhar } = this.#opcoes;
    let alarme: ReturnType<typeof setTimeout> | undefined;
    const esgotado = new Promise<never>((_, falhar) => {
      alarme = setTimeout(() => {
        this.#controle.abort();
        aoFalhar(new Error(`o executor ficou ${prazoDeTrabalhoMs} ms sem dar notícia`), this.taskId);
        falhar(new Indisponivel('O agente não respondeu a tempo: tente de novo', { emDuvida: true }));
      }, prazoDeTrabalhoMs);
    });
    try {
      return await Promise.race([atualizacoes.next(), esgotado]);
    } finally {
      clearTimeout(alarme);
    }
  }

  #responder(parts: Message['parts']): Desfecho {
    const resposta = { message: mensagemDoAgente({ contextId: this.#registro.task.contextId }, parts) };
    this.#abriu(resposta);
    return resposta;
  }

  async #abrir(): Promise<void> {
    if (this.#registro.versao === 0) await this.#gravar(this.#registro.task, this.#emTrabalho());
    this.#abriu({ task: this.#registro.task });
  }

  async #avancar(atualizacao: Atualizacao<P>): Promise<void> {
    let gravou = false;
    while (!gravou) {
      // Quem foi cancelado não pausa: ninguém vai responder.
      const efetiva =
        this.#controle.signal.aborted && atualizacao.tipo === 'inputRequired' ? canceled() : atualizacao;
      const dobra = dobrar(this.#registro.task, efetiva, this.#opcoes.agora());
      if (!dobra) return;
      const resto =
        efetiva.tipo === 'inputRequired'
          ? this.#emPausa(efetiva.pausa)
          : terminal(dobra.task.status.state)
            ? {}
            : this.#emTrabalho();
      gravou = await this.#concluirPasso(dobra, resto);
    }
  }

  /** O trabalho parou por uma exceção. Nada fica em WORKING, e uma pausa não se perde por culpa nossa. */
  async #falhar(erro: unknown): Promise<Desfecho> {
    await this.#abrir();
    const anterior = this.#registro.trabalho?.anterior;
    if (erro instanceof Indisponivel && anterior) {
      const { pausa, emDuvida } = anterior;
      const dobra = restaurar(anterior.task, this.#opcoes.agora());
      await this.#concluirPasso(dobra, { pausa, emDuvida: emDuvida || erro.emDuvida });
      throw erro;
    }
    if (!(erro instanceof Indisponivel)) this.#opcoes.aoFalhar(erro, this.taskId);
    await this.#avancar(
      failed(erro instanceof Indisponivel ? erro.message : 'O agente falhou ao trabalhar este pedido'),
    );
    return { task: this.#registro.task };
  }

  async #concluirPasso(
    { task, evento }: Dobra,
    resto: Omit<Registro<P>, 'task' | 'versao'>,
  ): Promise<boolean> {
    const gravou = await this.#gravar(task, resto);
    if (gravou) this.#publicar(task, evento, this.#registro.versao);
    return gravou;
  }

  /**
   * Grava por cima da própria última gravação.
   * @returns `false` se outro processo mexeu no registro (um cancelamento): já relido, basta tentar de novo.
   * @throws {ErroA2A} -32004 se a Task passou a ser trabalhada por outro processo.
   */
  async #gravar(task: Task, resto: Omit<Registro<P>, 'task' | 'versao'>): Promise<boolean> {
    const proximo = { ...resto, task, versao: this.#registro.versao + 1 };
    if (await this.#opcoes.armazem.put(proximo)) {
      this.#registro = proximo;
      return true;
    }
    const atual = await this.#opcoes.armazem.get(task.id);
    if (!atual?.trabalho || atual.trabalho.id !== this.#registro.trabalho?.id) {
      throw operacaoNaoSuportada('A Task passou a ser trabalhada por outro processo', { taskId: task.id });
    }
    if (atual.trabalho.cancelar) this.#controle.abort();
    this.#registro = { ...this.#registro, versao: atual.versao };
    return false;
  }

  /** A mesma pausa de antes é a mesma pergunta: o que não se sabia continua sem se saber. */
  #emPausa(pausa: P): Pick<Registro<P>, 'pausa' | 'emDuvida'> {
    const anterior = this.#registro.trabalho?.anterior;
    return { pausa, ...(pausa === anterior?.pausa && { emDuvida: anterior.emDuvida }) };
  }

  #emTrabalho(): Pick<Registro<P>, 'trabalho'> {
    const { trabalho } = this.#registro;
    return {
      trabalho: trabalho && { ...trabalho, vivoAte: this.#opcoes.agora() + this.#opcoes.prazoDeTrabalhoMs },
    };
  }

  #parou(): boolean {
    const { state } = this.#registro.task.status;
    return terminal(state) || interrompido(state);
  }
}

/** Um trabalho que começa agora; `anterior` é para onde voltar se ele não puder ser feito. */
export function novoTrabalho<P>(
  { agora, prazoDeTrabalhoMs }: Pick<OpcoesDoNucleo<P>, 'agora' | 'prazoDeTrabalhoMs'>,
  anterior?: Trabalho<P>['anterior'],
): Trabalho<P> {
  return { id: crypto.randomUUID(), vivoAte: agora() + prazoDeTrabalhoMs, anterior };
}
