/** Leitura das variáveis comuns aos dois processos. Recebe o ambiente como objeto: cada runtime tem o seu. */
import { HOSTS_LOCAIS } from './guarda.ts';

/** Variáveis de ambiente, venham de `process.env` ou dos bindings do workerd, que dá `null` no lugar da que falta. */
export type Ambiente = Readonly<Record<string, string | null | undefined>>;

/** Quanto um request pode levar para chegar inteiro, em ms, quando `REQUEST_TIMEOUT_MS` não diz outra coisa. */
export const PRAZO_DO_REQUEST_MS = 30_000;

/** Configuração que impede o processo de subir. A mensagem diz o que está errado e o que fazer. */
export class ErroDeConfiguracao extends Error {
  override name = 'ErroDeConfiguracao';
}

/**
 * Lê um número inteiro dentro de uma faixa.
 * @throws {ErroDeConfiguracao} se o texto não for um inteiro entre `minimo` e `maximo`.
 */
export function lerInteiro(
  ambiente: Ambiente,
  nome: string,
  { padrao, minimo, maximo }: { padrao: number; minimo: number; maximo: number },
): number {
  const texto = ambiente[nome]?.trim();
  if (!texto) return padrao;
  const numero = Number(texto);
  if (!/^\d+$/.test(texto) || numero < minimo || numero > maximo) {
    throw new ErroDeConfiguracao(`${nome} deve ser um inteiro entre ${minimo} e ${maximo}; veio "${texto}"`);
  }
  return numero;
}

/** Lê uma porta TCP; 0 pede uma porta livre ao sistema. @throws {ErroDeConfiguracao} fora de 0..65535. */
export function lerPorta(ambiente: Ambiente, nome: string, padrao: number): number {
  return lerInteiro(ambiente, nome, { padrao, minimo: 0, maximo: 65_535 });
}

/** Lê `REQUEST_TIMEOUT_MS`: quanto um request pode levar para chegar inteiro, em ms. @throws {ErroDeConfiguracao} */
export function lerPrazoDoRequest(ambiente: Ambiente): number {
  return lerInteiro(ambiente, 'REQUEST_TIMEOUT_MS', {
    padrao: PRAZO_DO_REQUEST_MS,
    minimo: 300,
    maximo: 600_000,
  });
}

/** Lê `ALLOWED_HOSTS` (nomes separados por vírgula, sem porta); ausente, valem os nomes locais. */
export function lerHostsPermitidos(ambiente: Ambiente): readonly string[] {
  const nomes = (ambiente.ALLOWED_HOSTS ?? '')
    .split(',')
    .map((nome) => nome.trim().toLowerCase())
    .filter(Boolean);
  return nomes.length > 0 ? nomes : HOSTS_LOCAIS;
}

/**
 * Lê uma URL http(s) absoluta, sem barra no fim.
 * @throws {ErroDeConfiguracao} se não for uma URL http ou https.
 */
export function lerUrl(ambiente: Ambiente, nome: string, padrao: string): string {
  const texto = ambiente[nome]?.trim() || padrao;
  if (!URL.canParse(texto) || !/^https?:$/.test(new URL(texto).protocol)) {
    throw new ErroDeConfiguracao(`${nome} deve ser uma URL http ou https absoluta; veio "${texto}"`);
  }
  return texto.replace(/\/+$/, '');
}
