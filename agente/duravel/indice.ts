/** O índice das Tasks, num objeto durável só: é o que permite listar o que está espalhado, um objeto por Task. */
import { DurableObject } from 'cloudflare:workers';
import { escreverToken, lerToken } from '../a2a/armazem-em-memoria.ts';
import type { Task } from '../a2a/modelo.ts';
import type { Listagem, Pagina } from '../a2a/registro.ts';

/** O nome do único objeto. */
export const NOME_DO_INDICE = 'indice';

/** O que se pede ao índice. Ele guarda cópias da parte pública; a verdade é do objeto de cada Task. */
export interface Indice {
  /** Anota como a Task ficou. Uma versão que não é mais nova do que a anotada é ignorada. */
  anotar(task: Task, versao: number): Promise<void>;
  esquecer(taskId: string): Promise<void>;
  /** @see TaskStore.list */
  listar(listagem: Listagem): Promise<Pagina | undefined>;
}

const TABELA = `
  CREATE TABLE IF NOT EXISTS tasks (
    id TEXT PRIMARY KEY, versao INTEGER NOT NULL, instante INTEGER NOT NULL, sequencia INTEGER NOT NULL,
    contexto TEXT NOT NULL, estado TEXT NOT NULL, task TEXT NOT NULL
  );
  CREATE UNIQUE INDEX IF NOT EXISTS por_sequencia ON tasks (sequencia);
  CREATE INDEX IF NOT EXISTS por_instante ON tasks (instante, sequencia);
  CREATE INDEX IF NOT EXISTS por_contexto ON tasks (contexto, instante, sequencia);
`;

const FIM_DOS_TEMPOS = { instante: Number.MAX_SAFE_INTEGER, sequencia: 0 };

export class ObjetoDoIndice extends DurableObject implements Indice {
  readonly #sql = this.ctx.storage.sql;

  constructor(...argumentos: ConstructorParameters<typeof DurableObject>) {
    super(...argumentos);
    this.#sql.exec(TABELA);
  }

  async anotar(task: Task, versao: number): Promise<void> {
    const { id, contextId, status } = task;
    const [anotada] = this.#sql.exec<{ versao: number; sequencia: number; task: string }>(
      'SELECT versao, sequencia, task FROM tasks WHERE id = ?',
      id,
    );
    if (anotada && anotada.versao >= versao) return;
    this.#sql.exec(
      'INSERT OR REPLACE INTO tasks VALUES (?, ?, ?, ?, ?, ?, ?)',
      id,
      versao,
      Date.parse(status.timestamp),
      anotada && mesmoStatus(JSON.parse(anotada.task), task) ? anotada.sequencia : this.#proxima(),
      contextId,
      status.state,
      JSON.stringify(task),
    );
  }

  async esquecer(taskId: string): Promise<void> {
    this.#sql.exec('DELETE FROM tasks WHERE id = ?', taskId);
  }

  async listar({ contextId, status, statusTimestampAfter, pageSize, pageToken }: Listagem) {
    const antesDe = pageToken === undefined ? FIM_DOS_TEMPOS : lerToken(pageToken);
    if (!antesDe) return undefined;
    const filtros = [
      ['contexto = ?', contextId],
      ['estado = ?', status],
      ['instante >= ?', statusTimestampAfter],
    ].filter((filtro): filtro is [string, string | number] => filtro[1] !== undefined);
    const onde = ['TRUE', ...filtros.map(([condicao]) => condicao)].join(' AND ');
    const valores = filtros.map(([, valor]) => valor);

    const [contagem] = this.#sql.exec<{ total: number }>(
      `SELECT count(*) AS total FROM tasks WHERE ${onde}`,
      ...valores,
    );
    const linhas = [
      ...this.#sql.exec<{ instante: number; sequencia: number; task: string }>(
        `SELECT instante, sequencia, task FROM tasks WHERE ${onde} AND (instante, sequencia) < (?, ?)
         ORDER BY instante DESC, sequencia DESC LIMIT ?`,
        ...valores,
        antesDe.instante,
        antesDe.sequencia,
        pageSize + 1,
      ),
    ];
    const pagina = linhas.slice(0, pageSize);
    const ultima = pagina.at(-1);
    return {
      tasks: pagina.map(({ task }) => JSON.parse(task) as Task),
      proximo: ultima && linhas.length > pageSize ? escreverToken(ultima) : '',
      total: contagem?.total ?? 0,
    };
  }

  #proxima(): number {
    const [ultima] = this.#sql.exec<{ sequencia: number | null }>(
      'SELECT max(sequencia) AS sequencia FROM tasks',
    );
    return (ultima?.sequencia ?? 0) + 1;
  }
}

/** A ordem da listagem é a da última mudança de estado; um artifact que chega não a muda. */
function mesmoStatus(uma: Task, outra: Task): boolean {
  return JSON.stringify(uma.status) === JSON.stringify(outra.status);
}
