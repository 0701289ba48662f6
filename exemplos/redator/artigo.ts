/** O artigo que o pesquisador quer resumido, e o pedido que o acompanha. */
import type { Part } from '../../agente/a2a/modelo.ts';
import { criarPdf } from './pdf.ts';

const LINHAS = [
  'Um agente delega uma tarefa inteira a outro.',
  'Quem chama vê o estado da tarefa e os artifacts.',
  'O que acontece por dentro continua opaco.',
  'Quando falta informação, a tarefa pausa.',
  'A resposta volta na mesma tarefa.',
  'O estado é a única coisa que atravessa a fronteira.',
];

/** O pedido sem o tamanho: um texto e um arquivo. O redator vai ter de perguntar. */
export const PEDIDO: readonly Part[] = [
  { text: 'Resuma este artigo.' },
  { raw: criarPdf(LINHAS), filename: 'artigo.pdf', mediaType: 'application/pdf' },
];

/** A resposta à pergunta do redator. */
export const TAMANHO: readonly Part[] = [
  { data: { targetLength: '3 paragraphs' }, mediaType: 'application/json' },
];
