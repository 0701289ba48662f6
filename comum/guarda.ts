/**
 * Proteção contra DNS rebinding nos dois processos: uma página aberta no navegador não pode falar com um
 * serviço local só porque o nome dela passou a apontar para 127.0.0.1 (MCP 2026-07-28, Streamable HTTP, Security Warning).
 */

/** Nomes aceitos quando `ALLOWED_HOSTS` não é definida. IPv6 leva colchetes, como no header. */
export const HOSTS_LOCAIS: readonly string[] = ['localhost', '127.0.0.1', '[::1]'];

const HOST = /^(\[[0-9a-f:.]+\]|[^:/?#@\\\s[\]]+)(?::\d{1,5})?$/i;

/**
 * Confere os headers Host e Origin contra uma lista de nomes (sem porta).
 * Sem Host (chamada em memória, service binding) vale o host da URL. Sem Origin passa: só navegadores o mandam,
 * e o Origin `null` deles não passa.
 * @returns o motivo da recusa, pronto para a mensagem de um 403, ou `undefined` se pode seguir.
 */
export function motivoDeRecusa(request: Request, permitidos: readonly string[]): string | undefined {
  const host = request.headers.get('host') ?? new URL(request.url).host;
  if (!nomePermitido(host, permitidos)) {
    return 'Host não permitido: use localhost, ou inclua o nome em ALLOWED_HOSTS';
  }
  const origin = request.headers.get('origin');
  if (origin && !nomePermitido(/^https?:\/\/(.*)$/i.exec(origin)?.[1] ?? '', permitidos)) {
    return 'Origin não permitida: inclua o nome em ALLOWED_HOSTS se ela for sua';
  }
  return undefined;
}

function nomePermitido(hostComPorta: string, permitidos: readonly string[]): boolean {
  const nome = HOST.exec(hostComPorta)?.[1];
  return nome !== undefined && permitidos.includes(nome.toLowerCase());
}
