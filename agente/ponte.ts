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
import type { Message } from './a2a/modelo.ts';
import type { Dialeto, Pedido, Recusa } from './dialeto.ts';
import { type ChamadaDeFerramenta, type HostMcp, RecusadoPeloServidorMcp } from './host-mcp.ts';

/** O que fica guardado ao lado de uma Task pausada. Nunca é serializado para o cliente A2A, nem vai para o log. */
export interface Pausa {
  /** A chamada que recebeu a pergunta, para repetir com as respostas. */
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

    // Chamar ou retomar: a mensagem A2A vira uma chamada MCP, nova ou a que a Task pausada guardou.
    const lida = pausa ? retomar(pausa, message, dialeto) : dialeto.lerPedido(message);
    if ('recusa' in lida) return yield pausa ? inputRequired(lida.recusa, pausa) : rejected(lida.recusa);
    const { chamada } = lida;
    if (signal.aborted) return yield canceled();

    let recursos: string[];
    let resultado: CallToolResult | InputRequiredResult;
    let emDuvida = false;
    try {
      if (!pausa && !(await host.ferramentas(trace)).some(({ name }) => name === chamada.ferramenta)) {
        return yield failed(`O servidor MCP não publica a ferramenta ${chamada.ferramenta}`);
      }
      recursos = await Promise.all(dialeto.recursos.map((uri) => host.lerRecurso(uri, trace)));
      if (signal.aborted) return yield canceled();
      emDuvida = true;
      resultado = await host.chamar(chamada, trace);
    } catch (erro) {
      if (erro instanceof RecusadoPeloServidorMcp && !pausa) {
        return yield failed(`O servidor MCP recusou o pedido: ${erro.message}`);
      }
      if (erro instanceof RecusadoPeloServidorMcp && erro.codigo === INVALID_PARAMS) {
        return yield failed('O servidor MCP não aceita mais esta resposta: a pausa expirou. Peça de novo');
      }
      // A pausa continua valendo: o núcleo devolve a Task ao que era, e a mesma mensagem pode ser reenviada.
      throw new Indisponivel(erro instanceof Error ? erro.message : 'O servidor MCP falhou', { emDuvida });
    }

    // Pausar: o servidor terminou a resposta com uma pergunta. O lacre fica guardado ao lado da Task, fechado.
    if (isInputRequiredResult(resultado)) {
      const { inputRequests = {}, requestState } = resultado;
      const feita = dialeto.perguntar(inputRequests);
      if ('recusa' in feita) return yield failed(feita.recusa);
      return yield inputRequired(feita.pergunta, { chamada, inputRequests, requestState, trace });
    }

    // Concluir.
    if (resultado.isError) return yield failed(textoDe(resultado));
    const despedida = recusou(chamada) ? dialeto.despedir(resultado) : undefined;
    const fim = despedida ?? dialeto.apresentar(resultado, recursos);
    if (!fim) return yield failed('O servidor MCP concluiu, mas o resultado não tem a forma esperada');
    if (fim.produto) yield artifact(fim.produto);
    yield despedida ? canceled(fim.texto) : completed(fim.texto);
  };
}

/** A volta: a mesma chamada outra vez, com as respostas do cliente e o lacre que estava guardado, sem o abrir. */
function retomar(
  { chamada, inputRequests, requestState }: Pausa,
  message: Message,
  dialeto: Dialeto,
): Pedido | Recusa {
  const lida = dialeto.lerRespostas(message, inputRequests);
  return 'recusa' in lida ? lida : { chamada: { ...chamada, inputResponses: lida.respostas, requestState } };
}

function textoDe({ content }: CallToolResult): string {
  return (
    content.flatMap((bloco) => (bloco.type === 'text' ? [bloco.text] : [])).join('\n') ||
    'A ferramenta falhou'
  );
}

/** O cliente respondeu, e nenhuma resposta é `accept`: desistiu, e o servidor soube disso. */
function recusou({ inputResponses }: ChamadaDeFerramenta): boolean {
  const respostas = Object.values(inputResponses ?? {});
  return (
    respostas.length > 0 &&
    respostas.every((resposta) => 'action' in resposta && resposta.action !== 'accept')
  );
}
