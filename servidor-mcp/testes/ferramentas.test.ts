import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { AjvJsonSchemaValidator } from '@modelcontextprotocol/server/validators/ajv';
import { chamar, ferramenta, GARAGEM_OCUPADA, type Resultado } from './cliente.ts';
import { type ServidorNoAr, subirServidor } from './servidor-no-ar.ts';

let servidor: ServidorNoAr;
let url: string;

before(async () => {
  servidor = await subirServidor();
  url = servidor.url;
});
after(() => servidor.parar());

interface Ferramenta {
  readonly name: string;
  readonly description: string;
  readonly inputSchema: Esquema;
  readonly outputSchema: Esquema;
}

interface Esquema {
  readonly type: string;
  readonly properties: Readonly<Record<string, { readonly description?: string }>>;
  readonly required?: readonly string[];
  readonly $schema?: string;
}

async function ferramentas(): Promise<readonly Ferramenta[]> {
  const { resultado } = await chamar(url, 'tools/list');
  assert.deepEqual([resultado?.ttlMs, resultado?.cacheScope], [60_000, 'public']);
  return resultado?.tools as readonly Ferramenta[];
}

/** Horas do dia 5 de novembro de 2026, em que não há reservas iniciais. */
const em = (hora: string): string => `2026-11-05T${hora}:00-03:00`;

function conferirErro(resultado: Resultado, texto: string): void {
  assert.deepEqual(
    [resultado.resultType, resultado.isError, resultado.content],
    ['complete', true, [{ type: 'text', text: texto }]],
  );
  assert.equal(resultado.structuredContent, undefined);
}

/** Confere que o texto repete o conteúdo estruturado, e que este cabe no outputSchema publicado. */
async function conferirConteudo(nome: string, resultado: Resultado): Promise<Record<string, unknown>> {
  assert.ok(!resultado.isError, JSON.stringify(resultado));
  const conteudo = resultado.structuredContent;
  assert.ok(conteudo);
  assert.deepEqual(JSON.parse(resultado.content[0]?.text ?? ''), conteudo);
  const publicada = (await ferramentas()).find(({ name }) => name === nome);
  const { valid } = new AjvJsonSchemaValidator().getValidator({ ...publicada?.outputSchema })(conteudo);
  assert.ok(valid, JSON.stringify(conteudo));
  return { ...conteudo };
}

test('as três ferramentas, descritas, com esquemas que são objetos JSON Schema', async () => {
  const lista = await ferramentas();
  assert.deepEqual(
    lista.map(({ name }) => name),
    ['listar_salas', 'consultar_disponibilidade', 'reservar_sala'],
  );
  for (const { description, inputSchema, outputSchema } of lista) {
    assert.ok(description);
    for (const esquema of [inputSchema, outputSchema]) {
      assert.equal(esquema.type, 'object');
      assert.equal(typeof esquema.properties, 'object');
      assert.equal(esquema.$schema, undefined);
    }
    for (const argumento of Object.values(inputSchema.properties)) assert.ok(argumento.description);
  }
  assert.deepEqual(lista[1]?.inputSchema.required, ['sala', 'inicio', 'fim']);
  assert.deepEqual(lista[2]?.inputSchema.required, ['sala', 'inicio', 'fim', 'responsavel']);
});

test('listar_salas devolve as salas dos dados', async () => {
  const conteudo = await conferirConteudo('listar_salas', await ferramenta(url, 'listar_salas', {}));
  const salas = conteudo.salas as readonly unknown[];
  assert.equal(salas.length, 5);
  assert.deepEqual(salas[2], {
    id: 'sala-garagem',
    nome: 'Garagem',
    capacidade: 12,
    recursos: ['tv', 'quadro'],
  });
});

