/**
 * Carregado com `--import` antes de cada processo medido: faz o próprio processo dizer quanto gastou. Assim os
 * serviços rodam como em produção, byte por byte, e nada do bench entra neles.
 */
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { atender } from './canal.ts';

atender({
  cpu: (): number => {
    const { user, system } = process.cpuUsage();
    return user + system;
  },
  memoria: (): number => process.memoryUsage.rss(),
  heapVivo: (): number => {
    setFlagsFromString('--expose-gc');
    const coletar = runInNewContext('gc') as () => void;
    coletar();
    coletar();
    return process.memoryUsage().heapUsed;
  },
});

// Se o bench morrer, ninguém fica para trás.
process.on('disconnect', () => process.exit());
