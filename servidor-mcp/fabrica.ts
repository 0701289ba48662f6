/** Monta o servidor do SDK que atende um request: capacidades, ferramentas, resource e a conferência do requestState. */
import {
  type CacheHint,
  McpServer,
  type McpServerFactory,
  type ServerContext,
  type ServerOptions,
} from '@modelcontextprotocol/server';
import type { Log } from '../comum/log.ts';
import type { Agenda } from './agenda.ts';
import { consultarDisponibilidade } from './consultar-disponibilidade.ts';
import { prepararFerramenta } from './ferramenta.ts';
import { listarSalas } from './listar-salas.ts';
import { ArgumentosDeReserva, type PedidoDeReserva } from './pedido.ts';
import { prepararPolitica } from './recurso.ts';
import { reservarSala } from './reservar-sala.ts';
import type { Cadastro } from './salas.ts';
import { EstadoRecusado, type EstadoSelado, type Selo } from './selo.ts';

const IDENTIDADE = { name: 'central-de-salas', title: 'Central de Salas', version: '1.0.0' };

/** Nada aqui muda enquanto o processo vive: um minuto de cache poupa três requests a cada reserva do agente. */
const CACHE: CacheHint = { ttlMs: 60_000, cacheScope: 'public' };

/** De que o servidor é feito. */
export interface Partes {
  readonly cadastro: Cadastro;
  readonly agenda: Agenda;
  readonly selo: Selo;
  readonly politica: string;
  readonly versaoDaPolitica: string;
  readonly ttlSegundos: number;
  readonly agora: () => number;
  readonly log: Log;
  /** O atendimento de um request: o gancho do SDK que confere o requestState recebe só o request HTTP. */
  atendimentoDe(request: Request | undefined): Atendimento | undefined;
}

/** O que a borda HTTP e a conferência do requestState dizem uma à outra sobre um request. */
export interface Atendimento {
  readonly params: unknown;
  /** Por que o requestState foi recusado, para a linha de log. */
  recusa?: string;
}

/**
 * Cria a fábrica que o SDK chama uma vez por request. Tudo que não depende do request é feito aqui, uma vez só.
 * @param partes o domínio, o selo e o que vem de fora.
 */
export function criarFabrica(partes: Partes): McpServerFactory {
  const { cadastro, agenda, log } = partes;
  const registros = [
    prepararFerramenta(listarSalas(cadastro), log),
    prepararFerramenta(consultarDisponibilidade(cadastro, agenda), log),
    prepararFerramenta(reservarSala(partes), log),
    prepararPolitica(partes.politica),
  ];
  const opcoes: ServerOptions = {
    capabilities: { tools: { listChanged: false }, resources: { listChanged: false } },
    cacheHints: {
      'server/discover': CACHE,
      'tools/list': CACHE,
      'resources/list': CACHE,
      'resources/templates/list': CACHE,
      'resources/read': CACHE,
    },
    requestState: { verify: conferirEstado(partes) },
    jsonSchemaValidator: SEM_VALIDADOR,
  };
  return () => {
    const servidor = new McpServer(IDENTIDADE, opcoes);
    for (const registrar of registros) registrar(servidor);
    return servidor;
  };
}

/** O SDK cria um AJV por servidor, para validar respostas de perguntas feitas ao vivo: aqui não há nenhuma. */
const SEM_VALIDADOR: NonNullable<ServerOptions['jsonSchemaValidator']> = {
  getValidator: () => () => ({ valid: false, data: undefined, errorMessage: 'sem validador' }),
};

/**
 * O gancho que abre um requestState (MRTR, Server Requirements 4 e 5): integridade, validade e o vínculo com o request de
 * origem. Argumentos diferentes dos selados são recusados. Tudo que lança vira -32602; o motivo só vai para o log.
 */
function conferirEstado({ selo, atendimentoDe }: Partes) {
  return async (token: string, { mcpReq, http }: ServerContext): Promise<EstadoSelado> => {
    const atendimento = atendimentoDe(http?.req);
    const params = (atendimento?.params ?? {}) as { name?: unknown; arguments?: unknown };
    try {
      const estado = await selo.abrir(token);
      if (mcpReq.method !== 'tools/call' || params.name !== estado.ferramenta) {
        throw new EstadoRecusado('de outra ferramenta');
      }
      const recebidos = ArgumentosDeReserva.safeParse(params.arguments);
      if (!recebidos.success || !mesmosArgumentos(recebidos.data, estado.argumentos)) {
        throw new EstadoRecusado('com outros argumentos');
      }
      return estado;
    } catch (erro) {
      if (atendimento) atendimento.recusa = erro instanceof EstadoRecusado ? erro.message : String(erro);
      throw erro;
    }
  };
}

function mesmosArgumentos(um: PedidoDeReserva, outro: PedidoDeReserva): boolean {
  return (
    um.sala === outro.sala &&
    um.inicio === outro.inicio &&
    um.fim === outro.fim &&
    um.responsavel === outro.responsavel
  );
}
