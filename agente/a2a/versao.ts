/** A negociação de versão da A2A (spec §3.6). */
import { versaoNaoSuportada } from './erros.ts';

/** A versão que este núcleo fala, como vai no card e no header `A2A-Version`. */
export const VERSAO_DA_A2A = '1.0';

/**
 * Como é lido um request sem `A2A-Version`. A spec (§3.6.2) manda ler como 0.3, que este núcleo não fala; aqui
 * lê-se como 1.0, porque há clientes de 1.0 que não mandam o header e recusá-los não protegeria ninguém.
 */
const VERSAO_SEM_HEADER = VERSAO_DA_A2A;

/**
 * Confere a versão pedida no header `A2A-Version` ou no parâmetro de URL de mesmo nome; o patch não conta.
 * @throws {ErroA2A} -32009 se não for a 1.0.
 */
export function conferirVersao(request: Request): void {
  const header = request.headers.get('a2a-version')?.trim();
  const pedida = header || parametroDeVersao(request.url) || VERSAO_SEM_HEADER;
  if (!/^1\.0(\.\d+)?$/.test(pedida)) throw versaoNaoSuportada(pedida.slice(0, 64), VERSAO_DA_A2A);
}

function parametroDeVersao(url: string): string | undefined {
  // Quase nenhuma URL tem parâmetros: só vale a pena interpretá-la quando tem.
  if (!url.includes('?')) return undefined;
  const parametros = [...new URL(url).searchParams];
  return parametros.find(([nome]) => nome.toLowerCase() === 'a2a-version')?.[1].trim();
}
