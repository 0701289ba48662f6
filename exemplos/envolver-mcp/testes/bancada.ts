/** Um servidor MCP envolvido, na memória, e tudo o que saiu dele. */
import type { Manipulador } from '../../../comum/manipulador.ts';
import { type ClienteA2A, conectar } from '../../cliente/cliente-a2a.ts';
import { type Envoltorio, envolver } from '../app.ts';

/** Onde o envoltório e o servidor MCP pensam que estão. */
export const BASE = 'http://localhost';

/** O envoltório, um cliente dele, e os textos que ele mandou e registrou. */
export interface Bancada {
  readonly envoltorio: Envoltorio;
  conectar(): Promise<ClienteA2A>;
  /** Faz um request ao envoltório. */
  buscar(caminho: string, init?: RequestInit): Promise<Response>;
  /** Os corpos de todas as respostas e as linhas de log, num texto só. */
  saidas(): string;
}

/** @param mcp o servidor; trocar o `fetch` dele troca o servidor. */
export function montar(mcp: Manipulador, tempoLimiteMs = 5_000): Bancada {
  const saidas: string[] = [];
  const envoltorio = envolver({
    urlPublica: BASE,
    urlDoMcp: `${BASE}/mcp`,
    tempoLimiteMs,
    escrever: (linha) => saidas.push(linha),
    fetch: (url, init) => mcp.fetch(new Request(url, init)),
  });
  const buscar = async (request: Request): Promise<Response> => {
    const resposta = await envoltorio.fetch(request);
    resposta
      .clone()
      .text()
      .then((texto) => saidas.push(texto));
    return resposta;
  };
  return {
    envoltorio,
    conectar: () => conectar(BASE, buscar),
    buscar: (caminho, init) => buscar(new Request(`${BASE}${caminho}`, init)),
    saidas: () => saidas.join('\n'),
  };
}
