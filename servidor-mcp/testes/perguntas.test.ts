import assert from 'node:assert/strict';
import { after, before, beforeEach, test } from 'node:test';
import { UnsecuredJWT } from 'jose';
import { criarSelo } from '../selo.ts';
import {
  aceitar,
  chamar,
  ferramenta,
  GARAGEM_OCUPADA,
  META,
  type Pergunta,
  pausar,
  type Resposta,
  type Resultado,
  responder,
} from './cliente.ts';
import { SEGREDO, type ServidorNoAr, subirServidor } from './servidor-no-ar.ts';

const CAPACIDADES = 'io.modelcontextprotocol/clientCapabilities';
const ALFABETO = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';

let servidor: ServidorNoAr;
let url: string;
let dia = 0;
/** Um dia só deste teste, em que a sala-garagem já está ocupada das 14:00 às 15:00. */
let pedido: Record<string, string>;

before(async () => {
  servidor = await subirServidor();
  url = servidor.url;
});
after(() => servidor.parar());
beforeEach(async () => {
  pedido = doDia(++dia);
  await reservar('sala-garagem');
});

function doDia(n: number): Record<string, string> {
  const data = new Date(Date.UTC(2027, 0, n)).toISOString().slice(0, 10);
  return {
    sala: 'sala-garagem',
    inicio: `${data}T14:00:00-03:00`,
    fim: `${data}T15:00:00-03:00`,
    responsavel: 'Marty',
  };
}

/** Ocupa uma sala no intervalo do teste. */
async function reservar(sala: string, responsavel = 'Quem chegou antes'): Promise<void> {
  const { structuredContent } = await ferramenta(url, 'reservar_sala', { ...pedido, sala, responsavel });
  assert.equal(structuredContent?.reservado, true);
}

/** Quem está em cada sala no intervalo do teste. */
async function ocupantes(): Promise<Record<string, unknown>> {
  const todos: Record<string, unknown> = {};
  for (const sala of ['sala-garagem', 'sala-fusca', 'sala-mirante']) {
    const { structuredContent } = await ferramenta(url, 'consultar_disponibilidade', { ...pedido, sala });
    const conflitos = structuredContent?.conflitos as readonly { responsavel: string }[];
    if (conflitos.length > 0) todos[sala] = conflitos.map(({ responsavel }) => responsavel).join();
  }
  return todos;
}

const SO_O_PRIMEIRO = { 'sala-garagem': 'Quem chegou antes' };

function concluida({ resultado, texto }: Resposta): Resultado {
  assert.ok(resultado, texto);
  assert.deepEqual([resultado.resultType, resultado.isError ?? false], ['complete', false], texto);
  return resultado;
}

function conferirRecusada({ resultado, texto }: Resposta): void {
  assert.deepEqual([resultado?.resultType, resultado?.isError], ['complete', true], texto);
  assert.match(
    resultado?.content[0]?.text ?? '',
    /^Este pedido ja foi (respondido: vale a reserva res-\d+ na sala-\w+, e nada mudou agora|recusado: nada foi reservado)$/,
  );
}

function conferirPerguntaNova(
  { resultado, texto }: Resposta,
  anterior: Pergunta,
  alternativas: readonly string[],
): Pergunta {
  assert.equal(resultado?.resultType, 'input_required', texto);
  const [chave, pergunta] = Object.entries(resultado.inputRequests)[0] ?? assert.fail();
  assert.deepEqual(pergunta.params.requestedSchema.properties.sala.enum, alternativas);
  assert.notEqual(resultado.requestState, anterior.requestState);
  return { ...anterior, chave, requestState: resultado.requestState, alternativas };
}

async function conferirInvalido(pergunta: Pergunta, requestState: unknown, resto = {}): Promise<void> {
  const { erro, texto } = await responder(url, pergunta, aceitar('sala-fusca'), { requestState, ...resto });
  assert.equal(erro?.code, -32602, `${texto} para ${JSON.stringify(requestState).slice(0, 200)}`);
}

// --- A pergunta ---

test('um conflito é respondido com uma pergunta só, em form mode, com as alternativas em ordem', async () => {
  const resultado = await ferramenta(url, 'reservar_sala', pedido);
  const chave = Object.keys(resultado.inputRequests)[0] as string;
  assert.deepEqual(resultado.inputRequests, {
    [chave]: {
      method: 'elicitation/create',
      params: {
        mode: 'form',
        message: 'A sala pedida esta ocupada nesse intervalo. Escolha uma alternativa.',
        requestedSchema: {
          type: 'object',
          properties: { sala: { type: 'string', enum: ['sala-fusca', 'sala-mirante'] } },
          required: ['sala'],
        },
      },
    },
  });
  assert.equal(typeof resultado.requestState, 'string');
  assert.equal(resultado.ttlMs, undefined);
  assert.equal(resultado.content, undefined);
});

