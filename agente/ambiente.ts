/** As variáveis de ambiente do agente, iguais em todos os runtimes. */
import { type Ambiente, lerHostsPermitidos, lerInteiro, lerPorta, lerUrl } from '../comum/ambiente.ts';

/** O que o ambiente diz. `urlPublica` depende da porta real, que só se conhece ao escutar. */
export interface AmbienteDoAgente {
  readonly porta: number;
  readonly host: string | undefined;
  readonly hostsPermitidos: readonly string[];
  readonly urlDoMcp: string;
  readonly tempoLimiteMs: number;
  /** @param porta a porta em que o agente escuta. */
  urlPublica(porta: number): string;
}

/**
 * Lê `AGENTE_PORT`, `HOST`, `ALLOWED_HOSTS`, `MCP_URL`, `MCP_PORT`, `MCP_TIMEOUT_MS` e `PUBLIC_URL`.
 * @throws {ErroDeConfiguracao} com o nome da variável e o que ela aceita.
 */
export function lerAmbienteDoAgente(ambiente: Ambiente): AmbienteDoAgente {
  const portaDoMcp = lerPorta(ambiente, 'MCP_PORT', 7301);
  const publicada = ambiente.PUBLIC_URL?.trim() ? lerUrl(ambiente, 'PUBLIC_URL', '') : undefined;
  return {
    porta: lerPorta(ambiente, 'AGENTE_PORT', 7300),
    host: ambiente.HOST?.trim() || undefined,
    hostsPermitidos: lerHostsPermitidos(ambiente),
    urlDoMcp: lerUrl(ambiente, 'MCP_URL', `http://localhost:${portaDoMcp}/mcp`),
    tempoLimiteMs: lerInteiro(ambiente, 'MCP_TIMEOUT_MS', { padrao: 10_000, minimo: 100, maximo: 120_000 }),
    urlPublica: (porta) => publicada ?? `http://localhost:${porta}`,
  };
}
