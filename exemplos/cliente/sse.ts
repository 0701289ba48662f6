/** Server-Sent Events, só o que a A2A usa: o campo `data` de cada evento (spec §9.4.2). */

/** Os dados de cada evento de uma resposta `text/event-stream`, na ordem, até ela acabar. */
export async function* lerEventos(resposta: Response): AsyncGenerator<string> {
  if (!resposta.body) return;
  let resto = '';
  for await (const texto of resposta.body.pipeThrough(new TextDecoderStream())) {
    const eventos = (resto + texto).split(/\r?\n\r?\n/);
    resto = eventos.pop() ?? '';
    for (const evento of eventos) {
      const linhas = evento.split(/\r?\n/).filter((linha) => linha.startsWith('data:'));
      if (linhas.length > 0) yield linhas.map((linha) => linha.slice(5).trimStart()).join('\n');
    }
  }
}
