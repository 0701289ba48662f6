/** Qualquer servidor MCP como agente A2A: o mesmo núcleo e a mesma ponte do agente de salas, com outro dialeto. */
import type { AgentCard } from '../../agente/a2a/card.ts';
import { Indisponivel } from '../../agente/a2a/erros.ts';
import { criarServidorA2A } from '../../agente/a2a/servidor.ts';
import { criarPonte } from '../../agente/ponte.ts';
import { criarLog, type Escrever } from '../../comum/log.ts';
import type { Manipulador } from '../../comum/manipulador.ts';
import { novoTraceparent } from '../../comum/traceparent.ts';
import { cardSemSkills, comSkills } from './card.ts';
import { criarHostNegociado, type HostNegociado } from './conexao.ts';
import { dialetoDeFerramentas } from './dialeto.ts';

/** Tudo o que o envoltório precisa saber do mundo. */
export interface ConfiguracaoDoEnvoltorio {
  /** Base pública do agente, como vai no card; sem barra no fim. */
  readonly urlPublica: string;
  /** Endpoint do servidor MCP. */
  readonly urlDoMcp: string;
  /** Quanto esperar por cada resposta MCP, em ms. */
  readonly tempoLimiteMs: number;
  /** Onde escrever cada linha de log. */
  readonly escrever: Escrever;
  /** Como chegar ao servidor MCP. Padrão: o `fetch` do runtime. */
  readonly fetch?: ((url: string | URL, init?: RequestInit) => Promise<Response>) | undefined;
  readonly hostsPermitidos?: readonly string[] | undefined;
}

/** O agente, e o que só quem o montou usa. */
export interface Envoltorio extends Manipulador {
  /** O card de agora. @throws {Indisponivel} se ainda não se conseguiu falar com o servidor MCP. */
  lerCard(): Promise<AgentCard>;
  /** Encerra a sessão com o servidor MCP, se houver uma. */
  fechar(): Promise<void>;
}

/** Monta o envoltório. Não fala com ninguém até chegar o primeiro request. */
export function envolver(config: ConfiguracaoDoEnvoltorio): Envoltorio {
  const base = cardSemSkills(config.urlPublica);
  const log = criarLog('envoltorio', config.escrever);
  const host = criarHostNegociado({
    nome: 'envolver-mcp',
    versao: base.version,
    url: config.urlDoMcp,
    tempoLimiteMs: config.tempoLimiteMs,
    fetch: config.fetch,
  });

  let publicado: AgentCard | undefined;
  const lerCard = async (): Promise<AgentCard> => {
    const card = await montarCard(host, base).catch((erro: Error) => {
      log('sem-tools-list', { motivo: erro.message });
      // Com o servidor fora do ar, o último card ainda é o que ele fazia; sem nenhum, não há o que publicar.
      if (publicado) return publicado;
      throw new Indisponivel(erro.message);
    });
    if (card.skills.length === 0) throw new Indisponivel('O servidor MCP não publica ferramenta nenhuma');
    // O mesmo objeto enquanto nada muda: é assim que o núcleo sabe que o ETag continua valendo.
    if (JSON.stringify(card) !== JSON.stringify(publicado)) {
      publicado = card;
      log('card-novo', { servidor: card.name, skills: card.skills.length });
    }
    return publicado ?? card;
  };

  const servidor = criarServidorA2A({
    card: base,
    lerCard,
    executor: criarPonte(host, dialetoDeFerramentas),
    log,
    hostsPermitidos: config.hostsPermitidos,
  });
  return { fetch: servidor.fetch, lerCard, fechar: host.fechar };
}

async function montarCard(host: HostNegociado, base: AgentCard): Promise<AgentCard> {
  const ferramentas = await host.ferramentas(novoTraceparent());
  return comSkills(base, await host.servidor(), ferramentas);
}
