/** O TaskStore sobre objetos duráveis: um por Task, e um índice para listar. */
import type { Objetos } from 'cloudflare:workers';
import type { TaskStore } from '../a2a/registro.ts';
import { type Indice, NOME_DO_INDICE } from './indice.ts';
import type { TaskDuravel } from './task.ts';

/**
 * @param tasks o binding dos objetos de Task; o nome de cada um é o id da Task.
 * @param indice o binding do índice.
 */
export function criarArmazemDuravel<P>(
  tasks: Objetos<TaskDuravel<P>>,
  indice: Objetos<Indice>,
): TaskStore<P> {
  return {
    get: (taskId) => tasks.getByName(taskId).get(),
    put: (registro) => tasks.getByName(registro.task.id).put(registro),
    list: (listagem) => indice.getByName(NOME_DO_INDICE).listar(listagem),
  };
}
