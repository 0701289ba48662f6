/** Uma Task num objeto durável: a plataforma faz fila de tudo o que mexe nela, venha de que máquina vier. */
import { DurableObject, type Objetos } from 'cloudflare:workers';
import { LIMITES_PADRAO } from '../a2a/armazem-em-memoria.ts';
import { interrompido } from '../a2a/modelo.ts';
import type { Registro } from '../a2a/registro.ts';
import { type Indice, NOME_DO_INDICE } from './indice.ts';

/** O que se pede ao objeto de uma Task; como o `get` e o `put` de TaskStore. */
export interface TaskDuravel<P> {
  get(): Promise<Registro<P> | undefined>;
  put(registro: Registro<P>): Promise<boolean>;
}

const REGISTRO = 'registro';

export class ObjetoDeTask<P> extends DurableObject<{ INDICE: Objetos<Indice> }> implements TaskDuravel<P> {
  /** Até quando a Task fica guardada, como no armazém em memória; aqui não há teto de quantidade. */
  protected readonly limites = LIMITES_PADRAO;
  /** Quanto esperar antes de anotar de novo no índice, se ele não respondeu. */
  protected readonly esperaParaAnotarMs: number = 5_000;

  get(): Promise<Registro<P> | undefined> {
    return this.ctx.storage.get(REGISTRO);
  }

  async put(registro: Registro<P>): Promise<boolean> {
    const guardado = await this.get();
    if ((guardado?.versao ?? 0) !== registro.versao - 1) return false;
    // Gravado junto com o registro, o alarme é a promessa de anotar no índice mesmo que tudo caia agora.
    await Promise.all([
      this.ctx.storage.put(REGISTRO, registro),
      this.ctx.storage.setAlarm(Date.now() + this.esperaParaAnotarMs),
    ]);
    await this.#anotar(registro).catch(() => undefined);
    return true;
  }

  override async alarm(): Promise<void> {
    const registro = await this.get();
    if (!registro) return;
    if (this.#vencimento(registro) > Date.now()) return this.#anotar(registro);
    await this.#indice.esquecer(registro.task.id);
    if (await this.#aindaEh(registro)) await this.ctx.storage.deleteAll();
  }

  async #anotar(registro: Registro<P>): Promise<void> {
    await this.#indice.anotar(registro.task, registro.versao);
    if (await this.#aindaEh(registro)) await this.ctx.storage.setAlarm(this.#vencimento(registro));
  }

  /** Enquanto se espera outro objeto, uma gravação nova pode ter chegado a este. */
  async #aindaEh(registro: Registro<P>): Promise<boolean> {
    return (await this.get())?.versao === registro.versao;
  }

  #vencimento({ task: { status } }: Registro<P>): number {
    const { pausaMs, idadeMs } = this.limites;
    return Date.parse(status.timestamp) + (interrompido(status.state) ? pausaMs : idadeMs);
  }

  get #indice(): Indice {
    return this.env.INDICE.getByName(NOME_DO_INDICE);
  }
}
