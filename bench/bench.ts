/**
 * `npm run bench`: tudo lado a lado numa execução só. Com `-- --json`, o mesmo num documento JSON.
 * Sai com 1 se algum alvo não for cumprido. Com `--rapido`, poucas iterações: serve para ver se o bench funciona.
 * Com `--perfil`, em vez da tabela, de quem é a CPU de uma reserva.
 */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { conferirAlvos } from './alvos.ts';
import { type Bancada, montar } from './bancada.ts';
import { construir } from './construir.ts';
import { medirInicio } from './inicio.ts';
import { descreverLinhas, type Linha } from './linhas.ts';
import { COMPLETAS, RAPIDAS } from './medidas.ts';
import { medirMemoria } from './memoria.ts';
import { imprimirPerfil, medirPerfil } from './perfil.ts';
import { emitir, rodar } from './rodadas.ts';
import { imprimir, relatar } from './tabela.ts';

/** Para tudo acabar em menos de quatro minutos. */
const PRAZO_MS = 220_000;

/** Se nem assim acabar, é porque alguém parou de responder. */
const LIMITE_MS = 238_000;

const { json, rapido, perfil } = lerOpcoes();
const medidas = rapido ? RAPIDAS : COMPLETAS;
const avisar = (texto: string): void => console.error(`bench: ${texto}`);

const pasta = mkdtempSync(join(tmpdir(), 'a-ponte-bench-'));
// Acabe como acabar: os processos medidos param sozinhos quando este sai, e quem sobe um de outro jeito o derruba em `exit`.
process.once('exit', () => rmSync(pasta, { recursive: true, force: true, maxRetries: 5 }));
process.once('SIGINT', () => process.exit(130));
process.once('SIGTERM', () => process.exit(143));
setTimeout(() => {
  avisar('não acabou a tempo: algum processo parou de responder');
  process.exit(1);
}, LIMITE_MS).unref();

console.log(perfil ? await perfilar() : await comparar());

function lerOpcoes(): { json: boolean; rapido: boolean; perfil: boolean } {
  const opcao = { type: 'boolean', default: false } as const;
  try {
    const { values } = parseArgs({ options: { json: opcao, rapido: opcao, perfil: opcao } });
    if (values.json && values.perfil) throw new Error('--perfil não tem forma em JSON');
    return values;
  } catch (erro) {
    console.error(`bench: ${(erro as Error).message}. As opções são --json, --perfil e --rapido`);
    process.exit(2);
  }
}

async function perfilar(): Promise<string> {
  avisar('gravando o perfil');
  return imprimirPerfil(await medirPerfil(pasta, medidas.reservasDoPerfil));
}

async function comparar(): Promise<string> {
  const prazo = performance.now() + PRAZO_MS;
  let bancada: Bancada | undefined;
  try {
    avisar('empacotando');
    const construido = await construir(pasta, medidas.agendas);
    avisar('medindo a partida');
    const inicio = await medirInicio(construido, pasta, medidas.partidas);
    bancada = await montar(construido, pasta, medidas);
    avisar('medindo a memória');
    const memoria = await medirMemoria(bancada, medidas);
    const linhas = descreverLinhas(bancada, medidas);
    const { resultados, feitas } = await rodar(linhas, medidas, prazo, avisar);
    const requestsPorReserva = await contarRequests(linhas, bancada.mcp.processo.log);
    const alvos = conferirAlvos(resultados, medidas, { inicio, memoria, requestsPorReserva });
    if (alvos.some(({ ok }) => !ok)) process.exitCode = 1;
    const relatorio = relatar(linhas, resultados, { rodadas: feitas, inicio, memoria, alvos });
    return json ? JSON.stringify(relatorio, null, 2) : imprimir(relatorio);
  } finally {
    await bancada?.derrubar();
  }
}

/** Quantas linhas o servidor MCP registrou por reserva do agente, logo depois de uma que renovou o que estivesse vencido. */
async function contarRequests(linhas: readonly Linha[], log: string): Promise<number> {
  const linha = linhas.find(({ id }) => id === 'a2a-reservar') as Linha;
  const contar = (): number => readFileSync(log, 'utf8').split('\n').length;
  await emitir(linha, 1);
  const antes = contar();
  await emitir(linha, 20);
  return (contar() - antes) / 20;
}
