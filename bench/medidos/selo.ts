/** Selar e abrir um requestState de verdade, ao lado do HMAC puro do WebCrypto sobre os mesmos bytes. */
import { criarSelo } from '../../servidor-mcp/selo.ts';
import { atender } from '../canal.ts';
import { emitir } from '../emissao.ts';
import { disputado, OUTRA_SALA } from '../grade.ts';

const SEGREDO = 'um segredo que so existe neste bench e nada vale';
const estado = {
  pedido: crypto.randomUUID(),
  ferramenta: 'reservar_sala',
  argumentos: { ...disputado(0, 5), responsavel: 'Marty McFly' },
  chave: 'escolha',
  alternativas: [OUTRA_SALA],
};
const selo = criarSelo([SEGREDO], 900, Date.now);

const assinado = new TextEncoder().encode((await selo.selar(estado)).replace(/\.[^.]*$/, ''));
const chave = await crypto.subtle.importKey(
  'raw',
  new TextEncoder().encode(SEGREDO),
  { name: 'HMAC', hash: 'SHA-384' },
  false,
  ['sign', 'verify'],
);

atender({
  selo: ({ vezes }: { vezes: number }) =>
    emitir(vezes, 1, async () => {
      await selo.abrir(await selo.selar(estado));
    }),
  hmac: ({ vezes }: { vezes: number }) =>
    emitir(vezes, 1, async () => {
      const assinatura = await crypto.subtle.sign('HMAC', chave, assinado);
      if (!(await crypto.subtle.verify('HMAC', chave, assinatura, assinado))) throw new Error('assinatura');
    }),
});
