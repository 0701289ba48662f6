/** Quem acompanha cada Task ao vivo: todos veem os mesmos eventos, na mesma ordem (spec §3.5.2). */
import { interrompido, type StreamResponse, type Task, terminal } from './modelo.ts';

/** Até onde vai uma assinatura: o fim da Task, ou só o do turno (que também acaba quando a Task pausa). */
export type Alcance = 'task' | 'turno';

/** As assinaturas abertas, por Task. */
export class Canais {
  readonly #assinaturas = new Map<string, Set<Assinatura>>();

  /** Quantas Tasks têm alguém acompanhando. */
  get tamanho(): number {
    return this.#assinaturas.size;
  }

  /** Passa a guardar os eventos da Task a partir de agora, mesmo antes de alguém iterar. */
  assinar(taskId: string, alcance: Alcance): Assinatura {
    const daTask = this.#assinaturas.get(taskId) ?? new Set();
    const assinatura = new Assinatura(alcance, () => {
      daTask.delete(assinatura);
      if (daTask.size === 0 && this.#assinaturas.get(taskId) === daTask) this.#assinaturas.delete(taskId);
    });
    this.#assinaturas.set(taskId, daTask.add(assinatura));
    return assinatura;
  }

  /**
   * Entrega um evento a quem acompanha a Task, e encerra quem só ia até aqui.
   * @param task a Task depois do evento.
   * @param versao a versão em que ela foi gravada.
   */
  publicar(task: Task, evento: StreamResponse, versao: number): void {
    for (const assinatura of [...(this.#assinaturas.get(task.id) ?? [])]) {
      assinatura.receber(task, evento, versao);
    }
  }
}

/**
 * Os eventos de uma Task, na ordem, até onde for o alcance ou quem itera sair do laço.
 * Não é um gerador porque quem espera o próximo evento precisa poder desistir sem que ele chegue.
 */
export class Assinatura implements AsyncIterableIterator<StreamResponse, undefined> {
  #eventos: { readonly evento: StreamResponse; readonly versao: number }[] = [];
  readonly #alcance: Alcance;
  readonly #aoSair: () => void;
  #encerrada = false;
  #esperando: ((passo: IteratorResult<StreamResponse, undefined>) => void) | undefined;

  constructor(alcance: Alcance, aoSair: () => void) {
    this.#alcance = alcance;
    this.#aoSair = aoSair;
  }

  receber(task: Task, evento: StreamResponse, versao: number): void {
    if (this.#esperando) this.#acordar({ value: evento, done: false });
    else this.#eventos.push({ evento, versao });
    const { state } = task.status;
    if (terminal(state) || (this.#alcance === 'turno' && interrompido(state))) this.encerrar();
  }

  /**
   * Põe o estado inicial na frente, e tira da fila o que ele já conta: um pedaço de artifact repetido seria somado
   * duas vezes por quem acumula.
   * @param versao a versão da Task em `primeiro`.
   */
  comecarPor(primeiro: StreamResponse, versao: number): this {
    const novos = this.#eventos.filter((recebido) => recebido.versao > versao);
    this.#eventos = [{ evento: primeiro, versao }, ...novos];
    return this;
  }

  /** Não chega mais nada; o que já chegou ainda é entregue. */
  encerrar(): void {
    this.#aoSair();
    this.#encerrada = true;
    this.#acordar({ value: undefined, done: true });
  }

  async next(): Promise<IteratorResult<StreamResponse, undefined>> {
    const recebido = this.#eventos.shift();
    if (recebido) return { value: recebido.evento, done: false };
    if (this.#encerrada) return { value: undefined, done: true };
    return new Promise((acordar) => {
      this.#esperando = acordar;
    });
  }

  async return(): Promise<IteratorResult<StreamResponse, undefined>> {
    this.#eventos = [];
    this.encerrar();
    return { value: undefined, done: true };
  }

  [Symbol.asyncIterator](): this {
    return this;
  }

  #acordar(passo: IteratorResult<StreamResponse, undefined>): void {
    this.#esperando?.(passo);
    this.#esperando = undefined;
  }
}
