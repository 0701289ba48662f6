/** O transporte MCP deste host: Streamable HTTP, com ids que nenhum outro processo usa. */
import {
  type FetchLike,
  type JSONRPCMessage,
  StreamableHTTPClientTransport,
} from '@modelcontextprotocol/client';

/**
 * O SDK numera os requests a partir de 0 em cada processo. Um retry pode sair de outro processo que não o do request
 * original (depois de um reinício, ou com dois agentes sobre o mesmo armazém), e os dois ids têm de ser diferentes
 * (MCP 2026-07-28, basic/patterns/mrtr): na rede, cada número leva o prefixo do processo que o deu.
 */
export class TransporteMcp extends StreamableHTTPClientTransport {
  readonly #prefixo = `${crypto.randomUUID().replace(/^\d/, 'a').slice(0, 8)}-`;

  /** @param fetch como chegar ao servidor; ausente, o `fetch` do runtime. */
  constructor(url: URL, fetch: FetchLike | undefined) {
    super(url, fetch && { fetch });
  }

  /**
   * Sem `super.start()`, que só cria um AbortSignal para o transporte inteiro, a que o SDK ligaria o de cada request com
   * `AbortSignal.any`: no Node cada ligação deixa uma referência no sinal que vive para sempre, e o host vive para sempre.
   * O prazo de cada request continua a abortar o fetch dele.
   */
  override async start(): Promise<void> {
    const entregar = this.onmessage;
    this.onmessage = (mensagem) => entregar?.(comId(mensagem, (id) => this.#semPrefixo(id)));
  }

  override async send(
    mensagem: JSONRPCMessage | JSONRPCMessage[],
    opcoes?: Parameters<StreamableHTTPClientTransport['send']>[1],
  ): Promise<void> {
    const prefixar = (uma: JSONRPCMessage): JSONRPCMessage => comId(uma, (id) => `${this.#prefixo}${id}`);
    await super.send(Array.isArray(mensagem) ? mensagem.map(prefixar) : prefixar(mensagem), opcoes);
  }

  /** O número que o SDK deu; o que não saiu daqui vira NaN, que não casa com request nenhum. */
  #semPrefixo(id: string | number): number {
    const texto = String(id);
    return texto.startsWith(this.#prefixo) ? Number(texto.slice(this.#prefixo.length)) : Number.NaN;
  }
}

function comId(mensagem: JSONRPCMessage, trocar: (id: string | number) => string | number): JSONRPCMessage {
  return 'id' in mensagem && mensagem.id !== undefined ? { ...mensagem, id: trocar(mensagem.id) } : mensagem;
}
