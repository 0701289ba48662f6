/** O que a carga sabe fazer: cada operação é uma conversa inteira, e confere a resposta. */
import { disputado, type Horario, livre, OUTRA_SALA, ocupado, reservadoParaConflito } from './grade.ts';
import { postar } from './http.ts';

/** Contra quem a carga vai. */
export interface Alvo {
  /** O endereço que recebe a operação. */
  readonly url: string;
  /** O servidor MCP em que as reservas acabam; é onde se ocupa uma sala antes de disputá-la. */
  readonly mcp: string;
  /** Com quantas reservas esse servidor começou. */
  readonly iniciais: number;
  /** Quantas Tasks pedir por página, ou entre quantas escolher a que se lê. */
  readonly pagina?: number;
}

/** Uma operação: o que não se mede, e o que se mede. */
export interface Operacao<Preparo = unknown> {
  /** Deixa pronto o que a n-ésima vez precisa. */
  readonly preparar?: ((alvo: Alvo) => Promise<Preparo>) | undefined;
  /** A n-ésima vez. @throws se a resposta não for a esperada. */
  executar(alvo: Alvo, preparo: Preparo): Promise<void>;
}

const TRACEPARENT = '00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01';
const META = {
  'io.modelcontextprotocol/protocolVersion': '2026-07-28',
  'io.modelcontextprotocol/clientInfo': { name: 'agente-central-de-salas', version: '1.0.0' },
  'io.modelcontextprotocol/clientCapabilities': { elicitation: { form: {} } },
  traceparent: TRACEPARENT,
};

// Contadores por servidor: dois agentes sobre o mesmo servidor não podem pedir o mesmo horário.
const contadores = new Map<string, number>();
function proximo(mcp: string, sequencia: string): number {
  const chave = `${sequencia} ${mcp}`;
  const numero = contadores.get(chave) ?? 0;
  contadores.set(chave, numero + 1);
  return numero;
}

/** Uma chamada de ferramenta, direto no servidor MCP. */
async function chamar(
  url: string,
  ferramenta: string,
  argumentos: unknown,
  retomada: Readonly<Record<string, unknown>> = {},
): Promise<ResultadoMcp> {
  const corpo = JSON.stringify({
    jsonrpc: '2.0',
    id: 1,
    method: 'tools/call',
    params: { name: ferramenta, arguments: argumentos, ...retomada, _meta: META },
  });
  const { status, texto } = await postar(url, corpo, {
    accept: 'application/json, text/event-stream',
    'mcp-protocol-version': '2026-07-28',
    'mcp-method': 'tools/call',
    'mcp-name': ferramenta,
  });
  // Com as opções da documentação, o SDK pode responder como um evento SSE só.
  const json = texto.startsWith('{') ? texto : (/^data: (.*)$/m.exec(texto)?.[1] ?? '{}');
  const { result } = JSON.parse(json) as { result?: ResultadoMcp };
  if (status !== 200 || !result || result.isError)
    throw new Error(`resposta inesperada (${status}): ${texto.slice(0, 400)}`);
  return result;
}

interface ResultadoMcp {
  readonly isError?: boolean;
  readonly structuredContent?: { readonly reservado?: boolean; readonly livre?: boolean };
  readonly requestState?: string;
  readonly inputRequests?: Readonly<Record<string, unknown>>;
}

const reserva = (horario: Horario) => ({ ...horario, responsavel: 'Marty McFly' });

async function reservar(url: string, horario: Horario): Promise<void> {
  const { structuredContent } = await chamar(url, 'reservar_sala', reserva(horario));
  conferir(structuredContent?.reservado === true, structuredContent);
}

async function pedirOcupada(url: string, horario: Horario): Promise<ResultadoMcp> {
  const resultado = await chamar(url, 'reservar_sala', reserva(horario));
  conferir(typeof resultado.requestState === 'string', resultado);
  return resultado;
}

async function ocuparHorarioNovo({ mcp }: Alvo): Promise<Horario> {
  const horario = reservadoParaConflito(proximo(mcp, 'reservado'));
  await reservar(mcp, horario);
  return horario;
}

/** Uma operação A2A. */
async function operar(url: string, method: string, params: unknown): Promise<ResultadoA2A> {
  const corpo = JSON.stringify({ jsonrpc: '2.0', id: 1, method, params });
  const { status, texto } = await postar(url, corpo, { 'a2a-version': '1.0', traceparent: TRACEPARENT });
  const { result } = JSON.parse(texto) as { result?: ResultadoA2A };
  if (status !== 200 || !result) throw new Error(`resposta inesperada (${status}): ${texto.slice(0, 400)}`);
  return result;
}

interface TaskA2A {
  readonly id: string;
  readonly status: { readonly state: string };
}
interface ResultadoA2A {
  readonly id?: string;
  readonly task?: TaskA2A;
  readonly tasks?: readonly TaskA2A[];
}

