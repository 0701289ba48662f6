/** As variáveis de ambiente do servidor MCP. */
import {
  type Ambiente,
  ErroDeConfiguracao,
  lerHostsPermitidos,
  lerInteiro,
  lerPorta,
} from '../comum/ambiente.ts';

/** O que o ambiente decide. */
export interface ConfiguracaoDoAmbiente {
  readonly porta: number;
  /** Endereço em que escutar; ausente, loopback. */
  readonly host: string | undefined;
  readonly hostsPermitidos: readonly string[];
  readonly segredos: readonly string[];
  readonly ttlSegundos: number;
}

const MINIMO_DE_BYTES = 32;

/**
 * Lê a configuração do servidor MCP.
 * @throws {ErroDeConfiguracao} com uma mensagem que diz o que corrigir, se algo faltar ou estiver fora da faixa.
 */
export function configuracaoDoAmbiente(ambiente: Ambiente): ConfiguracaoDoAmbiente {
  return {
    porta: lerPorta(ambiente, 'MCP_PORT', 7301),
    host: ambiente.HOST?.trim() || undefined,
    hostsPermitidos: lerHostsPermitidos(ambiente),
    segredos: lerSegredos(ambiente),
    ttlSegundos: lerInteiro(ambiente, 'REQUEST_STATE_TTL_SECONDS', {
      padrao: 900,
      minimo: 300,
      maximo: 1800,
    }),
  };
}

function lerSegredos(ambiente: Ambiente): readonly string[] {
  const valor = ambiente.REQUEST_STATE_SECRET?.trim() ?? '';
  const segredos = valor.split(',').map((segredo) => segredo.trim());
  const curto = segredos.some((segredo) => new TextEncoder().encode(segredo).length < MINIMO_DE_BYTES);
  if (!curto) return segredos;
  throw new ErroDeConfiguracao(
    [
      `REQUEST_STATE_SECRET ${valor ? 'é curta demais' : 'não está definida'}: precisa de ao menos ${MINIMO_DE_BYTES} bytes (em cada segredo, se houver vários, separados por vírgula).`,
      'Gere e exporte um com:',
      '  export REQUEST_STATE_SECRET=$(python3 -c "import secrets; print(secrets.token_hex(32))")',
    ].join('\n'),
  );
}
