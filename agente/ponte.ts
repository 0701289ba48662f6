/**
 * A ponte: onde o `input_required` do MCP vira o `TASK_STATE_INPUT_REQUIRED` da A2A, e onde volta.
 *
 * Nenhum dos dois protocolos tem sessão. O MCP termina a resposta pedindo informação e entrega um `requestState`
 * lacrado; a A2A dá à espera uma identidade, a Task. Aqui o lacre é guardado ao lado da Task, fechado, e ecoado
 * quando o cliente responde. Quem lacra é o servidor MCP; esta ponte não abre, não interpreta e não mostra.
 */
import {
  type CallToolResult,
  INVALID_PARAMS,
  type InputRequests,
  type InputRequiredResult,
  type InputResponses,
  isInputRequiredResult,
} from '@modelcontextprotocol/client';
import { lerTraceparent, novoTraceparent, type Traceparent } from '../comum/traceparent.ts';
import { Indisponivel } from './a2a/erros.ts';
import {
  artifact,
  canceled,
  completed,
  type Executor,
  failed,
  inputRequired,
  rejected,
  working,
} from './a2a/executor.ts';
import type { Dialeto } from './dialeto.ts';
import { type ChamadaDeFerramenta, type HostMcp, RecusadoPeloServidorMcp } from './host-mcp.ts';

/** O que fica guardado ao lado de uma Task pausada. Nunca é serializado para o cliente A2A, nem vai para o log. */
export interface Pausa {
  /** A chamada original, para repetir igual. */
  readonly chamada: ChamadaDeFerramenta;
  /** As perguntas, com as chaves que o servidor atribuiu. */
  readonly inputRequests: InputRequests;
  /** O estado lacrado, exatamente como veio. */
  readonly requestState: string | undefined;
  /** O trace da Task, para uma continuação que não traga o seu. */
  readonly trace: Traceparent;
}

/**
 * Liga um servidor MCP a um agente A2A.
 * @param host por onde se fala MCP.
 * @param dialeto como se fala com o cliente A2A.
 * @returns o executor que o núcleo A2A roda a cada mensagem.
 */
export function criarPonte(host: HostMcp, dialeto: Dialeto): Executor<Pausa> {
  return async function* ponte({ message, pausa, headers, signal }) {
    yield working();
    const trace = lerTraceparent(headers.get('traceparent')) ?? pausa?.trace ?? novoTraceparent();

    // A mensagem A2A vira uma chamada MCP. Numa retomada é a chamada original, com as respostas e o lacre de volta.
    const lida = pausa ? dialeto.lerRespostas(message, pausa.inputRequests) : dialeto.lerPedido(message);
    if ('recusa' in lida) return yield pausa ? inputRequired(lida.recusa, pausa) : rejected(lida.recusa);
    const original = 'pedido' in lida ? lida.pedido : (pausa as Pausa).chamada;
    const respostas = 'respostas' in lida ? lida.respostas : undefined;
    if (signal.aborted) return yield canceled();

    let recursos: string[];
    let resultado: CallToolResult | InputRequiredResult;
    try {
      if (!pausa && !(await host.ferramentas(trace)).some(({ name }) => name === original.ferramenta)) {
        return yield failed(`O servidor MCP não publica a ferramenta ${original.ferramenta}`);
      }
      recursos = await Promise.all(dialeto.recursos.map((uri) => host.lerRecurso(uri, trace)));
      if (signal.aborted) return yield canceled();
      resultado = await host.chamar(
        { ...original, inputResponses: respostas, requestState: pausa?.requestState },
        trace,
      );
    } catch (erro) {
      if (erro instanceof RecusadoPeloServidorMcp && !pausa) {
        return yield failed(`O servidor MCP recusou o pedido: ${erro.message}`);
      }
      if (erro instanceof RecusadoPeloServidorMcp && erro.codigo === INVALID_PARAMS) {
        return yield failed('O servidor MCP não aceita mais esta resposta: a pausa expirou. Peça de novo');
      }
      // A pausa continua valendo: o núcleo devolve a Task ao que era, e a mesma mensagem pode ser reenviada.
      throw new Indisponivel(erro instanceof Error ? erro.message : 'O servidor MCP falhou');
    }

    // O servidor terminou a resposta com uma pergunta: a Task pausa, e o lacre fica guardado ao lado dela.
    if (isInputRequiredResult(resultado)) {
      const { inputRequests = {}, requestState } = resultado;
      const feita = dialeto.perguntar(inputRequests);
      if ('recusa' in feita) return yield failed(feita.recusa);
      return yield inputRequired(feita.pergunta, { chamada: original, inputRequests, requestState, trace });
    }

    const despedida = respostas && recusou(respostas) ? dialeto.despedir(resultado) : undefined;
    if (despedida) return yield canceled(despedida);
    if (resultado.isError) return yield failed(textoDe(resultado));
    const apresentacao = dialeto.apresentar(resultado, recursos);
    if (!apresentacao)
      return yield failed('O servidor MCP concluiu, mas o resultado não tem a forma esperada');
    if (apresentacao.produto) yield artifact(apresentacao.produto);
    yield completed(apresentacao.texto);
  };
}

function textoDe({ content }: CallToolResult): string {
  return (
    content.flatMap((bloco) => (bloco.type === 'text' ? [bloco.text] : [])).join('\n') ||
    'A ferramenta falhou'
  );
}

/** Nenhuma resposta é `accept`: o cliente desistiu, e o servidor soube disso. */
function recusou(respostas: InputResponses): boolean {
  return Object.values(respostas).every((resposta) => 'action' in resposta && resposta.action !== 'accept');
}
