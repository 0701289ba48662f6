import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { after, before, describe, test } from 'node:test';
import { type Servico, subirAgente, subirServidorMcp } from '../testes/processos.ts';
import { type Exemplo, jogarCenario } from './cenario.ts';

const PASTA = new URL('wire/', import.meta.url);

/** Os exemplos guardados, pelo nome do arquivo. */
function lerExemplos(): Map<string, Exemplo> {
  const arquivos = readdirSync(PASTA).sort();
  return new Map(
    arquivos.map((arquivo) => [
      arquivo.replace(/\.json$/, ''),
      JSON.parse(readFileSync(new URL(arquivo, PASTA), 'utf8')) as Exemplo,
    ]),
  );
}

/**
 * Troca o que muda a cada captura: ids e requestStates viram nomes pela ordem em que aparecem, e assim continua visível
 * que a Task de 10 é a de 08 e que o requestState de 04 é o de 03.
 */
function normalizar(exemplos: ReadonlyMap<string, Exemplo>): Record<string, Exemplo> {
  const emOrdem = Object.fromEntries([...exemplos].sort(([um], [outro]) => (um < outro ? -1 : 1)));
  const nomes = new Map<string, string>();
  const nomear = (tipo: string) => (valor: string) => {
    if (!nomes.has(valor)) nomes.set(valor, `<${tipo} ${nomes.size + 1}>`);
    return nomes.get(valor) as string;
  };
  const texto = JSON.stringify(emOrdem)
    .replace(/[\w-]+\.[\w-]+\.[\w-]{64}/g, nomear('requestState'))
    .replace(/[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}/g, nomear('id'))
    .replace(/\d{4}-\d{2}-\d{2}T[\d:.]+Z/g, '<instante>');
  return JSON.parse(texto) as Record<string, Exemplo>;
}

describe('exemplos/wire/', () => {
  const guardados = lerExemplos();
  const servicos: Servico[] = [];
  let deAgora: ReadonlyMap<string, Exemplo>;

  before(async () => {
    const mcp = await subirServidorMcp();
    servicos.push(mcp);
    const agente = await subirAgente(mcp.url);
    servicos.push(agente);
    deAgora = await jogarCenario({
      agente: `http://localhost:${agente.porta}`,
      mcp: `http://localhost:${mcp.porta}`,
    });
  });

  after(() => Promise.all(servicos.map((servico) => servico.parar())));

  test('são os onze que o cenário captura', () => {
    assert.equal(guardados.size, 11);
    assert.deepEqual([...guardados.keys()], [...deAgora.keys()].sort());
  });

  for (const nome of guardados.keys()) {
    test(`${nome} é o que os serviços recebem e respondem hoje`, () => {
      assert.deepEqual(normalizar(guardados)[nome], normalizar(deAgora)[nome]);
    });
  }

  test('a pausa de 08 é a do enunciado, e o requestState só aparece do lado MCP', () => {
    for (const [nome, { response }] of guardados) {
      const texto = JSON.stringify(response.body);
      if (nome === '08-a2a-send-message') assert.match(texto, /"alternativas: sala-fusca, sala-mirante"/);
      assert.equal(/requestState/.test(texto), nome === '03-tools-call-conflito-input-required', nome);
    }
  });
});
