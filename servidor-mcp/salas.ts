/** O cadastro de salas: a busca por id, e quais salas podem substituir qual. */

/** Uma sala, na forma de dados/salas.json. */
export interface Sala {
  readonly id: string;
  readonly nome: string;
  readonly capacidade: number;
  readonly recursos: readonly string[];
}

/** No máximo quantas alternativas se oferecem num conflito. */
export const MAXIMO_DE_ALTERNATIVAS = 3;

/** As salas conhecidas. */
export interface Cadastro {
  readonly todas: readonly Sala[];
  /** A sala com esse id, ou `undefined`. */
  sala(id: string): Sala | undefined;
  /** Ids das outras salas em que cabe quem pediu `sala`, da menor para a maior e, em empate, por id. */
  substitutas(sala: Sala): readonly string[];
}

/** Monta o cadastro. As listas de substitutas são calculadas uma vez: as salas não mudam durante o processo. */
export function criarCadastro(todas: readonly Sala[]): Cadastro {
  const porId = new Map(todas.map((sala) => [sala.id, sala]));
  const emOrdem = [...todas].sort((a, b) => a.capacidade - b.capacidade || (a.id < b.id ? -1 : 1));
  const substitutas = new Map(
    todas.map((sala) => [
      sala.id,
      emOrdem
        .filter((outra) => outra.id !== sala.id && outra.capacidade >= sala.capacidade)
        .map(({ id }) => id),
    ]),
  );
  return {
    todas,
    sala: (id) => porId.get(id),
    substitutas: ({ id }) => substitutas.get(id) ?? [],
  };
}
