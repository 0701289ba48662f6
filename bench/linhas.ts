/** As linhas da tabela: o que roda contra quem, e de quais processos se soma a CPU. */
import type { Bancada, Servico } from './bancada.ts';
import type { Emissao } from './emissao.ts';
import type { Medidas } from './medidas.ts';
import type { Alvo, NomeDeOperacao } from './operacoes.ts';
import type { Processo } from './processo.ts';

/** Uma linha, que se mede a cada rodada. */
export interface Linha {
  readonly id: string;
  readonly grupo: 'pisos' | 'nossas' | 'crescimento';
  readonly nome: string;
  /** O que junta as linhas que se comparam entre si: medem-se alternadas de perto, várias vezes por rodada. */
  readonly serie?: string;
  /** De quantas em quantas voltas da série se mede: as pontas do crescimento, de alvo apertado, em todas. */
  readonly aCada: number;
  /** Quantas vezes cada vez que se mede. */
  readonly vezes: number;
  /** De quem é a CPU. */
  readonly medidos: readonly Processo[];
  /** O que não se mede. */
  preparar(vezes: number): Promise<void>;
  emitir(vezes: number): Promise<Emissao>;
}

type Descricao = Pick<Linha, 'grupo' | 'id' | 'nome' | 'serie' | 'aCada' | 'vezes'>;

/** O alvo que passa pelos dois serviços de produção. */
export function pelosDois({ agente, mcp }: Bancada, { agendas }: Medidas): Alvo {
  return { url: `${agente.url}/a2a`, mcp: `${mcp.url}/mcp`, iniciais: agendas[0] };
}

