import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { AgentCard as CardDoSdk } from '@a2a-js/sdk';
import { completed } from '../../agente/a2a/executor.ts';
import { criarServidorA2A } from '../../agente/a2a/servidor.ts';
import { conectar } from '../cliente/cliente-a2a.ts';
import { cardDoPlano, especificar } from './especificacao.ts';
import { Plano, type PlanoAceito, recusar } from './plano.ts';

const ler = (arquivo: string): unknown => JSON.parse(readFileSync(new URL(arquivo, import.meta.url), 'utf8'));
const BOM = Plano.parse(ler('redator.json'));
const [SKILL] = BOM.skills;
assert.ok(SKILL);

test('o plano do redator passa, e a especificação traz as cinco partes', () => {
  assert.deepEqual(recusar(BOM), []);
  const pagina = especificar(BOM as PlanoAceito);
  const titulos = Array.from(pagina.matchAll(/^## (.*)$/gm), ([, titulo]) => titulo);
  assert.deepEqual(titulos, ['Card', 'Skills', 'Endpoints', 'Estados', 'Assinatura']);
  const [, json = ''] = /^```json\n(.*?)^```$/ms.exec(pagina) ?? [];
  assert.deepEqual(JSON.parse(json), cardDoPlano(BOM as PlanoAceito));
  for (const estado of Object.keys(BOM.estados)) assert.match(pagina, new RegExp(`\\| \`${estado}\` \\|`));
});

test('o card gerado é um card: o SDK oficial o lê inteiro e o núcleo o serve', async () => {
  const card = cardDoPlano(BOM as PlanoAceito);
  const { supportedInterfaces, skills, defaultInputModes } = CardDoSdk.fromJSON(card);
  assert.equal(supportedInterfaces.length, 2);
  assert.deepEqual(skills[0]?.inputModes, SKILL.entrada);
  assert.ok(defaultInputModes.length > 0);

  const agente = criarServidorA2A({
    card,
    log: () => {},
    hostsPermitidos: ['redator.hillvalley.example'],
    executor: async function* () {
      yield completed();
    },
  });
  const cliente = await conectar('https://redator.hillvalley.example', (request) => agente.fetch(request));
  assert.equal((await cliente.enviar([{ text: 'oi' }])).status.state, 'TASK_STATE_COMPLETED');
});

test('recusa 1: sem URL estável', () => {
  for (const url of [
    undefined,
    '',
    'redator',
    'http://redator.hillvalley.example',
    'https://localhost',
    'https://127.0.0.1',
    'https://[::1]',
    'https://redator',
    'https://redator.local',
    'https://redator.hillvalley.example:8443',
    'https://redator.hillvalley.example/?a=1',
    'https://redator.hillvalley.example/#a',
    'https://eu:senha@redator.hillvalley.example',
    'https://:senha@redator.hillvalley.example',
    'https://redator.hillvalley.example/?',
    'https://redator.hillvalley.example/#',
    'https://redator.test',
    'https://redator.invalid',
    'https://redator.home.arpa',
    'https://home.arpa',
    'https://redator.lan',
  ]) {
    const recusas = recusar({ ...BOM, url });
    assert.equal(recusas.length, 1, url);
    assert.match(recusas[0] ?? '', /^sem URL estável: /);
  }
});

test('recusa 2: skill sem modos', () => {
  for (const modos of [
    { entrada: undefined },
    { saida: [] },
    { entrada: ['texto'] },
    { entrada: ['text/plain; charset'] },
    { saida: ['text/markdown', '/'] },
  ]) {
    const recusas = recusar({ ...BOM, skills: [SKILL, { ...SKILL, id: 'outra', ...modos }] });
    assert.equal(recusas.length, 1, JSON.stringify(modos));
    assert.match(recusas[0] ?? '', /^skill sem modos: "outra"/);
  }
});

test('um tipo de mídia pode trazer parâmetros', () => {
  const entrada = ['text/markdown; charset=utf-8; variant="GFM"'];
  assert.deepEqual(recusar({ ...BOM, skills: [{ ...SKILL, entrada }] }), []);
});

test('um modo com parâmetros, no card de um agente servido, aceita o mesmo tipo', async () => {
  const entrada = ['Text/Markdown; charset=utf-8'];
  const agente = criarServidorA2A({
    card: { ...cardDoPlano(BOM as PlanoAceito), defaultInputModes: entrada, skills: [] },
    log: () => {},
    hostsPermitidos: ['redator.hillvalley.example'],
    executor: async function* () {
      yield completed();
    },
  });
  const cliente = await conectar('https://redator.hillvalley.example', (request) => agente.fetch(request));
  const task = await cliente.enviar([{ text: '# oi', mediaType: 'text/markdown' }]);
  assert.equal(task.status.state, 'TASK_STATE_COMPLETED');
});

test('recusa 3: sem plano de assinatura; um segredo não é plano para um card público', () => {
  const { assinatura } = BOM;
  assert.ok(assinatura);
  for (const plano of [
    undefined,
    { ...assinatura, alg: 'none' },
    { ...assinatura, alg: 'HS256' },
    { ...assinatura, kid: undefined },
    { ...assinatura, jku: undefined },
    { ...assinatura, jku: 'http://redator.hillvalley.example/jwks.json' },
  ]) {
    const recusas = recusar({ ...BOM, assinatura: plano });
    assert.equal(recusas.length, 1, JSON.stringify(plano));
    assert.match(recusas[0] ?? '', /^sem plano de assinatura: /);
  }
});

test('as três recusas saem juntas', () => {
  const recusas = recusar(Plano.parse(ler('recusado.json')));
  assert.deepEqual(
    recusas.map((recusa) => recusa.split(':')[0]),
    ['sem URL estável', 'skill sem modos', 'sem plano de assinatura'],
  );
});

test('duas skills com o mesmo id não têm forma de plano: o cliente não saberia qual pediu', () => {
  assert.equal(Plano.safeParse({ ...BOM, skills: [SKILL, SKILL] }).success, false);
  assert.equal(Plano.safeParse({ ...BOM, skills: [SKILL, { ...SKILL, id: 'outra' }] }).success, true);
});

test('um plano sem os estados em que toda Task termina, ou com um que não existe, não tem forma de plano', () => {
  for (const estados of [
    {},
    { TASK_STATE_COMPLETED: 'fim' },
    { ...BOM.estados, TASK_STATE_PAUSADA: 'pausa' },
  ]) {
    assert.equal(Plano.safeParse({ ...BOM, estados }).success, false);
  }
});