let mensagens = 0;
async function enviar(url: string, text: string, estado: string, taskId?: string): Promise<string> {
  const message = {
    messageId: `msg-${++mensagens}`,
    role: 'ROLE_USER',
    parts: [{ text }],
    ...(taskId && { taskId }),
  };
  const { task } = await operar(url, 'SendMessage', { message });
  conferir(task?.status.state === estado, task);
  return task?.id ?? '';
}

function pedidoEmTexto({ sala, inicio, fim }: Horario): string {
  return `reservar sala=${sala} inicio=${inicio} fim=${fim} responsavel=Marty McFly`;
}

function conferir(certo: boolean, resposta: unknown): void {
  if (!certo) throw new Error(`resposta inesperada: ${JSON.stringify(resposta)?.slice(0, 400)}`);
}

/** Um JSON do tamanho de um tools/call, que volta igual. */
const eco: Operacao = {
  async executar({ url }) {
    const corpo = JSON.stringify({
      jsonrpc: '2.0',
      id: 1,
      method: 'tools/call',
      params: { name: 'reservar_sala', arguments: reserva(livre(0)), _meta: META },
    });
    const { status, texto } = await postar(url, corpo);
    conferir(status === 200 && texto.length === corpo.length, texto);
  },
};

const mcpConsultar: Operacao = {
  async executar({ url, iniciais }) {
    const n = proximo(url, 'consulta');
    const horario = n % 2 ? ocupado((n * 7919) % iniciais) : livre((n * 7919) % iniciais);
    const { structuredContent } = await chamar(url, 'consultar_disponibilidade', horario);
    conferir(typeof structuredContent?.livre === 'boolean', structuredContent);
  },
};

const mcpReservar: Operacao = {
  async executar({ url }) {
    await reservar(url, livre(proximo(url, 'livre')));
  },
};

const mcpConflito: Operacao = {
  async executar({ url, iniciais }) {
    await pedirOcupada(url, disputado(proximo(url, 'disputa'), iniciais));
  },
};

const mcpRetomar: Operacao<{ readonly horario: Horario; readonly pergunta: ResultadoMcp }> = {
  async preparar(alvo) {
    const horario = await ocuparHorarioNovo(alvo);
    return { horario, pergunta: await pedirOcupada(alvo.url, horario) };
  },
  async executar({ url }, { horario, pergunta: { inputRequests = {}, requestState } }) {
    const escolha = { action: 'accept', content: { sala: OUTRA_SALA } };
    const inputResponses = Object.fromEntries(Object.keys(inputRequests).map((chave) => [chave, escolha]));
    const { structuredContent } = await chamar(url, 'reservar_sala', reserva(horario), {
      inputResponses,
      requestState,
    });
    conferir(structuredContent?.reservado === true, structuredContent);
  },
};

const a2aReservar: Operacao = {
  async executar({ url, mcp }) {
    await enviar(url, pedidoEmTexto(livre(proximo(mcp, 'livre'))), 'TASK_STATE_COMPLETED');
  },
};

const a2aPausarEContinuar: Operacao<Horario> = {
  preparar: ocuparHorarioNovo,
  async executar({ url }, horario) {
    const taskId = await enviar(url, pedidoEmTexto(horario), 'TASK_STATE_INPUT_REQUIRED');
    await enviar(url, `escolha=${OUTRA_SALA}`, 'TASK_STATE_COMPLETED', taskId);
  },
};

const tasksConhecidas = new Map<string, readonly TaskA2A[]>();
const a2aGetTask: Operacao<TaskA2A> = {
  async preparar({ url, pagina = 100 }) {
    if (!tasksConhecidas.has(url)) {
      const { tasks = [] } = await operar(url, 'ListTasks', { pageSize: pagina });
      tasksConhecidas.set(url, tasks);
    }
    const tasks = tasksConhecidas.get(url) ?? [];
    return tasks[proximo(url, 'leitura') % tasks.length] as TaskA2A;
  },
  async executar({ url }, { id }) {
    const task = await operar(url, 'GetTask', { id });
    conferir(task.id === id, task);
  },
};

const a2aListTasks: Operacao = {
  async executar({ url, pagina = 50 }) {
    const { tasks } = await operar(url, 'ListTasks', { pageSize: pagina });
    conferir(tasks?.length === pagina, tasks);
  },
};

/** Todas, pelo nome. */
export const OPERACOES = {
  eco,
  mcpConsultar,
  mcpReservar,
  mcpConflito,
  mcpRetomar,
  a2aReservar,
  a2aPausarEContinuar,
  a2aGetTask,
  a2aListTasks,
} as const;

export type NomeDeOperacao = keyof typeof OPERACOES;
