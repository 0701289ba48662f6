/**
 * O cenário dos exemplos de wire: doze requests de um cliente comum, por HTTP, contra os dois processos recém-iniciados.
 * Nada é interceptado: os requests MCP são feitos daqui, direto ao servidor, com a forma dos que o agente faz.
 */

/** Um par de request e response, como fica em exemplos/wire/. */
export interface Exemplo {
  readonly descricao: string;
  readonly request: {
    readonly url: string;
    readonly metodo: 'GET' | 'POST';
    readonly headers?: Readonly<Record<string, string>>;
    readonly body?: Readonly<Record<string, unknown>>;
  };
  readonly response: { readonly httpStatus: number; readonly body: unknown };
}

/** As bases dos dois processos, sem barra no fim. */
export interface Enderecos {
  readonly agente: string;
  readonly mcp: string;
}

/** Onde os exemplos dizem que tudo se passou, seja qual for a porta da captura. */
const PADRAO: Enderecos = { agente: 'http://localhost:7300', mcp: 'http://localhost:7301' };

const FORM = { elicitation: { form: {} } };
const TRACEPARENT = '00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01';

const GARAGEM = reserva('sala-garagem', '14:00', '15:00', 'Marty');
const FUSCA = reserva('sala-fusca', '16:00', '17:00', 'Jennifer');

/** O que se lê de uma resposta para montar o request seguinte. */
interface Resultado {
  readonly inputRequests: Readonly<Record<string, unknown>>;
  readonly requestState: string;
  readonly task: { readonly id: string };
}

/**
 * Joga o cenário inteiro e devolve os exemplos pelo nome do arquivo, sem `.json`.
 * As duas pausas (03 e 08) são abertas antes de qualquer resposta, para que ambas ofereçam as mesmas alternativas.
 * @throws {Error} se algum passo responder com outro status HTTP que não o esperado.
 */
