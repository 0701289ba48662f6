import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { ErroDeConfiguracao } from '../comum/ambiente.ts';
import { type Agenda, criarAgendaEmMemoria, type NovaReserva, type Uso } from './agenda.ts';

const MINUTO = 60_000;
const INICIO = Date.UTC(2026, 10, 3, 11);

function nova(sala: string, de: number, ate: number, responsavel = 'Doc'): NovaReserva {
  const intervalo = { inicio: INICIO + de * MINUTO, fim: INICIO + ate * MINUTO };
  return {
    sala,
    inicio: new Date(intervalo.inicio).toISOString(),
    fim: new Date(intervalo.fim).toISOString(),
    responsavel,
    intervalo,
  };
}

function agendaVazia(agora = () => 0): Agenda {
  return criarAgendaEmMemoria([], agora);
}

const uso = (pedido: string, sala: string | undefined, lembrarAte = 1000): Uso => ({
  pedido,
  sala,
  lembrarAte,
});

async function idReservado(agenda: Agenda, pedido: NovaReserva, comUso?: Uso): Promise<string | undefined> {
  const desfecho = await agenda.reservar(pedido, comUso);
  return desfecho.tipo === 'reservada' ? desfecho.reserva.id : undefined;
}

test('os ids seguem o maior dos dados iniciais', async () => {
  const inicial = (id: string, hora: string) => ({
    id,
    sala: 'a',
    inicio: `2026-11-03T${hora}:00:00-03:00`,
    fim: `2026-11-03T${hora}:30:00-03:00`,
    responsavel: 'Marty',
  });
  const agenda = criarAgendaEmMemoria([inicial('res-0007', '14'), inicial('res-0002', '16')], () => 0);
  assert.equal(await idReservado(agenda, nova('a', 0, 30)), 'res-0008');
  assert.equal(await idReservado(agenda, nova('b', 0, 30)), 'res-0009');
});

test('recusa dados iniciais sobrepostos ou com intervalo impossível', () => {
  const reserva = {
    id: 'res-0001',
    sala: 'a',
    inicio: '2026-11-03T14:00:00Z',
    fim: '2026-11-03T15:00:00Z',
    responsavel: 'M',
  };
  for (const iniciais of [
    [reserva, { ...reserva, id: 'res-0002', inicio: '2026-11-03T14:59:00Z', fim: '2026-11-03T16:00:00Z' }],
    [{ ...reserva, fim: reserva.inicio }],
    [{ ...reserva, inicio: 'ontem' }],
  ]) {
    assert.throws(() => criarAgendaEmMemoria(iniciais, () => 0), ErroDeConfiguracao);
  }
});

test('intervalos que só se tocam não conflitam; um milissegundo em comum conflita', async () => {
  const agenda = agendaVazia();
  await agenda.reservar(nova('a', 60, 120));
  assert.equal(await idReservado(agenda, nova('a', 0, 60)), 'res-0002');
  assert.equal(await idReservado(agenda, nova('a', 120, 180)), 'res-0003');
  const { intervalo, ...resto } = nova('b', 0, 60);
  await agenda.reservar({ ...resto, intervalo });
  const invasora = { ...resto, intervalo: { inicio: intervalo.fim - 1, fim: intervalo.fim + MINUTO } };
  assert.deepEqual(await agenda.reservar(invasora), { tipo: 'ocupada' });
});

test('os conflitos vêm por ordem de início, sem o intervalo numérico', async () => {
  const agenda = agendaVazia();
  for (const [de, ate] of [
    [60, 70],
    [0, 10],
    [30, 40],
    [200, 210],
  ] as const)
    await agenda.reservar(nova('a', de, ate));
  const { intervalo } = nova('a', 5, 65);
  const conflitos = await agenda.conflitos('a', intervalo);
  assert.deepEqual(
    conflitos.map(({ id }) => id),
    ['res-0002', 'res-0003', 'res-0001'],
  );
  assert.deepEqual(Object.keys(conflitos[0] ?? {}), ['id', 'sala', 'inicio', 'fim', 'responsavel']);
  assert.deepEqual(await agenda.conflitos('desconhecida', intervalo), []);
});

test('as livres saem na ordem pedida e param no máximo', async () => {
  const agenda = agendaVazia();
  await agenda.reservar(nova('b', 0, 60));
  const { intervalo } = nova('x', 30, 90);
  assert.deepEqual(await agenda.livres(['d', 'b', 'a', 'c'], intervalo, 2), ['d', 'a']);
  assert.deepEqual(await agenda.livres(['b'], intervalo, 3), []);
});

test('a mesma resposta outra vez devolve a mesma reserva, sem criar outra', async () => {
  const agenda = agendaVazia();
  const primeira = await agenda.reservar(nova('a', 0, 60), uso('p', 'a'));
  assert.deepEqual(await agenda.reservar(nova('a', 0, 60), uso('p', 'a')), primeira);
  assert.equal((await agenda.conflitos('a', nova('a', 0, 60).intervalo)).length, 1);
  assert.deepEqual(await agenda.conclusao('p'), primeira);
});

