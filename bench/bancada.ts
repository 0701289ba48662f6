/** Tudo o que se mede, no ar: um processo por piso, os dois serviços, e os serviços com mais coisas guardadas. */
import type { Construido } from './construir.ts';
import type { Medidas } from './medidas.ts';
import { Processo, portaLivre } from './processo.ts';

/** Um processo que escuta. */
export interface Servico {
  readonly processo: Processo;
  readonly url: string;
}

export interface Bancada {
  readonly carga: Processo;
  readonly eco: Servico;
  readonly hono: Servico;
  readonly sdk: Servico;
  readonly sdkEnxuto: Servico;
  readonly sdkCliente: Processo;
  readonly selo: Processo;
  readonly log: Processo;
  readonly bytesPorTask: Processo;
  /** Os dois serviços como em produção. */
  readonly mcp: Servico;
  readonly agente: Servico;
  /** Servidores MCP, da menor agenda para a maior. */
  readonly agendas: readonly (Servico & { readonly reservas: number })[];
  /** Agentes, do menor armazém para o maior; todos usam o servidor MCP acima. */
  readonly armazens: readonly (Servico & { readonly tasks: number })[];
  derrubar(): Promise<void>;
}

/** @param pasta onde vai o stderr de cada processo. @throws {Error} se algum não subir; os outros são derrubados. */
export async function montar(
  { bench, servidorMcp, projeto }: Construido,
  pasta: string,
  { agendas, armazens }: Medidas,
): Promise<Bancada> {
  const processos: Processo[] = [];
  const derrubar = async (): Promise<void> => {
    await Promise.all(processos.map((processo) => processo.derrubar()));
  };
  const processo = async (
    nome: string,
    arquivo: string,
    env: Readonly<Record<string, string>> = {},
    porta?: number,
  ): Promise<Processo> => {
    const log = `${pasta}/${nome}.log`;
    const novo = await Processo.subir({ nome, arquivo, medidor: bench('medidor'), env, porta, log });
    processos.push(novo);
    return novo;
  };
  const servico = async (
    nome: string,
    arquivo: string,
    env: Readonly<Record<string, string>> = {},
  ): Promise<Servico> => {
    const porta = await portaLivre();
    // Cada processo lê a porta pelo nome que conhece.
    const portas = { PORTA: String(porta), MCP_PORT: String(porta), AGENTE_PORT: String(porta) };
    return {
      processo: await processo(nome, arquivo, { ...portas, ...env }, porta),
      url: `http://127.0.0.1:${porta}`,
    };
  };

  try {
    const [eco, hono, sdk, sdkEnxuto, mcp, carga, selo, log, bytesPorTask] = await Promise.all([
      servico('eco-http', bench('eco-http')),
      servico('rota-hono', bench('rota-hono')),
      servico('sdk-servidor', bench('sdk-servidor')),
      servico('sdk-enxuto', bench('sdk-enxuto')),
      servico('servidor-mcp', servidorMcp(agendas[0])),
      processo('carga', bench('carga')),
      processo('selo', bench('selo')),
      processo('log', bench('log')),
      processo('bytes-por-task', bench('bytes-por-task')),
    ]);
    const MCP_URL = `${mcp.url}/mcp`;
    const [agente, sdkCliente, servidores, agentes] = await Promise.all([
      servico('agente', `${projeto}/dist/agente.js`, { MCP_URL }),
      processo('sdk-cliente', bench('sdk-cliente'), { MCP_URL: `${sdk.url}/mcp` }),
      Promise.all(
        agendas.map(async (reservas) => ({
          reservas,
          ...(await servico(`servidor-mcp-com-${reservas}`, servidorMcp(reservas))),
        })),
      ),
      Promise.all(
        armazens.map(async (tasks) => ({
          tasks,
          ...(await servico(`agente-com-${tasks}`, bench('agente-com-tasks'), {
            MCP_URL,
            TASKS: String(tasks),
            TASKS_DO_MAIOR: String(armazens[2]),
          })),
        })),
      ),
    ]);
    // O lixo de carregar tantas reservas e Tasks não é do que se vai medir.
    await Promise.all([...servidores, ...agentes].map(({ processo }) => processo.pedir('heapVivo')));
    return {
      carga,
      eco,
      hono,
      sdk,
      sdkEnxuto,
      sdkCliente,
      selo,
      log,
      bytesPorTask,
      mcp,
      agente,
      agendas: servidores,
      armazens: agentes,
      derrubar,
    };
  } catch (erro) {
    await derrubar();
    throw erro;
  }
}