test('só entram as salas livres com capacidade igual ou maior, no máximo três', async () => {
  await reservar('sala-fusca');
  assert.deepEqual((await pausar(url, pedido)).alternativas, ['sala-mirante']);
  await reservar('sala-aquario');
  assert.deepEqual((await pausar(url, { ...pedido, sala: 'sala-aquario' })).alternativas, [
    'sala-porao',
    'sala-mirante',
  ]);
});

test('no máximo três alternativas', async () => {
  pedido = doDia(++dia);
  await reservar('sala-aquario');
  const { alternativas } = await pausar(url, { ...pedido, sala: 'sala-aquario' });
  assert.deepEqual(alternativas, ['sala-porao', 'sala-fusca', 'sala-garagem']);
});

test('sem alternativa não há pergunta: é um erro de execução', async () => {
  await reservar('sala-mirante');
  const { isError, content } = await ferramenta(url, 'reservar_sala', { ...pedido, sala: 'sala-mirante' });
  assert.deepEqual([isError, content[0]?.text], [true, 'Sem alternativas disponiveis no intervalo']);
});

test('sem elicitation em form mode declarada, um conflito é -32021 com 400', async () => {
  for (const capacidades of [{}, { elicitation: { url: {} } }, { sampling: {} }, { roots: {} }]) {
    const { status, erro } = await chamar(url, 'tools/call', {
      name: 'reservar_sala',
      arguments: pedido,
      _meta: { ...META, [CAPACIDADES]: capacidades },
    });
    assert.deepEqual([status, erro?.code], [400, -32021]);
    assert.deepEqual(erro?.data, { requiredCapabilities: { elicitation: { form: {} } } });
  }
  assert.deepEqual(await ocupantes(), SO_O_PRIMEIRO);
});

test('elicitation: {} conta como form mode', async () => {
  const resultado = await ferramenta(url, 'reservar_sala', pedido, {
    _meta: { ...META, [CAPACIDADES]: { elicitation: {} } },
  });
  assert.equal(resultado.resultType, 'input_required');
});

test('sem a capacidade, uma sala livre é reservada, e uma retomada conclui', async () => {
  const _meta = { ...META, [CAPACIDADES]: {} };
  const livre = await ferramenta(url, 'reservar_sala', { ...pedido, sala: 'sala-porao' }, { _meta });
  assert.equal(livre.structuredContent?.reservado, true);
  const pergunta = await pausar(url, pedido);
  concluida(await responder(url, pergunta, aceitar('sala-fusca'), { _meta }));
});

// --- A resposta ---

test('aceitar uma alternativa reserva com os dados do pedido original', async () => {
  const { structuredContent } = concluida(
    await responder(url, await pausar(url, pedido), aceitar('sala-mirante')),
  );
  const { reserva, ...resto } = structuredContent ?? {};
  assert.match(String(reserva), /^res-\d{4,}$/);
  assert.deepEqual(resto, { reservado: true, ...pedido, sala: 'sala-mirante', politica: '2026-11-01' });
  assert.deepEqual(await ocupantes(), { ...SO_O_PRIMEIRO, 'sala-mirante': 'Marty' });
});

test('decline e cancel concluem sem reservar e sem erro', async () => {
  for (const action of ['decline', 'cancel']) {
    const { structuredContent, content } = concluida(
      await responder(url, await pausar(url, pedido), { action }),
    );
    assert.deepEqual(structuredContent, { reservado: false, motivo: 'recusado' });
    assert.deepEqual(JSON.parse(content[0]?.text ?? ''), structuredContent);
  }
  assert.deepEqual(await ocupantes(), SO_O_PRIMEIRO);
});

