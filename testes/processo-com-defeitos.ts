/** Um processo como os outros dois, com um handler cheio de defeitos: serve para ver o que acontece quando um deles escapa. */
import { lerPrazoDoRequest } from '../comum/ambiente.ts';
import { criarLog } from '../comum/log.ts';
import { escreverNoStderr, servir } from '../comum/node.ts';
import { rodarProcesso } from '../comum/processo.ts';

const log = criarLog('defeituoso', escreverNoStderr);

async function atender(request: Request): Promise<Response> {
  switch (new URL(request.url).pathname) {
    case '/rejeicao-sem-dono':
      void Promise.reject(new Error('ninguém espera por mim'));
      return new Response('ok');
    case '/excecao-sem-dono':
      setTimeout(() => {
        throw new Error('fora de qualquer promessa');
      });
      return new Response('ok');
    case '/handler-que-rejeita':
      throw new TypeError('o handler inteiro falhou');
    case '/sem-fim':
      return new Response(new ReadableStream({ start: (controle) => controle.enqueue(new Uint8Array(1)) }));
    case '/eco':
      return new Response(await request.text());
    default:
      return new Response('ok');
  }
}

await rodarProcesso(log, async () => {
  const servidor = await servir(
    { fetch: atender },
    { porta: 0, host: undefined, prazoDoRequestMs: lerPrazoDoRequest(process.env) },
  );
  log('ouvindo', { porta: servidor.porta });
  return servidor;
});