/** @returns as linhas, na ordem da tabela. */
export function descreverLinhas(bancada: Bancada, medidas: Medidas): readonly Linha[] {
  const { carga, eco, hono, sdk, sdkEnxuto, sdkCliente, mcp, agente, selo, log, agendas, armazens } = bancada;
  const [iniciais] = medidas.agendas;

  /** A carga vem de fora. */
  const porHttp = (
    descricao: Descricao,
    operacao: NomeDeOperacao,
    alvo: Alvo,
    medidos: Processo[],
  ): Linha => ({
    ...descricao,
    vezes: Math.ceil(descricao.vezes * medidas.fator),
    medidos,
    preparar: (vezes) => carga.pedir('preparar', { operacao, alvo, vezes }),
    emitir: (vezes) => carga.pedir('disparar', { operacao, alvo, vezes }),
  });
  /** O próprio processo medido faz o trabalho. */
  const sozinho = (descricao: Descricao, processo: Processo, operacao = 'fazer'): Linha => ({
    ...descricao,
    vezes: Math.ceil(descricao.vezes * medidas.fator),
    medidos: [processo],
    preparar: async () => undefined,
    emitir: (vezes) => processo.pedir(operacao, { vezes }),
  });

  const descrever =
    (grupo: Linha['grupo']) =>
    (id: string, nome: string, vezes: number, serie?: string): Descricao => ({
      grupo,
      id,
      nome,
      vezes,
      aCada: 2,
      ...(serie && { serie }),
    });
  const [piso, nossa] = [descrever('pisos'), descrever('nossas')];
  const direto = (url: string): Alvo => ({ url, mcp: url, iniciais });
  const noMcp = (descricao: Descricao, operacao: NomeDeOperacao): Linha =>
    porHttp(descricao, operacao, direto(`${mcp.url}/mcp`), [mcp.processo]);
  const noAgente = (descricao: Descricao, operacao: NomeDeOperacao, medidos: readonly Servico[]): Linha =>
    porHttp(
      descricao,
      operacao,
      pelosDois(bancada, medidas),
      medidos.map(({ processo }) => processo),
    );

  return [
    porHttp(piso('eco', 'node:http, eco de JSON', 1600), 'eco', direto(eco.url), [eco.processo]),
    porHttp(piso('hono', 'Hono, rota de JSON', 300, 'chamadas'), 'eco', direto(hono.url), [hono.processo]),
    porHttp(
      piso('sdk-servidor', 'SDK como na documentação: tools/call', 50, 'chamadas'),
      'mcpReservar',
      direto(`${sdk.url}/mcp`),
      [sdk.processo],
    ),
    porHttp(
      piso('sdk-enxuto', 'SDK enxuto, sem validar: tools/call', 50, 'chamadas'),
      'mcpReservar',
      direto(`${sdkEnxuto.url}/mcp`),
      [sdkEnxuto.processo],
    ),
    sozinho(piso('sdk-cliente', 'SDK, lado do cliente: callTool', 50, 'chamadas'), sdkCliente),

    noMcp(nossa('mcp-consultar', 'MCP consultar_disponibilidade', 50, 'chamadas'), 'mcpConsultar'),
    noMcp(nossa('mcp-reservar', 'MCP reservar_sala, livre', 50, 'chamadas'), 'mcpReservar'),
    noMcp(nossa('mcp-conflito', 'MCP reservar_sala, conflito', 50, 'chamadas'), 'mcpConflito'),
    noMcp(nossa('mcp-retomar', 'MCP reservar_sala, retomada', 25, 'chamadas'), 'mcpRetomar'),
    noAgente(nossa('a2a-reservar', 'A2A SendMessage, sala livre', 50, 'chamadas'), 'a2aReservar', [
      agente,
      mcp,
    ]),
    noAgente(nossa('a2a-pausa', 'A2A pausa e continuação', 12, 'chamadas'), 'a2aPausarEContinuar', [
      agente,
      mcp,
    ]),
    noAgente(nossa('a2a-get-task', 'A2A GetTask', 1200), 'a2aGetTask', [agente]),
    noAgente(nossa('a2a-list-tasks', 'A2A ListTasks, página de 50', 200), 'a2aListTasks', [agente]),
    sozinho(nossa('selo', 'Selar e abrir um requestState', 1000), selo, 'selo'),
    sozinho(nossa('hmac', 'HMAC puro dos mesmos bytes', 1500), selo, 'hmac'),
    sozinho(nossa('log', 'As duas linhas de log de uma reserva', 3000), log),

    ...CRESCIMENTO_DA_AGENDA.flatMap(({ id, operacao, nome, vezes }) =>
      agendas.map(({ reservas, url, processo }) =>
        porHttp(
          {
            grupo: 'crescimento',
            serie: id,
            aCada: reservas === medidas.agendas[1] ? 3 : 1,
            id: `${id}-${reservas}`,
            nome: `${nome}, ${reservas} reservas`,
            vezes,
          },
          operacao,
          { url: `${url}/mcp`, mcp: `${url}/mcp`, iniciais: reservas },
          [processo],
        ),
      ),
    ),
    ...CRESCIMENTO_DO_ARMAZEM.flatMap(({ id, operacao, nome, vezes }) =>
      armazens.map(({ tasks, url, processo }) =>
        porHttp(
          {
            grupo: 'crescimento',
            serie: id,
            aCada: tasks === medidas.armazens[1] ? 3 : 1,
            id: `${id}-${tasks}`,
            nome: `${nome}, ${tasks} Tasks`,
            vezes,
          },
          operacao,
          // Onde só há uma Task, uma página tem uma e só ela se lê: nos três é assim, para que façam o mesmo trabalho.
          { url: `${url}/a2a`, mcp: `${mcp.url}/mcp`, iniciais, pagina: 1 },
          [processo],
        ),
      ),
    ),
  ];
}

/** O que se repete com agendas de vários tamanhos. */
export const CRESCIMENTO_DA_AGENDA = [
  { id: 'agenda-consultar', operacao: 'mcpConsultar', nome: 'MCP consultar_disponibilidade', vezes: 50 },
  { id: 'agenda-reservar', operacao: 'mcpReservar', nome: 'MCP reservar_sala, livre', vezes: 50 },
  { id: 'agenda-conflito', operacao: 'mcpConflito', nome: 'MCP reservar_sala, conflito', vezes: 50 },
  { id: 'agenda-retomar', operacao: 'mcpRetomar', nome: 'MCP reservar_sala, retomada', vezes: 25 },
] as const;

/** O que se repete com armazéns de vários tamanhos. */
export const CRESCIMENTO_DO_ARMAZEM = [
  { id: 'armazem-get-task', operacao: 'a2aGetTask', nome: 'A2A GetTask', vezes: 300 },
  { id: 'armazem-list-tasks', operacao: 'a2aListTasks', nome: 'A2A ListTasks, página de 1', vezes: 300 },
  { id: 'armazem-pausa', operacao: 'a2aPausarEContinuar', nome: 'A2A pausa e continuação', vezes: 12 },
] as const;
