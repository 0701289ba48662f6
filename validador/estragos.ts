/** O vocabulário da tabela de estragos: quais respostas estragar (`em`) e como (`estragar`). */
import type { Estragar, Json, Qual, Resposta } from './interceptador.ts';

// Quais respostas

/** A resposta do servidor MCP a um método, quando os params, serializados, contêm todos os textos. */
export const mcp =
  (nome: string, ...contendo: readonly string[]): Qual =>
  ({ servico, metodo, params }) =>
    servico === 'mcp' && metodo === nome && contemTudo(params, contendo);

/** A resposta de um tools/call cujos params contêm todos os textos. */
export const ferramenta = (nome: string, ...contendo: readonly string[]): Qual =>
  mcp('tools/call', `"name":"${nome}"`, ...contendo);

/** O Agent Card. */
export const card: Qual = ({ servico, metodo }) => servico === 'agente' && metodo === 'GET';

/** A resposta do agente a uma mensagem que contém o texto. */
export const envio =
  (texto: string): Qual =>
  ({ metodo, params }) =>
    metodo === 'SendMessage' && contemTudo(params, [texto]);

/** A resposta a um GetTask, se ela contém todos os textos: o pedido só tem o id. */
export const getTask =
  (...contendo: readonly string[]): Qual =>
  ({ metodo }, { corpo }) =>
    metodo === 'GetTask' && contemTudo(corpo ?? '', contendo);

function contemTudo(valor: Json, textos: readonly string[]): boolean {
  const inteiro = JSON.stringify(valor);
  return textos.every((texto) => inteiro.includes(texto));
}

// Como estragar

/** Faz vários estragos na mesma resposta. */
export const varios =
  (...estragos: readonly Estragar[]): Estragar =>
  (resposta, estado) => {
    for (const estragar of estragos) estragar(resposta, estado);
  };

/** Troca o status HTTP. */
export const status =
  (valor: number): Estragar =>
  (resposta) => {
    resposta.status = valor;
  };

/** Troca o content-type. */
export const tipo =
  (valor: string): Estragar =>
  (resposta) => {
    resposta.headers['content-type'] = valor;
  };

/** Troca o corpo por um texto qualquer, ou derruba a conexão. */
export const corpo =
  (valor: string | undefined): Estragar =>
  (resposta) => {
    resposta.corpo = valor;
  };

/**
 * Troca (ou acrescenta) o valor no caminho, como `result.tools.0.name`; `*` é a única chave do objeto. O valor pode
 * ser função do atual; `undefined` retira o campo.
 */
export const trocar =
  (caminho: string, valor: Json | undefined | ((atual: Json) => Json | undefined)): Estragar =>
  (resposta) => {
    const raiz = JSON.parse(dados(resposta)) as Json;
    const passos = caminho.split('.');
    const ultimo = passos.pop() as string;
    let pai = raiz as { [campo: string]: Json };
    for (const passo of passos) {
      const proximo = pai[passo === '*' ? (Object.keys(pai)[0] ?? passo) : passo];
      if (typeof proximo !== 'object' || proximo === null)
        throw new Error(`Sem ${caminho} em ${resposta.corpo}`);
      pai = proximo as { [campo: string]: Json };
    }
    const chave = ultimo === '*' ? (Object.keys(pai)[0] ?? ultimo) : ultimo;
    const novo = typeof valor === 'function' ? valor(pai[chave] as Json) : valor;
    if (novo === undefined) delete pai[chave];
    else pai[chave] = novo;
    resposta.corpo = JSON.stringify(raiz);
    resposta.headers['content-type'] = 'application/json';
  };

/** Retira o campo no caminho. */
export const tirar = (caminho: string) => trocar(caminho, undefined);

/** Põe um result no lugar do que veio, com HTTP 200. */
export const comoResult = (result: Json) => varios(tirar('error'), trocar('result', result), status(200));

/** Põe um error no lugar do que veio. */
export const comoErro = (code: number) =>
  varios(tirar('result'), trocar('error', { code, message: 'estragado' }));

/** Troca um campo do structuredContent, e o bloco de texto com ele: só a verificação do valor pode notar. */
export const trocarEstruturado = (campo: string, valor: Json | undefined) =>
  varios(trocar(`result.structuredContent.${campo}`, valor), (resposta, estado) => {
    const { result } = JSON.parse(dados(resposta)) as { result: { structuredContent: Json } };
    trocar('result.content', [{ type: 'text', text: JSON.stringify(result.structuredContent) }])(
      resposta,
      estado,
    );
  });

/** Troca um campo do JSON dentro do artifact de uma Task. */
export const trocarNoArtifact = (task: string, campo: string, valor: Json) =>
  trocar(`${task}.artifacts.0.parts.0.text`, (texto) =>
    JSON.stringify({ ...JSON.parse(texto as string), [campo]: valor }),
  );

/** Usa o requestState que o agente guardou: o que nenhuma resposta A2A pode mostrar. */
export const vazar =
  (comToken: (token: string) => Estragar): Estragar =>
  (resposta, estado) => {
    if (!estado) throw new Error('O agente ainda não guardou nenhum requestState');
    comToken(estado)(resposta, estado);
  };

/** Acrescenta um campo ao result escrito à mão, com os escapes que se quiser. */
export const acrescentarCru =
  (json: string): Estragar =>
  (resposta) => {
    resposta.corpo = dados(resposta).replace('"result":{', `"result":{"cru":${json},`);
  };

/** Manda a mesma resposta como eventos SSE, com uma notificação antes. */
export const emSse: Estragar = (resposta) => {
  const notificacao = { jsonrpc: '2.0', method: 'notifications/message', params: { data: 'oi' } };
  resposta.corpo = `: oi\r\n\r\ndata: ${JSON.stringify(notificacao)}\n\nevent: message\ndata: ${dados(resposta)}\n\n`;
  resposta.headers['content-type'] = 'text/event-stream; charset=utf-8';
};

/** O JSON de uma resposta, venha ele direto ou como o evento de um SSE. */
function dados({ headers, corpo = '' }: Resposta): string {
  const sse = headers['content-type']?.startsWith('text/event-stream');
  return sse ? (/^data: ?(.*)$/m.exec(corpo)?.[1] ?? '') : corpo;
}
