/** O tamanho de tudo o que o bench faz. */
export interface Medidas {
  /** Quantas rodadas, se o tempo der; a mediana delas é o que se mostra. */
  readonly rodadas: number;
  /** Multiplica quantas vezes cada operação roda numa rodada. */
  readonly fator: number;
  /** Reservas guardadas, da menor agenda para a maior. */
  readonly agendas: readonly [number, number, number];
  /** Tasks guardadas, do menor armazém para o maior. */
  readonly armazens: readonly [number, number, number];
  /** Reservas feitas entre a memória ociosa e a final. */
  readonly reservasDaMemoria: number;
  /** Tasks com que se mede quanto ocupa cada uma. */
  readonly tasksDaMemoria: number;
  /** Quantas vezes se sobe cada serviço do zero. */
  readonly partidas: number;
  /** Reservas feitas com o perfil ligado. */
  readonly reservasDoPerfil: number;
}

/** As que valem. */
export const COMPLETAS: Medidas = {
  rodadas: 15,
  fator: 1,
  agendas: [5, 1_000, 100_000],
  armazens: [1, 1_000, 50_000],
  reservasDaMemoria: 50_000,
  tasksDaMemoria: 20_000,
  partidas: 7,
  reservasDoPerfil: 20_000,
};

/** Poucas de cada: servem para ver se o bench funciona, e os números não valem. */
export const RAPIDAS: Medidas = {
  rodadas: 1,
  fator: 0.003,
  agendas: [5, 10, 20],
  armazens: [1, 2, 4],
  reservasDaMemoria: 64,
  tasksDaMemoria: 40,
  partidas: 1,
  reservasDoPerfil: 500,
};