export async function jogarCenario(enderecos: Enderecos): Promise<ReadonlyMap<string, Exemplo>> {
  const exemplos = new Map<string, Exemplo>();

  const gravar = async (
    nome: string | undefined,
    descricao: string,
    processo: keyof Enderecos,
    { url: caminho, ...request }: Exemplo['request'],
    statusEsperado = 200,
  ): Promise<Resultado> => {
    const { metodo: method, headers = {}, body } = request;
    const resposta = await fetch(`${enderecos[processo]}${caminho}`, {
      method,
      headers,
      ...(body && { body: JSON.stringify(body) }),
    });
    const texto = (await resposta.text()).replaceAll(enderecos[processo], PADRAO[processo]);
    if (resposta.status !== statusEsperado) throw new Error(`${descricao} HTTP ${resposta.status}: ${texto}`);
    const lido = JSON.parse(texto) as { readonly result: Resultado };
    if (nome) {
      exemplos.set(nome, {
        descricao,
        request: { url: `${PADRAO[processo]}${caminho}`, ...request },
        response: { httpStatus: resposta.status, body: lido },
      });
    }
    return lido.result;
  };

  const mcp = (
    nome: string | undefined,
    descricao: string,
    id: number,
    method: string,
    params: Readonly<Record<string, unknown>> = {},
    capacidades: object = FORM,
  ): Promise<Resultado> => {
    const alvo = params.name ?? params.uri;
    const headers = {
      'Content-Type': 'application/json',
      Accept: 'application/json, text/event-stream',
      'MCP-Protocol-Version': '2026-07-28',
      'Mcp-Method': method,
      ...(typeof alvo === 'string' && { 'Mcp-Name': alvo }),
    };
    const _meta = {
      'io.modelcontextprotocol/protocolVersion': '2026-07-28',
      'io.modelcontextprotocol/clientInfo': { name: 'exemplos-de-a-ponte', version: '1.0.0' },
      'io.modelcontextprotocol/clientCapabilities': capacidades,
      traceparent: TRACEPARENT,
    };
    const body = { jsonrpc: '2.0', id, method, params: { ...params, _meta } };
    const status = capacidades === FORM ? 200 : 400;
    return gravar(nome, descricao, 'mcp', { url: '/mcp', metodo: 'POST', headers, body }, status);
  };

  const reservar = (args: object, retomada: object = {}) => ({
    name: 'reservar_sala',
    arguments: args,
    ...retomada,
  });

  const a2a = (nome: string, descricao: string, id: number, method: string, params: object) => {
    const headers = {
      'Content-Type': 'application/json',
      'A2A-Version': '1.0',
      traceparent: TRACEPARENT,
    };
    const body = { jsonrpc: '2.0', id, method, params };
    return gravar(nome, descricao, 'agente', { url: '/a2a', metodo: 'POST', headers, body });
  };

  const mensagem = (messageId: string, text: string, taskId?: string) => ({
    message: { messageId, role: 'ROLE_USER', parts: [{ text }], ...(taskId && { taskId }) },
  });

  await mcp('01-tools-list', 'Descoberta das ferramentas do servidor MCP.', 1, 'tools/list');
  await mcp(
    '02-tools-call-livre',
    'Reserva em intervalo livre: o resultado já vem completo.',
    2,
    'tools/call',
    reservar(reserva('sala-aquario', '09:00', '10:00', 'Doc')),
  );
  const pausa = await mcp(
    '03-tools-call-conflito-input-required',
    'Conflito: o servidor responde input_required, com a elicitation e o requestState. A chave de inputRequests é do servidor, e o cliente devolve a mesma.',
    3,
    'tools/call',
    reservar(GARAGEM),
  );
  await mcp('05-resources-read-politica', 'Leitura do resource da política de uso.', 5, 'resources/read', {
    uri: 'politica://uso',
  });
  await mcp(
    '06-erro-32021-sem-elicitation',
    'O mesmo conflito, vindo de um cliente que não declarou a capability de elicitation.',
    6,
    'tools/call',
    reservar(GARAGEM),
    {},
  );

  await gravar('07-a2a-agent-card', 'Agent Card publicado no well-known URI.', 'agente', {
    url: '/.well-known/agent-card.json',
    metodo: 'GET',
  });
  const { task } = await a2a(
    '08-a2a-send-message',
    'SendMessage pedindo uma sala ocupada: a Task para em TASK_STATE_INPUT_REQUIRED.',
    1,
    'SendMessage',
    mensagem('mensagem-do-pedido', pedidoEmTexto(GARAGEM)),
  );
  await a2a('09-a2a-get-task-input-required', 'GetTask de uma Task interrompida.', 2, 'GetTask', {
    id: task.id,
  });
  await a2a(
    '10-a2a-send-message-continuacao',
    'Continuação que cita a Task: o agente repete o tools/call com id novo e conclui.',
    3,
    'SendMessage',
    mensagem('mensagem-da-escolha', 'escolha=sala-mirante', task.id),
  );

  await mcp(
    '04-tools-call-retry',
    'Retry do mesmo tools/call com id novo, levando inputResponses e o requestState de 03 sem modificação. Foi feito depois de 10.',
    4,
    'tools/call',
    reservar(GARAGEM, responder(pausa, { action: 'accept', content: { sala: 'sala-fusca' } })),
  );
  const outraPausa = await mcp(undefined, 'O conflito de 11.', 11, 'tools/call', reservar(FUSCA));
  await mcp(
    '11-tools-call-retry-recusa',
    'Retry com action decline: conclui sem reservar e sem isError, com reservado igual a false no structuredContent.',
    12,
    'tools/call',
    reservar(FUSCA, responder(outraPausa, { action: 'decline' })),
  );
  return exemplos;
}

function reserva(sala: string, inicio: string, fim: string, responsavel: string) {
  const em = (hora: string): string => `2026-11-03T${hora}:00-03:00`;
  return { sala, inicio: em(inicio), fim: em(fim), responsavel };
}

function pedidoEmTexto(campos: Readonly<Record<string, string>>): string {
  return `reservar ${Object.entries(campos)
    .map(([campo, valor]) => `${campo}=${valor}`)
    .join(' ')}`;
}

/** O que um retry acrescenta: a resposta, sob a chave que veio, e o requestState como veio. */
function responder({ inputRequests, requestState }: Resultado, resposta: object) {
  const [chave = ''] = Object.keys(inputRequests);
  return { inputResponses: { [chave]: resposta }, requestState };
}
