/**
 * Um agente igual ao que está no ar, montado neste processo para que se vejam os dois lados dele: o que recebe e o que
 * manda ao servidor MCP. É o mesmo `criarAgente`, com um `fetch` e um armazém que contam o que passa por eles.
 */
import { ArmazemEmMemoria } from '../../agente/a2a/armazem-em-memoria.ts';
import type { TaskStore } from '../../agente/a2a/registro.ts';
import { criarAgente } from '../../agente/app.ts';
import type { Pausa } from '../../agente/ponte.ts';
import type { Manipulador } from '../../comum/manipulador.ts';
import type { CorpoMcp, Narrador } from './narrador.ts';

/** A base do gêmeo. Ninguém escuta nela: chega-se a ele pelo `fetch` do manipulador. */
export const URL_DO_GEMEO = 'http://localhost';

/**
 * Cria o gêmeo.
 * @param narrador recebe cada passo, na ordem em que acontece.
 */
export function criarGemeo(urlDoMcp: string, tempoLimiteMs: number, narrador: Narrador): Manipulador {
  return criarAgente({
    urlPublica: URL_DO_GEMEO,
    urlDoMcp,
    tempoLimiteMs,
    escrever: () => undefined,
    fetch: fetchNarrado(narrador),
    armazem: armazemNarrado(narrador),
  });
}

function fetchNarrado(narrador: Narrador): typeof fetch {
  return async (url, init) => {
    narrador.pedidoMcp(JSON.parse(String(init?.body)) as CorpoMcp);
    const resposta = await fetch(url, init);
    const texto = await resposta.text();
    narrador.respostaMcp(JSON.parse(texto) as CorpoMcp);
    return new Response(texto, resposta);
  };
}

function armazemNarrado(narrador: Narrador): TaskStore<Pausa> {
  const armazem = new ArmazemEmMemoria<Pausa>(Date.now);
  const estados = new Map<string, string>();
  return {
    get: (taskId) => armazem.get(taskId),
    list: (listagem) => armazem.list(listagem),
    async put(registro) {
      const gravou = await armazem.put(registro);
      const { id, status } = registro.task;
      if (gravou && estados.get(id) !== status.state) {
        estados.set(id, status.state);
        narrador.estado(registro.task, registro.pausa?.requestState);
      }
      return gravou;
    },
  };
}
