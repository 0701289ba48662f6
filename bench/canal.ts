/** Perguntas e respostas entre o bench e os processos que ele sobe, pelo canal de IPC do Node. */
import type { ChildProcess } from 'node:child_process';

interface Pergunta {
  readonly numero: number;
  readonly operacao: string;
  readonly argumentos: unknown;
}

type Resposta = { readonly numero: number } & ({ readonly valor: unknown } | { readonly erro: string });

/** O que um processo medido sabe fazer quando o bench pede. */
export type Atendentes = Readonly<Record<string, (argumentos: never) => unknown>>;

/** No processo medido: passa a atender. O que não estiver em `atendentes` fica para outro que também atenda. */
export function atender(atendentes: Atendentes): void {
  process.on('message', async ({ numero, operacao, argumentos }: Pergunta) => {
    const atendente = atendentes[operacao];
    if (!atendente) return;
    let resposta: Resposta;
    try {
      resposta = { numero, valor: await atendente(argumentos as never) };
    } catch (erro) {
      resposta = { numero, erro: String(erro instanceof Error ? erro.stack : erro) };
    }
    process.send?.(resposta);
  });
}

/** No bench: o outro lado de `atender`. */
export class Canal {
  readonly #processo: ChildProcess;
  readonly #esperando = new Map<number, { pronto(valor: unknown): void; falhou(erro: Error): void }>();
  #ultimo = 0;

  constructor(processo: ChildProcess, nome: string) {
    this.#processo = processo;
    processo.on('message', (resposta: Resposta) => {
      const espera = this.#esperando.get(resposta.numero);
      this.#esperando.delete(resposta.numero);
      if ('erro' in resposta) espera?.falhou(new Error(`${nome}: ${resposta.erro}`));
      else espera?.pronto(resposta.valor);
    });
    processo.on('exit', (codigo, sinal) => {
      for (const { falhou } of this.#esperando.values())
        falhou(new Error(`${nome} saiu com ${sinal ?? codigo}`));
    });
  }

  /** Pede uma operação e espera o resultado. @throws {Error} se ela falhar, ou se o processo sair antes. */
  pedir<T>(operacao: string, argumentos: unknown = {}): Promise<T> {
    return new Promise<T>((pronto, falhou) => {
      const numero = ++this.#ultimo;
      this.#esperando.set(numero, { pronto: pronto as (valor: unknown) => void, falhou });
      this.#processo.send({ numero, operacao, argumentos }, (erro) => {
        if (erro) falhou(erro);
      });
    });
  }
}
