/** A agenda num objeto durável: as reservas e as respostas ficam em disco, e toda operação passa por uma linha só. */
import { DurableObject, type Objetos } from 'cloudflare:workers';
import type { Agenda, Conclusao, Desfecho, NovaReserva, Ocupada, Reserva, Uso } from '../agenda.ts';
import { DADOS } from '../dados.ts';
import { lerInstante } from '../instante.ts';
import type { Intervalo } from '../politica.ts';

const TABELAS = `
  CREATE TABLE IF NOT EXISTS reservas (
    numero INTEGER PRIMARY KEY, sala TEXT NOT NULL, inicio INTEGER NOT NULL, fim INTEGER NOT NULL, reserva TEXT NOT NULL
  );
  CREATE INDEX IF NOT EXISTS por_sala ON reservas (sala, fim);
  CREATE TABLE IF NOT EXISTS usos (
    pedido TEXT PRIMARY KEY, sala TEXT, lembrar_ate INTEGER NOT NULL, desfecho TEXT NOT NULL
  );
  CREATE INDEX IF NOT EXISTS por_vencimento ON usos (lembrar_ate);
`;

/**
 * O objeto. Cada método é atômico porque nada nele espera: o SQL é síncrono, e o que um método grava vale junto.
 * Nasce com as reservas de dados/reservas.json; depois disso, o arquivo não é mais lido.
 */
export class ObjetoDaAgenda extends DurableObject implements Agenda {
  readonly #sql = this.ctx.storage.sql;

  constructor(...argumentos: ConstructorParameters<typeof DurableObject>) {
    super(...argumentos);
    this.#sql.exec(TABELAS);
    const [jaNasceu] = this.#sql.exec('SELECT 1 FROM reservas LIMIT 1');
    if (jaNasceu) return;
    for (const reserva of DADOS.reservas) {
      const { inicio, fim } = reserva;
      this.#guardar(reserva, { inicio: lerInstante(inicio) as number, fim: lerInstante(fim) as number });
    }
  }

  async conflitos(sala: string, { inicio, fim }: Intervalo): Promise<readonly Reserva[]> {
    const conflitos: Reserva[] = [];
    for (const ocupacao of this.#queTerminamDepois(sala, inicio)) {
      if (ocupacao.inicio >= fim) break;
      conflitos.push(JSON.parse(ocupacao.reserva) as Reserva);
    }
    return conflitos;
  }

  async livres(salas: readonly string[], intervalo: Intervalo, maximo: number): Promise<readonly string[]> {
    return salas.filter((sala) => this.#livre(sala, intervalo)).slice(0, maximo);
  }

  async reservar({ intervalo, ...dados }: NovaReserva, uso?: Uso): Promise<Desfecho> {
    return this.#usar(uso, () => {
      if (!this.#livre(dados.sala, intervalo)) return { tipo: 'ocupada' };
      const [ultima] = this.#sql.exec<{ numero: number }>('SELECT max(numero) AS numero FROM reservas');
      const reserva = { id: `res-${String((ultima?.numero ?? 0) + 1).padStart(4, '0')}`, ...dados };
      this.#guardar(reserva, intervalo);
      return { tipo: 'reservada', reserva };
    });
  }

  async recusar(uso: Uso): Promise<Desfecho> {
    return this.#usar(uso, () => ({ tipo: 'recusada' }));
  }

  async conclusao(pedido: string): Promise<Conclusao | undefined> {
    const [uso] = this.#sql.exec<{ desfecho: string }>('SELECT desfecho FROM usos WHERE pedido = ?', pedido);
    return uso && JSON.parse(uso.desfecho);
  }

  #livre(sala: string, { inicio, fim }: Intervalo): boolean {
    for (const vizinha of this.#queTerminamDepois(sala, inicio)) return vizinha.inicio >= fim;
    return true;
  }

  /** Como não há sobreposição numa sala, a ordem de fim é também a de início. As linhas são lidas uma a uma. */
  #queTerminamDepois(sala: string, instante: number): Iterable<{ inicio: number; reserva: string }> {
    return this.#sql.exec(
      'SELECT inicio, reserva FROM reservas WHERE sala = ? AND fim > ? ORDER BY fim',
      sala,
      instante,
    );
  }

  #guardar(reserva: Reserva, { inicio, fim }: Intervalo): void {
    const numero = Number(/^res-(\d+)$/.exec(reserva.id)?.[1]);
    this.#sql.exec(
      'INSERT INTO reservas VALUES (?, ?, ?, ?, ?)',
      numero,
      reserva.sala,
      inicio,
      fim,
      JSON.stringify(reserva),
    );
  }

  #usar(uso: Uso | undefined, agir: () => Conclusao | Ocupada): Desfecho {
    if (!uso) return agir();
    const sala = uso.sala ?? null;
    const [anterior] = this.#sql.exec<{ sala: string | null; desfecho: string }>(
      'SELECT sala, desfecho FROM usos WHERE pedido = ?',
      uso.pedido,
    );
    if (anterior) {
      const vale: Conclusao = JSON.parse(anterior.desfecho);
      return anterior.sala === sala ? vale : { tipo: 'respondida-de-outro-modo', vale };
    }
    const desfecho = agir();
    if (desfecho.tipo !== 'ocupada') {
      this.#sql.exec('DELETE FROM usos WHERE lembrar_ate <= ?', Date.now());
      this.#sql.exec(
        'INSERT INTO usos VALUES (?, ?, ?, ?)',
        uso.pedido,
        sala,
        uso.lembrarAte,
        JSON.stringify(desfecho),
      );
    }
    return desfecho;
  }
}

/**
 * A agenda vista do worker. Quem chama o objeto é o request em curso: a referência a ele não pode ser guardada.
 * @param objetos o binding; há um objeto só, porque duas reservas só se veem se passarem pela mesma linha.
 */
export function criarAgendaDuravel(objetos: Objetos<Agenda>): Agenda {
  const agenda = (): Agenda => objetos.getByName('agenda');
  return {
    conflitos: (sala, intervalo) => agenda().conflitos(sala, intervalo),
    livres: (salas, intervalo, maximo) => agenda().livres(salas, intervalo, maximo),
    reservar: (nova, uso) => agenda().reservar(nova, uso),
    recusar: (uso) => agenda().recusar(uso),
    conclusao: (pedido) => agenda().conclusao(pedido),
  };
}