test('outra resposta depois de concluída não reserva nada', async () => {
  const agenda = agendaVazia();
  const vale = await agenda.reservar(nova('a', 0, 60), uso('aceito', 'a'));
  assert.deepEqual(await agenda.reservar(nova('b', 0, 60), uso('aceito', 'b')), {
    tipo: 'respondida-de-outro-modo',
    vale,
  });
  assert.deepEqual(await agenda.recusar(uso('aceito', undefined)), {
    tipo: 'respondida-de-outro-modo',
    vale,
  });

  assert.deepEqual(await agenda.recusar(uso('recusado', undefined)), { tipo: 'recusada' });
  assert.deepEqual(await agenda.recusar(uso('recusado', undefined)), { tipo: 'recusada' });
  assert.deepEqual(await agenda.reservar(nova('b', 0, 60), uso('recusado', 'b')), {
    tipo: 'respondida-de-outro-modo',
    vale: { tipo: 'recusada' },
  });
  assert.deepEqual(await agenda.conflitos('b', nova('b', 0, 60).intervalo), []);
});

test('achar a sala ocupada não conclui o pedido: outra escolha ainda vale', async () => {
  const agenda = agendaVazia();
  await agenda.reservar(nova('a', 0, 60));
  assert.deepEqual(await agenda.reservar(nova('a', 0, 60), uso('p', 'a')), { tipo: 'ocupada' });
  assert.equal(await agenda.conclusao('p'), undefined);
  assert.equal((await agenda.reservar(nova('b', 0, 60), uso('p', 'b'))).tipo, 'reservada');
});

test('respostas simultâneas ao mesmo pedido: só a primeira age', async () => {
  const agenda = agendaVazia();
  const salas = ['a', 'b', 'c'];
  const desfechos = await Promise.all(
    salas.map((sala) => agenda.reservar(nova(sala, 0, 60), uso('p', sala))),
  );
  assert.deepEqual(
    desfechos.map(({ tipo }) => tipo),
    ['reservada', 'respondida-de-outro-modo', 'respondida-de-outro-modo'],
  );
});

test('lembra a conclusão até o prazo, e depois a esquece', async () => {
  let agora = 0;
  const agenda = agendaVazia(() => agora);
  await agenda.recusar(uso('antigo', undefined, 1000));
  agora = 999;
  await agenda.recusar(uso('outro', undefined, 5000));
  assert.ok(await agenda.conclusao('antigo'));
  agora = 1000;
  await agenda.recusar(uso('mais um', undefined, 5000));
  assert.equal(await agenda.conclusao('antigo'), undefined);
  assert.ok(await agenda.conclusao('outro'));
});

test('a memória de conclusões tem limite: no excesso sai a mais antiga', async () => {
  const agenda = agendaVazia();
  for (let i = 0; i <= 100_000; i++) await agenda.recusar(uso(`p${i}`, undefined));
  assert.equal(await agenda.conclusao('p0'), undefined);
  assert.ok(await agenda.conclusao('p1'));
  assert.ok(await agenda.conclusao('p100000'));
});

test('concorda com uma busca exaustiva em qualquer sequência de reservas', async () => {
  const pedidoQualquer = fc.record({
    sala: fc.constantFrom('a', 'b'),
    de: fc.integer({ min: 0, max: 60 }),
    duracao: fc.integer({ min: 1, max: 12 }),
  });
  await fc.assert(
    fc.asyncProperty(fc.array(pedidoQualquer, { maxLength: 60 }), async (pedidos) => {
      const agenda = agendaVazia();
      const modelo: NovaReserva[] = [];
      for (const { sala, de, duracao } of pedidos) {
        const pedido = nova(sala, de, de + duracao);
        const sobrepostas = modelo
          .filter(
            (outra) =>
              outra.sala === sala &&
              outra.intervalo.inicio < pedido.intervalo.fim &&
              outra.intervalo.fim > pedido.intervalo.inicio,
          )
          .sort((x, y) => x.intervalo.inicio - y.intervalo.inicio);
        const achadas = await agenda.conflitos(sala, pedido.intervalo);
        assert.deepEqual(
          achadas.map(({ inicio }) => inicio),
          sobrepostas.map(({ inicio }) => inicio),
        );
        const livres = await agenda.livres([sala], pedido.intervalo, 1);
        assert.equal(livres.length, sobrepostas.length === 0 ? 1 : 0);
        const { tipo } = await agenda.reservar(pedido);
        assert.equal(tipo, sobrepostas.length === 0 ? 'reservada' : 'ocupada');
        if (tipo === 'reservada') modelo.push(pedido);
      }
    }),
  );
});
