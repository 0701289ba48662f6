import assert from 'node:assert/strict';
import { test } from 'node:test';
import { CompactSign, UnsecuredJWT } from 'jose';
import { criarSelo, EstadoRecusado, type EstadoSelado, type Selo } from './selo.ts';

const SEGREDO = 'a'.repeat(64);
const OUTRO = 'b'.repeat(64);
const ALFABETO = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';

const estado: EstadoSelado = {
  pedido: 'pedido-1',
  ferramenta: 'reservar_sala',
  argumentos: {
    sala: 'sala-garagem',
    inicio: '2026-11-03T14:00:00-03:00',
    fim: '2026-11-03T15:00:00-03:00',
    responsavel: 'José da Silva',
  },
  chave: 'escolha',
  alternativas: ['sala-fusca', 'sala-mirante'],
};

const recusa = (selo: Selo, token: string): Promise<void> =>
  assert.rejects(selo.abrir(token), EstadoRecusado, JSON.stringify(token.slice(0, 80)));

test('abre o que selou, e o que outro processo com o mesmo segredo selou', async () => {
  const token = await criarSelo([SEGREDO], 900, () => 0).selar(estado);
  assert.deepEqual(await criarSelo([SEGREDO], 900, () => 0).abrir(token), estado);
});

test('vence no prazo, nem antes nem depois', async () => {
  let agora = 1_000_000_000_123;
  const selo = criarSelo([SEGREDO], 300, () => agora);
  const token = await selo.selar(estado);
  agora += 299_999;
  assert.deepEqual(await selo.abrir(token), estado);
  agora += 1;
  await recusa(selo, token);
});

test('rotação: o primeiro segredo sela, todos abrem, e o que saiu da lista não abre mais', async () => {
  const antigo = await criarSelo([OUTRO], 900, () => 0).selar(estado);
  const emRotacao = criarSelo([SEGREDO, OUTRO], 900, () => 0);
  assert.deepEqual(await emRotacao.abrir(antigo), estado);
  const novo = await emRotacao.selar(estado);
  const depois = criarSelo([SEGREDO], 900, () => 0);
  assert.deepEqual(await depois.abrir(novo), estado);
  await recusa(depois, antigo);
});

test('nenhuma troca de um caractere passa, em nenhuma posição', async () => {
  const selo = criarSelo([SEGREDO], 900, () => 0);
  const token = await selo.selar(estado);
  for (let i = 0; i < token.length; i++) {
    for (const troca of ['A', 'b', '7', '_', '.', '=', ' ', '+', 'é', '']) {
      const alterado = token.slice(0, i) + troca + token.slice(i + 1);
      if (alterado !== token) await recusa(selo, alterado);
    }
  }
});

test('nenhuma troca do último caractere passa, em 64 selos diferentes', async () => {
  const selo = criarSelo([SEGREDO], 900, () => 0);
  for (let n = 0; n < 64; n++) {
    const token = await selo.selar({ ...estado, pedido: `pedido-${n}` });
    for (const troca of ALFABETO) {
      if (!token.endsWith(troca)) await recusa(selo, token.slice(0, -1) + troca);
    }
  }
});

test('nada acrescentado, tirado ou trocado de lugar passa', async () => {
  const selo = criarSelo([SEGREDO], 900, () => 0);
  const token = await selo.selar(estado);
  const [cabecalho, conteudo, assinatura] = token.split('.') as [string, string, string];
  for (let i = 0; i <= token.length; i++) {
    for (const sobra of ['=', ' ', '\n', '\t', '\0', '.', 'A']) {
      await recusa(selo, token.slice(0, i) + sobra + token.slice(i));
    }
  }
  for (const alterado of [
    '',
    '.',
    '..',
    cabecalho,
    `${cabecalho}.${conteudo}`,
    `${cabecalho}.${conteudo}.`,
    `${cabecalho}..${assinatura}`,
    `${conteudo}.${cabecalho}.${assinatura}`,
    token.slice(0, -1),
    token.slice(1),
    token.toLowerCase(),
    `${token}==`,
    `${token}.${assinatura}`,
  ]) {
    await recusa(selo, alterado);
  }
});

test('só o nosso algoritmo, com o nosso segredo e o nosso conteúdo', async () => {
  const selo = criarSelo([SEGREDO], 900, () => 0);
  const { pedido, ...resto } = estado;
  const conteudo = { exp: 900, jti: pedido, ...resto };
  const assinar = (alg: string, segredo: string, corpo: unknown): Promise<string> =>
    new CompactSign(new TextEncoder().encode(typeof corpo === 'string' ? corpo : JSON.stringify(corpo)))
      .setProtectedHeader({ alg })
      .sign(new TextEncoder().encode(segredo));

  assert.deepEqual(
    await selo.abrir(await assinar('HS384', SEGREDO, conteudo)),
    estado,
    'o controle é aceito',
  );
  await recusa(selo, new UnsecuredJWT(conteudo).encode());
  await recusa(selo, await assinar('HS256', SEGREDO, conteudo));
  await recusa(selo, await assinar('HS512', SEGREDO, conteudo));
  await recusa(selo, await assinar('HS384', OUTRO, conteudo));
  const semExp: Record<string, unknown> = { ...conteudo };
  delete semExp.exp;
  for (const outro of [
    semExp,
    { ...conteudo, exp: '900' },
    { ...conteudo, argumentos: { sala: 'x' } },
    'x',
    '[]',
    'null',
  ]) {
    await recusa(selo, await assinar('HS384', SEGREDO, outro));
  }
});

test('lixo do tamanho de um corpo inteiro é recusado sem conferir assinatura', async () => {
  const selo = criarSelo([SEGREDO], 900, () => 0);
  for (const unidade of ['A', '.', 'A.', '\u2028', '🔥']) await recusa(selo, unidade.repeat(500_000));
});