test('resposta que não vale faz perguntar de novo, sem reservar, e a pergunta nova serve', async () => {
  let pergunta = await pausar(url, pedido);
  for (const resposta of [
    aceitar('sala-aquario'),
    aceitar('sala-garagem'),
    aceitar('sala-inexistente'),
    aceitar('__proto__'),
    aceitar(''),
    aceitar(5),
    aceitar(['sala-fusca']),
    aceitar(null),
    { action: 'accept' },
    { action: 'accept', content: {} },
    { action: 'accept', content: 'sala-fusca' },
    { action: 'accept', content: { salas: 'sala-fusca' } },
    { action: 'talvez', content: { sala: 'sala-fusca' } },
    { content: { sala: 'sala-fusca' } },
    { roots: [] },
    {},
    null,
    'sala-fusca',
    [],
  ]) {
    const nova = await responder(url, pergunta, resposta);
    pergunta = conferirPerguntaNova(nova, pergunta, ['sala-fusca', 'sala-mirante']);
  }
  for (const inputResponses of [
    undefined,
    {},
    { outra: aceitar('sala-fusca') },
    { ESCOLHA: aceitar('sala-fusca') },
  ]) {
    const nova = await responder(url, pergunta, null, { inputResponses });
    pergunta = conferirPerguntaNova(nova, pergunta, ['sala-fusca', 'sala-mirante']);
  }
  assert.deepEqual(await ocupantes(), SO_O_PRIMEIRO);
  concluida(await responder(url, pergunta, aceitar('sala-fusca')));
});

test('chaves a mais em inputResponses são ignoradas', async () => {
  const pergunta = await pausar(url, pedido);
  const inputResponses = { [pergunta.chave]: aceitar('sala-fusca'), outra: { action: 'decline' }, x: 5 };
  const { structuredContent } = concluida(await responder(url, pergunta, null, { inputResponses }));
  assert.equal(structuredContent?.sala, 'sala-fusca');
});

test('inputResponses sem requestState é um pedido novo', async () => {
  const pergunta = await pausar(url, pedido);
  const nova = await responder(url, pergunta, aceitar('sala-fusca'), { requestState: undefined });
  conferirPerguntaNova(nova, pergunta, ['sala-fusca', 'sala-mirante']);
  assert.deepEqual(await ocupantes(), SO_O_PRIMEIRO);
});

test('se a escolhida foi tomada enquanto isso, pergunta de novo com o que sobrou; sem sobra, diz que não há', async () => {
  const pergunta = await pausar(url, pedido);
  await reservar('sala-fusca');
  const nova = conferirPerguntaNova(await responder(url, pergunta, aceitar('sala-fusca')), pergunta, [
    'sala-mirante',
  ]);
  await reservar('sala-mirante');
  const { resultado } = await responder(url, nova, aceitar('sala-mirante'));
  assert.deepEqual(
    [resultado?.isError, resultado?.content[0]?.text],
    [true, 'Sem alternativas disponiveis no intervalo'],
  );
});

test('uma sala que ficou livre depois não é aceita se não estava entre as alternativas seladas', async () => {
  await reservar('sala-fusca');
  const pergunta = await pausar(url, pedido);
  assert.deepEqual(pergunta.alternativas, ['sala-mirante']);
  const nova = await responder(url, pergunta, aceitar('sala-porao'));
  conferirPerguntaNova(nova, pergunta, ['sala-mirante']);
});

// --- Uso único, com repetição segura ---

test('a mesma resposta de novo dá o mesmo resultado, sem segunda reserva', async () => {
  const pergunta = await pausar(url, pedido);
  const primeira = concluida(await responder(url, pergunta, aceitar('sala-fusca')));
  const segunda = concluida(await responder(url, pergunta, aceitar('sala-fusca')));
  assert.deepEqual(segunda.structuredContent, primeira.structuredContent);
  assert.deepEqual(await ocupantes(), { ...SO_O_PRIMEIRO, 'sala-fusca': 'Marty' });
});

test('outra resposta depois de aceitar é recusada e não reserva', async () => {
  const pergunta = await pausar(url, pedido);
  concluida(await responder(url, pergunta, aceitar('sala-fusca')));
  for (const resposta of [
    aceitar('sala-mirante'),
    { action: 'decline' },
    { action: 'cancel' },
    aceitar('x'),
    null,
  ]) {
    conferirRecusada(await responder(url, pergunta, resposta));
  }
  assert.deepEqual(await ocupantes(), { ...SO_O_PRIMEIRO, 'sala-fusca': 'Marty' });
});

test('aceitar depois de recusar não reserva', async () => {
  const pergunta = await pausar(url, pedido);
  concluida(await responder(url, pergunta, { action: 'decline' }));
  concluida(await responder(url, pergunta, { action: 'decline' }));
  conferirRecusada(await responder(url, pergunta, aceitar('sala-fusca')));
  conferirRecusada(await responder(url, pergunta, null));
  assert.deepEqual(await ocupantes(), SO_O_PRIMEIRO);
});

