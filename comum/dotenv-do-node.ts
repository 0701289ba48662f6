/** O `.env` nos processos de Node. À parte do adaptador de HTTP, que `npm start` não usa e demora a carregar. */
import { existsSync } from 'node:fs';
import { ErroDeConfiguracao } from './ambiente.ts';

/**
 * Lê `.env` da pasta atual, se existir. O que já está no ambiente vale mais, mesmo vazio.
 * @throws {ErroDeConfiguracao} se o arquivo existe e não dá para ler.
 */
export function carregarDotEnv(): void {
  try {
    if (existsSync('.env')) process.loadEnvFile('.env');
  } catch {
    throw new ErroDeConfiguracao('Não foi possível ler .env: confira se é um arquivo e quem pode lê-lo');
  }
}
