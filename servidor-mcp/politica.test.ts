import assert from 'node:assert/strict';
import { test } from 'node:test';
import { lerInstante } from './instante.ts';
import { lerVersaoDaPolitica, violacaoDaPolitica } from './politica.ts';

const INTERVALO = 'Intervalo invalido: fim deve ser posterior a inicio';
const JANELA = 'Fora da janela de uso: a politica permite reservas entre 08:00 e 20:00';
const DURACAO = 'Duracao acima do limite: a politica permite no maximo 2 horas';

function violacao(inicio: string, fim: string): string | undefined {
  const [de, ate] = [lerInstante(inicio), lerInstante(fim)];
  assert.ok(de !== undefined && ate !== undefined);
  return violacaoDaPolitica({ inicio: de, fim: ate });
}

/** Horas do dia 3 de novembro de 2026, em São Paulo. */
const em = (hora: string): string => `2026-11-03T${hora}-03:00`;

test('permite das 08:00 às 20:00, pontas incluídas, por até duas horas', () => {
  assert.equal(violacao(em('08:00:00'), em('10:00:00')), undefined);
  assert.equal(violacao(em('18:00:00'), em('20:00:00')), undefined);
  assert.equal(violacao(em('19:59:59'), em('20:00:00')), undefined);
});

test('recusa quem começa antes das 08:00 ou termina depois das 20:00, por um segundo que seja', () => {
  assert.equal(violacao(em('07:59:59'), em('09:00:00')), JANELA);
  assert.equal(violacao(em('07:00:00'), em('08:00:00')), JANELA);
  assert.equal(violacao(em('19:00:00'), em('20:00:01')), JANELA);
  assert.equal(violacao(em('19:00:00'), em('20:00:00.001')), JANELA);
  assert.equal(violacao(em('20:00:00'), em('21:00:00')), JANELA);
});

test('recusa quem atravessa a noite, ainda que as duas pontas caiam dentro da janela', () => {
  assert.equal(violacao('2026-11-03T19:00:00-03:00', '2026-11-04T09:00:00-03:00'), JANELA);
});

test('recusa mais de duas horas por um milissegundo', () => {
  assert.equal(violacao(em('09:00:00'), em('11:00:00')), undefined);
  assert.equal(violacao(em('09:00:00'), em('11:00:00.001')), DURACAO);
  assert.equal(violacao(em('09:00:00'), em('12:00:00')), DURACAO);
});

test('recusa intervalo vazio ou invertido', () => {
  assert.equal(violacao(em('10:00:00'), em('10:00:00')), INTERVALO);
  assert.equal(violacao(em('10:00:00'), em('09:00:00')), INTERVALO);
});

test('a ordem é intervalo, janela, duração', () => {
  assert.equal(violacao(em('22:00:00'), em('03:00:00')), INTERVALO);
  assert.equal(violacao(em('05:00:00'), em('12:00:00')), JANELA);
});

test('mede a janela em -03:00 fixo, em qualquer fuso escrito e em época de horário de verão', () => {
  assert.equal(violacao('2026-11-03T11:00:00Z', '2026-11-03T13:00:00Z'), undefined);
  assert.equal(violacao('2026-11-03T10:59:00Z', '2026-11-03T12:00:00Z'), JANELA);
  // O mesmo dia em -03:00, embora em +09:00 a meia-noite caia no meio.
  assert.equal(violacao('2026-11-03T23:30:00+09:00', '2026-11-04T00:30:00+09:00'), undefined);
  // Em janeiro de 2019 o relógio de São Paulo marcava -02:00; a política diz -03:00.
  assert.equal(violacao('2019-01-15T08:00:00-03:00', '2019-01-15T09:00:00-03:00'), undefined);
  assert.equal(violacao('2019-01-15T08:00:00-02:00', '2019-01-15T09:00:00-02:00'), JANELA);
});

test('vale antes de 1970, onde o resto da divisão seria negativo', () => {
  assert.equal(violacao('1955-11-05T10:00:00-03:00', '1955-11-05T11:00:00-03:00'), undefined);
  assert.equal(violacao('1955-11-05T07:00:00-03:00', '1955-11-05T08:30:00-03:00'), JANELA);
});

test('lê a versão da primeira linha, e só dela', () => {
  assert.equal(lerVersaoDaPolitica('versao: 2026-11-01\n\n- Regras\n'), '2026-11-01');
  assert.equal(lerVersaoDaPolitica('versao: 2026-11-01\r\nresto'), '2026-11-01');
  assert.equal(lerVersaoDaPolitica('versao: 7'), '7');
  assert.equal(lerVersaoDaPolitica('# Política\nversao: 7\n'), undefined);
  assert.equal(lerVersaoDaPolitica('versao:\n2026\n'), undefined);
  assert.equal(lerVersaoDaPolitica(''), undefined);
});