test('as perguntas refeitas sobre um pedido são o mesmo pedido: só uma conclui', async () => {
  const primeira = await pausar(url, pedido);
  const segunda = conferirPerguntaNova(await responder(url, primeira, null), primeira, [
    'sala-fusca',
    'sala-mirante',
  ]);
  concluida(await responder(url, primeira, aceitar('sala-fusca')));
  conferirRecusada(await responder(url, segunda, aceitar('sala-mirante')));
  concluida(await responder(url, segunda, aceitar('sala-fusca')));
  assert.deepEqual(await ocupantes(), { ...SO_O_PRIMEIRO, 'sala-fusca': 'Marty' });
});

test('respostas diferentes ao mesmo tempo: uma age, as outras são recusadas', async () => {
  const pergunta = await pausar(url, pedido);
  const respostas = await Promise.all(
    Array.from({ length: 12 }, (_, i) =>
      responder(url, pergunta, aceitar(i % 2 ? 'sala-fusca' : 'sala-mirante')),
    ),
  );
  const feitas = new Set(
    respostas.map(({ resultado }) => resultado?.structuredContent?.reserva).filter(Boolean),
  );
  assert.equal(feitas.size, 1);
  assert.equal(Object.keys(await ocupantes()).length, 2);
});

test('duas perguntas abertas ao mesmo tempo não trocam de estado', async () => {
  const um = await pausar(url, { ...pedido, responsavel: 'Um' });
  const dois = await pausar(url, { ...pedido, responsavel: 'Dois' });
  concluida(await responder(url, dois, aceitar('sala-mirante')));
  concluida(await responder(url, um, aceitar('sala-fusca')));
  assert.deepEqual(await ocupantes(), { ...SO_O_PRIMEIRO, 'sala-fusca': 'Um', 'sala-mirante': 'Dois' });
});

// --- O selo, pelas mãos de um atacante ---

test('argumentos diferentes dos selados são recusados, e nada é reservado', async () => {
  const pergunta = await pausar(url, pedido);
  const outros = doDia(dia + 500);
  for (const troca of [
    { responsavel: 'Biff' },
    { sala: 'sala-fusca' },
    { sala: 'sala-inexistente' },
    { inicio: outros.inicio, fim: outros.fim },
    { inicio: pedido.inicio?.replace('14:00', '14:30') },
    { fim: pedido.fim?.replace('15:00', '16:00') },
    { responsavel: undefined },
  ]) {
    await conferirInvalido(pergunta, pergunta.requestState, { arguments: { ...pedido, ...troca } });
  }
  for (const args of [undefined, {}])
    await conferirInvalido(pergunta, pergunta.requestState, { arguments: args });
  assert.deepEqual(await ocupantes(), SO_O_PRIMEIRO);
});

test('os mesmos argumentos em outra ordem, ou com espaços em volta do nome, são os mesmos', async () => {
  const { responsavel, fim, inicio, sala } = pedido;
  const args = { responsavel: ` ${responsavel} `, fim, inicio, sala };
  concluida(await responder(url, await pausar(url, pedido), aceitar('sala-fusca'), { arguments: args }));
});

test('um requestState mostrado a outra ferramenta ou a um resource é -32602', async () => {
  const { requestState } = await pausar(url, pedido);
  for (const name of ['listar_salas', 'consultar_disponibilidade', 'apagar_sala']) {
    const { erro } = await chamar(url, 'tools/call', { name, arguments: pedido, requestState });
    assert.equal(erro?.code, -32602, name);
  }
  const { erro } = await chamar(
    url,
    'resources/read',
    { uri: 'politica://uso', name: 'reservar_sala', arguments: pedido, requestState },
    { 'mcp-name': 'politica://uso' },
  );
  assert.equal(erro?.code, -32602);
});

test('trocar um caractere em qualquer posição é -32602', async () => {
  const pergunta = await pausar(url, pedido);
  const token = pergunta.requestState;
  for (let i = 0; i < token.length; i += 20) {
    const posicoes = Array.from({ length: Math.min(20, token.length - i) }, (_, n) => i + n);
    await Promise.all(
      posicoes.map((posicao) => {
        const troca = token[posicao] === 'A' ? 'B' : 'A';
        return conferirInvalido(pergunta, token.slice(0, posicao) + troca + token.slice(posicao + 1));
      }),
    );
  }
  concluida(await responder(url, pergunta, aceitar('sala-fusca')));
});

