/** `npm run exemplos`: sobe os dois processos, joga o cenário e grava exemplos/wire/ de novo. */
import { randomBytes } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { jogarCenario } from '../exemplos/cenario.ts';
import { type Servico, subirAgente, subirServidorMcp } from '../testes/processos.ts';

const mcp = await subirServidorMcp({ REQUEST_STATE_SECRET: randomBytes(32).toString('hex') });
let agente: Servico | undefined;
try {
  agente = await subirAgente(mcp.url);
  const exemplos = await jogarCenario({
    agente: `http://localhost:${agente.porta}`,
    mcp: `http://localhost:${mcp.porta}`,
  });
  for (const [nome, exemplo] of exemplos) {
    const arquivo = new URL(`../exemplos/wire/${nome}.json`, import.meta.url);
    writeFileSync(arquivo, `${JSON.stringify(exemplo, null, 2)}\n`);
  }
  console.log(`${exemplos.size} exemplos gravados em exemplos/wire/`);
} finally {
  await Promise.all([agente?.parar(), mcp.parar()]);
}
