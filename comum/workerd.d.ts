/** O pouco do workerd que se usa aqui; os nomes e as formas são dele. */
declare module 'cloudflare:workers' {
  /** Os bindings da configuração. Uma variável de ambiente que não existe é `null`. */
  export const env: Readonly<Record<string, unknown>>;

  /** Um objeto durável: uma instância por nome no mundo inteiro, com disco próprio e uma linha de execução só. */
  export abstract class DurableObject<Bindings = unknown> {
    protected readonly ctx: { readonly storage: Armazenamento };
    protected readonly env: Bindings;
    constructor(ctx: { readonly storage: Armazenamento }, env: Bindings);
    alarm?(): Promise<void>;
  }

  /** Um grupo de objetos; os métodos de cada um são chamados de longe como se estivessem aqui. */
  export interface Objetos<Metodos> {
    getByName(nome: string): Metodos;
  }

  /** O disco de um objeto. Gravações sem espera entre elas valem juntas ou não valem. */
  export interface Armazenamento {
    get<Valor>(chave: string): Promise<Valor | undefined>;
    put<Valor>(chave: string, valor: Valor): Promise<void>;
    deleteAll(): Promise<void>;
    /** Pede que `alarm()` rode num instante, em ms; há um só, e um que falha é repetido. */
    setAlarm(instante: number): Promise<void>;
    readonly sql: {
      exec<Linha extends Readonly<Record<string, string | number | null>>>(
        comando: string,
        ...valores: readonly (string | number | null)[]
      ): Iterable<Linha>;
    };
  }
}
