/** Leitura do corpo de um request: uma vez só, com teto de tamanho, UTF-8 estrito e JSON de profundidade limitada. */

/** Teto do corpo nos dois processos, em bytes. */
export const LIMITE_DO_CORPO = 1024 * 1024;

/** Nível máximo de objetos e listas aninhados; acima disso a recursão de quem lê o valor estouraria a pilha. */
const PROFUNDIDADE_MAXIMA = 100;

/** O que deu errado: o corpo passa do teto (vira 413) ou não é um JSON que aceitamos (vira -32700). */
export type FalhaDeCorpo = { readonly falha: 'grande' | 'invalido'; readonly motivo: string };

/**
 * Lê o corpo como JSON.
 * @param request o request, com o corpo ainda não consumido.
 * @param limite teto em bytes.
 * @returns `{ valor }` com o JSON lido, ou a falha com um motivo que pode ir na resposta. Não lança por entrada ruim.
 */
export async function lerJson(
  request: Request,
  limite = LIMITE_DO_CORPO,
): Promise<{ readonly valor: unknown } | FalhaDeCorpo> {
  let bytes: Uint8Array | undefined;
  try {
    bytes = await lerBytes(request, limite);
  } catch {
    return { falha: 'invalido', motivo: 'O corpo não chegou inteiro' };
  }
  if (bytes === undefined) return { falha: 'grande', motivo: `O corpo passa do limite de ${limite} bytes` };
  let texto: string;
  try {
    texto = new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return { falha: 'invalido', motivo: 'O corpo não é UTF-8 válido' };
  }
  if (aninhadoDemais(texto)) {
    return { falha: 'invalido', motivo: `O JSON passa de ${PROFUNDIDADE_MAXIMA} níveis de aninhamento` };
  }
  try {
    return { valor: JSON.parse(texto) };
  } catch {
    return { falha: 'invalido', motivo: 'O corpo não é um JSON válido' };
  }
}

/** Com Content-Length o runtime já garante o tamanho e uma leitura só basta; sem ele, conta pedaço a pedaço. */
async function lerBytes(request: Request, limite: number): Promise<Uint8Array | undefined> {
  const declarado = request.headers.get('content-length') ?? '';
  if (/^\d+$/.test(declarado) && !request.headers.has('transfer-encoding')) {
    return Number(declarado) > limite ? undefined : new Uint8Array(await request.arrayBuffer());
  }
  if (request.body === null) return new Uint8Array();
  const pedacos: Uint8Array[] = [];
  let tamanho = 0;
  for await (const pedaco of request.body as unknown as AsyncIterable<Uint8Array>) {
    tamanho += pedaco.byteLength;
    // Sair do laço cancela o stream: o resto de um corpo sem fim nunca é lido.
    if (tamanho > limite) return undefined;
    pedacos.push(pedaco);
  }
  const tudo = new Uint8Array(tamanho);
  let posicao = 0;
  for (const pedaco of pedacos) {
    tudo.set(pedaco, posicao);
    posicao += pedaco.byteLength;
  }
  return tudo;
}

function aninhadoDemais(texto: string): boolean {
  let nivel = 0;
  let emTexto = false;
  for (let i = 0; i < texto.length; i++) {
    const c = texto.charCodeAt(i);
    if (emTexto) {
      if (c === 92 /* \ */) i++;
      else if (c === 34 /* " */) emTexto = false;
    } else if (c === 34) emTexto = true;
    else if (c === 91 /* [ */ || c === 123 /* { */) {
      if (++nivel > PROFUNDIDADE_MAXIMA) return true;
    } else if (c === 93 /* ] */ || c === 125 /* } */) nivel--;
  }
  return false;
}
