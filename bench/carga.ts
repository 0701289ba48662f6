/** O processo que gera a carga: prepara sem medir, depois dispara e mede. */
import { atender } from './canal.ts';
import { emitir } from './emissao.ts';
import { type Alvo, type NomeDeOperacao, OPERACOES, type Operacao } from './operacoes.ts';

const EM_VOO = 8;

let preparos: unknown[] = [];

/** Um lote da mesma operação contra o mesmo alvo. */
export interface Lote {
  readonly operacao: NomeDeOperacao;
  readonly alvo: Alvo;
  readonly vezes: number;
}

atender({
  async preparar({ operacao, alvo, vezes }: Lote) {
    const { preparar } = OPERACOES[operacao] as Operacao;
    preparos = new Array(vezes);
    if (!preparar) return;
    await emitir(vezes, EM_VOO, async (i) => {
      preparos[i] = await preparar(alvo);
    });
  },

  async disparar({ operacao, alvo, vezes }: Lote) {
    const { executar } = OPERACOES[operacao] as Operacao;
    return emitir(vezes, EM_VOO, (i) => executar(alvo, preparos[i]));
  },
});
