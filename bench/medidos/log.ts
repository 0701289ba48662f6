/** As linhas de log de uma reserva feita pelo agente (uma de cada processo), do mesmo jeito e para o mesmo destino. */
import { setImmediate } from 'node:timers/promises';
import { criarLog } from '../../comum/log.ts';
import { escreverNoStderr } from '../../comum/node.ts';
import { atender } from '../canal.ts';
import { emitir } from '../emissao.ts';

const doAgente = criarLog('agente', escreverNoStderr);
const doServidor = criarLog('servidor-mcp', escreverNoStderr);
const traceparent = '00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01';

let id = 0;

atender({
  fazer: ({ vezes }: { vezes: number }) =>
    emitir(vezes, 1, async () => {
      id++;
      doServidor('request', { metodo: 'tools/call', id, nome: 'reservar_sala', traceparent, status: 200 });
      // Cada linha no seu próprio turno, como quando cada uma vem de um request.
      await setImmediate();
      doAgente('recebido', {
        http: 'POST',
        caminho: '/a2a',
        traceparent,
        metodo: 'SendMessage',
        id,
        status: 200,
      });
      await setImmediate();
    }),
});