test('consultar_disponibilidade diz se está livre e, se não, quem conflita', async () => {
  const livre = await ferramenta(url, 'consultar_disponibilidade', {
    sala: 'sala-porao',
    inicio: em('09:00'),
    fim: em('10:00'),
  });
  assert.deepEqual(await conferirConteudo('consultar_disponibilidade', livre), {
    sala: 'sala-porao',
    livre: true,
    conflitos: [],
  });

  const ocupada = await ferramenta(url, 'consultar_disponibilidade', {
    sala: 'sala-garagem',
    inicio: '2026-11-03T17:30:00Z',
    fim: '2026-11-03T18:30:00Z',
  });
  const { sala: _, ...resto } = GARAGEM_OCUPADA;
  assert.deepEqual(await conferirConteudo('consultar_disponibilidade', ocupada), {
    sala: 'sala-garagem',
    livre: false,
    conflitos: [{ id: 'res-0001', ...resto }],
  });
});

test('reservar_sala reserva, e a consulta seguinte vê a reserva', async () => {
  const pedido = { sala: 'sala-aquario', inicio: em('09:00'), fim: em('10:00'), responsavel: 'Doc' };
  const conteudo = await conferirConteudo('reservar_sala', await ferramenta(url, 'reservar_sala', pedido));
  assert.deepEqual(conteudo, { reserva: 'res-0003', reservado: true, ...pedido, politica: '2026-11-01' });
  const consulta = await ferramenta(url, 'consultar_disponibilidade', pedido);
  assert.equal(consulta.structuredContent?.livre, false);
});

test('os instantes são comparados como instantes e devolvidos como vieram', async () => {
  const emUtc = {
    sala: 'sala-porao',
    inicio: '2026-11-05T18:00Z',
    fim: '2026-11-05T19:00:00.000Z',
    responsavel: 'Doc',
  };
  const { structuredContent } = await ferramenta(url, 'reservar_sala', emUtc);
  assert.deepEqual([structuredContent?.inicio, structuredContent?.fim], [emUtc.inicio, emUtc.fim]);
  const consulta = await ferramenta(url, 'consultar_disponibilidade', {
    sala: 'sala-porao',
    inicio: em('15:30'),
    fim: em('16:30'),
  });
  assert.equal(consulta.structuredContent?.livre, false);
  const encostada = await ferramenta(url, 'consultar_disponibilidade', {
    sala: 'sala-porao',
    inicio: em('16:00'),
    fim: em('17:00'),
  });
  assert.equal(encostada.structuredContent?.livre, true);
});

test('o responsável perde os espaços das pontas e conserva os de dentro e os acentos', async () => {
  const pedido = { sala: 'sala-porao', inicio: em('08:00'), fim: em('09:00') };
  const { structuredContent } = await ferramenta(url, 'reservar_sala', {
    ...pedido,
    responsavel: '  José  da Silva\t',
  });
  assert.equal(structuredContent?.responsavel, 'José  da Silva');
});

