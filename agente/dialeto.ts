/** O que muda de um agente para outro: como se fala com o cliente A2A. A ponte não sabe nada disto. */
import type { CallToolResult, InputRequests, InputResponses } from '@modelcontextprotocol/client';
import type { Conteudo } from './a2a/executor.ts';
import type { Artifact, Message } from './a2a/modelo.ts';
import type { ChamadaDeFerramenta } from './host-mcp.ts';

/** A mensagem não serve, e isto é o que dizer ao cliente. */
export interface Recusa {
  readonly recusa: Conteudo;
}

/** O que o cliente pediu, como chamada de ferramenta. */
export interface Pedido {
  readonly chamada: ChamadaDeFerramenta;
}

/** O que o cliente respondeu, com as chaves das perguntas. */
export interface Respostas {
  readonly respostas: InputResponses;
}

/** O que perguntar ao cliente. */
export interface Pergunta {
  readonly pergunta: Conteudo;
}

/** O resultado, como produto da Task (se houver algum) e frase de conclusão. */
export interface Apresentacao {
  readonly produto?: Omit<Artifact, 'artifactId'>;
  readonly texto: string;
}

/** Traduz mensagens A2A em chamadas MCP, e de volta. Não guarda estado, e nunca vê um `requestState`. */
export interface Dialeto {
  /** URIs dos resources lidos antes de cada chamada; os textos chegam a `apresentar` na mesma ordem. */
  readonly recursos: readonly string[];
  /** Uma mensagem que abre uma Task. */
  lerPedido(message: Message): Pedido | Recusa;
  /** A pergunta do servidor, como o cliente a vê; a recusa diz por que este dialeto não sabe fazê-la. */
  perguntar(inputRequests: InputRequests): Pergunta | Recusa;
  /** A mensagem que responde a essa pergunta. */
  lerRespostas(message: Message, inputRequests: InputRequests): Respostas | Recusa;
  /** O resultado de uma chamada que deu certo depois de o cliente não querer responder: a Task é cancelada com ele. */
  despedir(resultado: CallToolResult): Apresentacao;
  /** O resultado de uma chamada que deu certo; `undefined` se não é o que este dialeto esperava. */
  apresentar(resultado: CallToolResult, recursos: readonly string[]): Apresentacao | undefined;
}