test('trocar o último caractere por qualquer outro é -32602', async () => {
  const pergunta = await pausar(url, pedido);
  const token = pergunta.requestState;
  await Promise.all(
    [...ALFABETO]
      .filter((troca) => !token.endsWith(troca))
      .map((troca) => conferirInvalido(pergunta, token.slice(0, -1) + troca)),
  );
});

test('requestState forjado, cortado, esticado ou de outro tipo é -32602', async () => {
  const pergunta = await pausar(url, pedido);
  const token = pergunta.requestState;
  const [cabecalho, conteudo, assinatura] = token.split('.') as [string, string, string];
  const alheio = criarSelo(['outro segredo, também com mais de 32 bytes'], 900, Date.now);
  const vencido = criarSelo([SEGREDO], 900, () => Date.now() - 900_000);
  const estado = await criarSelo([SEGREDO], 900, Date.now).abrir(token);
  for (const forjado of [
    '',
    ' ',
    '.',
    `${token}=`,
    `${token} `,
    ` ${token}`,
    `${token}\n`,
    `${cabecalho}=.${conteudo}.${assinatura}`,
    `${cabecalho}.${conteudo} .${assinatura}`,
    `${cabecalho}.${conteudo}.`,
    `${cabecalho}.${conteudo}`,
    `${btoa('{"alg":"none"}').replace(/=+$/, '')}.${conteudo}.`,
    `${btoa('{"alg":"none"}').replace(/=+$/, '')}.${conteudo}.${assinatura}`,
    new UnsecuredJWT({ jti: 'x' }).encode(),
    token.slice(0, -1),
    token.slice(0, token.length / 2),
    await alheio.selar(estado),
    await vencido.selar(estado),
    btoa(JSON.stringify(estado)),
    JSON.stringify(estado),
    'x'.repeat(100_000),
    `${token}${'A'.repeat(100_000)}`,
    'é'.repeat(50_000),
    5,
    null,
    {},
    [token],
    true,
  ]) {
    await conferirInvalido(pergunta, forjado);
  }
  assert.deepEqual(await ocupantes(), SO_O_PRIMEIRO);
});

test('o requestState nunca aparece no log, e a recusa diz o motivo', async () => {
  const pergunta = await pausar(url, pedido);
  await conferirInvalido(pergunta, `${pergunta.requestState.slice(0, -1)}!`);
  await servidor.linha(
    /metodo=tools\/call id=\d+ nome=reservar_sala requestStateRecusado="grafia inválida" status=200/,
  );
  const conteudo = pergunta.requestState.split('.')[1] as string;
  for (const linha of servidor.linhas) assert.ok(!linha.includes(conteudo.slice(0, 20)));
});

// --- Reinício e rotação ---

test('a pergunta sobrevive a um SIGKILL: a escolha selada é reservada se a sala estiver livre', async (t) => {
  const antes = await subirServidor();
  const pergunta = await pausar(antes.url, GARAGEM_OCUPADA);
  // O conflito deste outro pedido não estará nos dados quando o processo voltar.
  const { sala: _, ...resto } = pedido;
  await ferramenta(antes.url, 'reservar_sala', { sala: 'sala-garagem', ...resto });
  const semConflito = await pausar(antes.url, pedido);
  assert.equal(await antes.parar('SIGKILL'), null);

  const depois = await subirServidor();
  t.after(() => depois.parar());
  const { structuredContent } = concluida(await responder(depois.url, pergunta, aceitar('sala-fusca')));
  assert.deepEqual([structuredContent?.reserva, structuredContent?.sala], ['res-0003', 'sala-fusca']);
  concluida(await responder(depois.url, semConflito, aceitar('sala-mirante')));
});

test('rotação de segredos: o novo primeiro, o antigo ainda abre; fora da lista, não abre', async (t) => {
  const NOVO = 'segredo-novo-que-so-os-testes-usam-';
  const pergunta = await pausar(url, GARAGEM_OCUPADA);
  const emRotacao = await subirServidor({ REQUEST_STATE_SECRET: `${NOVO},${SEGREDO}` });
  t.after(() => emRotacao.parar());
  const semAntigo = await subirServidor({ REQUEST_STATE_SECRET: NOVO });
  t.after(() => semAntigo.parar());

  const selada = await pausar(emRotacao.url, GARAGEM_OCUPADA);
  concluida(await responder(emRotacao.url, pergunta, aceitar('sala-fusca')));
  assert.equal((await responder(semAntigo.url, pergunta, aceitar('sala-fusca'))).erro?.code, -32602);
  concluida(await responder(semAntigo.url, selada, aceitar('sala-fusca')));
});
