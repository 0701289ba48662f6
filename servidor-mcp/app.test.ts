import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { ErroDeConfiguracao } from '../comum/ambiente.ts';
import type { Manipulador } from '../comum/manipulador.ts';
import { type Agenda, criarAgendaEmMemoria } from './agenda.ts';
import { type ConfiguracaoDoServidorMcp, criarServidorMcp } from './app.ts';
import { aceitar, ferramenta, GARAGEM_OCUPADA, pausar, responder } from './testes/cliente.ts';

const ALFABETO = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';

const ler = (arquivo: string): string =>
  readFileSync(new URL(`../dados/${arquivo}`, import.meta.url), 'utf8');

const SALAS = JSON.parse(ler('salas.json'));
const RESERVAS = JSON.parse(ler('reservas.json'));

function servidorCom(config: Partial<ConfiguracaoDoServidorMcp> = {}): {
  servidor: Manipulador;
  linhas: string[];
} {
  const linhas: string[] = [];
  const servidor = criarServidorMcp({
    salas: SALAS,
    reservas: RESERVAS,
    politica: ler('politica-de-uso.md'),
    segredos: ['segredo-que-so-os-testes-usam-'.repeat(2)],
    log: (linha) => linhas.push(linha),
    ...config,
  });
  return { servidor, linhas };
}

async function conferirInvalido(servidor: Manipulador, requestState: string): Promise<void> {
  const pergunta = { args: GARAGEM_OCUPADA, chave: 'escolha', requestState, alternativas: [] };
  const { erro, texto } = await responder(servidor, pergunta, aceitar('sala-fusca'));
  assert.equal(erro?.code, -32602, `${texto} para ${requestState}`);
}

test('várias trocas em cada posição de um requestState: todas são -32602', async () => {
  const { servidor } = servidorCom();
  const { requestState: token } = await pausar(servidor);
  for (let i = 0; i < token.length; i++) {
    for (const troca of ['B', 'k', '=', ' ']) {
      if (token[i] !== troca)
        await conferirInvalido(servidor, token.slice(0, i) + troca + token.slice(i + 1));
    }
  }
});

test('toda troca do último caractere, em 64 requestStates novos: todas são -32602', async () => {
  const { servidor } = servidorCom();
  for (let n = 0; n < 64; n++) {
    const { requestState: token } = await pausar(servidor);
    for (const troca of ALFABETO) {
      if (!token.endsWith(troca)) await conferirInvalido(servidor, token.slice(0, -1) + troca);
    }
  }
});

test('o requestState vence pelo relógio do servidor', async () => {
  let agora = Date.UTC(2026, 10, 1);
  const { servidor, linhas } = servidorCom({ agora: () => agora, ttlSegundos: 300 });
  const pergunta = await pausar(servidor);
  agora += 300_000 - 1;
  const viva = await responder(servidor, pergunta, null);
  assert.equal(viva.resultado?.resultType, 'input_required');
  agora += 1;
  assert.equal((await responder(servidor, pergunta, aceitar('sala-fusca'))).erro?.code, -32602);
  assert.match(linhas.at(-1) ?? '', /requestStateRecusado=vencido/);
});

test('uma pergunta refeita tarde não deixa o pedido concluir duas vezes', async () => {
  let agora = Date.UTC(2026, 10, 1);
  const { servidor } = servidorCom({ agora: () => agora, ttlSegundos: 300 });
  const primeira = await pausar(servidor);
  agora += 299_000;
  const { resultado } = await responder(servidor, primeira, null);
  const segunda = { ...primeira, requestState: resultado?.requestState as string };
  const feita = await responder(servidor, primeira, aceitar('sala-fusca'));
  assert.equal(feita.resultado?.structuredContent?.reservado, true);
  agora += 299_000; // a primeira já venceu; a segunda, ainda não
  // Concluir outro pedido é o que faz a agenda esquecer os vencidos.
  await responder(servidor, await pausar(servidor, { ...GARAGEM_OCUPADA, responsavel: 'Biff' }), {
    action: 'decline',
  });
  const outra = await responder(servidor, segunda, aceitar('sala-mirante'));
  assert.equal(outra.resultado?.isError, true);
});

test('uma falha da agenda vira texto nosso na resposta, e o erro fica no log', async () => {
  const quebrada = new Proxy({} as Agenda, {
    get: () => async () => {
      throw new TypeError('segredo em /home/alguem/agenda.ts');
    },
  });
  const { servidor, linhas } = servidorCom({ agenda: quebrada });
  const { isError, content } = await ferramenta(servidor, 'reservar_sala', GARAGEM_OCUPADA);
  assert.deepEqual([isError, content], [true, [{ type: 'text', text: 'Falha interna do servidor' }]]);
  assert.ok(
    linhas.some((linha) => linha.includes('falha ferramenta=reservar_sala') && linha.includes('TypeError')),
  );
});

test('outra agenda entra no lugar da que fica em memória', async () => {
  const agenda = criarAgendaEmMemoria([], Date.now);
  const { servidor } = servidorCom({ agenda });
  const { structuredContent } = await ferramenta(servidor, 'reservar_sala', GARAGEM_OCUPADA);
  assert.equal(structuredContent?.reserva, 'res-0001');
});

test('política sem versão ou reservas impossíveis são erro de configuração', () => {
  assert.throws(() => servidorCom({ politica: '# Política\n' }), ErroDeConfiguracao);
  assert.throws(() => servidorCom({ reservas: [{ ...RESERVAS[0], fim: 'nunca' }] }), ErroDeConfiguracao);
});