for (const nome of ['consultar_disponibilidade', 'reservar_sala']) {
  const chamarCom = (args: Record<string, unknown>): Promise<Resultado> =>
    ferramenta(url, nome, {
      sala: 'sala-porao',
      inicio: em('09:00'),
      fim: em('10:00'),
      responsavel: 'Doc',
      ...args,
    });

  test(`${nome}: os textos exatos dos erros de execução`, async () => {
    conferirErro(await chamarCom({ sala: 'sala-inexistente' }), 'Sala inexistente: sala-inexistente');
    conferirErro(await chamarCom({ sala: '' }), 'Sala inexistente: ');
    conferirErro(
      await chamarCom({ inicio: em('10:00'), fim: em('09:00') }),
      'Intervalo invalido: fim deve ser posterior a inicio',
    );
    conferirErro(
      await chamarCom({ fim: em('09:00') }),
      'Intervalo invalido: fim deve ser posterior a inicio',
    );
    conferirErro(
      await chamarCom({ inicio: em('07:00'), fim: em('08:00') }),
      'Fora da janela de uso: a politica permite reservas entre 08:00 e 20:00',
    );
    conferirErro(
      await chamarCom({ fim: em('12:00') }),
      'Duracao acima do limite: a politica permite no maximo 2 horas',
    );
  });

  test(`${nome}: a ordem dos erros é sala, intervalo, janela, duração`, async () => {
    conferirErro(
      await chamarCom({ sala: 'x', inicio: em('23:00'), fim: em('01:00') }),
      'Sala inexistente: x',
    );
    conferirErro(
      await chamarCom({ inicio: em('23:00'), fim: em('01:00') }),
      'Intervalo invalido: fim deve ser posterior a inicio',
    );
    conferirErro(
      await chamarCom({ inicio: em('01:00'), fim: em('23:00') }),
      'Fora da janela de uso: a politica permite reservas entre 08:00 e 20:00',
    );
  });

  test(`${nome}: nomes que existem em todo objeto não são salas`, async () => {
    for (const sala of ['__proto__', 'constructor', 'toString'])
      conferirErro(await chamarCom({ sala }), `Sala inexistente: ${sala}`);
  });

  test(`${nome}: argumento inválido é um erro de execução que diz qual e por quê`, async () => {
    for (const [args, trecho] of [
      [{ inicio: '2026-02-30T09:00:00-03:00' }, 'inicio: deve ser um instante ISO 8601'],
      [{ fim: '2026-11-05T10:00:00' }, 'fim: deve ser um instante ISO 8601'],
      [{ sala: 5 }, 'sala: deve ser um texto'],
      [{ inicio: undefined }, 'inicio: deve ser um texto'],
      [{ sala: 's'.repeat(129) }, 'sala: deve ter no máximo 128 caracteres'],
    ] as const) {
      const { isError, content } = await chamarCom(args);
      assert.equal(isError, true);
      assert.ok(content[0]?.text.includes(trecho), content[0]?.text);
    }
  });
}

test('responsável em branco, ausente ou com caracteres de controle é recusado', async () => {
  for (const responsavel of [
    '',
    '   ',
    '\u00a0\u3000',
    undefined,
    null,
    5,
    'a\nb',
    'a\u0000b',
    'a\u0085b',
    'a\u2028b',
    '\ud800',
  ]) {
    const { isError, content } = await ferramenta(url, 'reservar_sala', {
      sala: 'sala-mirante',
      inicio: em('09:00'),
      fim: em('10:00'),
      responsavel,
    });
    assert.equal(isError, true, JSON.stringify(responsavel));
    assert.match(content[0]?.text ?? '', /responsavel/);
  }
  const consulta = await ferramenta(url, 'consultar_disponibilidade', {
    sala: 'sala-mirante',
    inicio: em('09:00'),
    fim: em('10:00'),
  });
  assert.equal(consulta.structuredContent?.livre, true);
});

test('ferramenta que não existe é -32602', async () => {
  for (const name of ['apagar_sala', '', 'constructor', '__proto__', 'toString']) {
    const { erro } = await chamar(url, 'tools/call', { name, arguments: {} });
    assert.equal(erro?.code, -32602, name);
  }
  for (const name of [5, null, undefined, {}]) {
    const { erro } = await chamar(url, 'tools/call', { name, arguments: {} }, { 'mcp-name': 'x' });
    assert.equal(erro?.code, -32602);
  }
});

test('pedidos simultâneos do mesmo intervalo: um reserva, os outros recebem a pergunta', async () => {
  const pedido = { sala: 'sala-fusca', inicio: em('09:00'), fim: em('10:00'), responsavel: 'Doc' };
  const resultados = await Promise.all(
    Array.from({ length: 10 }, () => ferramenta(url, 'reservar_sala', pedido)),
  );
  assert.deepEqual(resultados.map(({ resultType }) => resultType).sort(), [
    'complete',
    ...Array(9).fill('input_required'),
  ]);
});
