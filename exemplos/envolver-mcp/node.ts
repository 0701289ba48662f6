/** `npm run envolver -- --mcp <url> --porta 7400`: o envoltório num processo de Node. */
import { parseArgs } from 'node:util';
import { ErroDeConfiguracao, lerInteiro, lerPorta, lerUrl } from '../../comum/ambiente.ts';
import { criarLog } from '../../comum/log.ts';
import { escreverNoStderr, servir } from '../../comum/node.ts';
import { rodarProcesso } from '../../comum/processo.ts';
import { type Envoltorio, envolver } from './app.ts';

const USO = `Uso: npm run envolver -- --mcp <url> [--porta 7400] [--tempo-limite-ms 60000]
  --mcp              o endpoint Streamable HTTP do servidor MCP, por exemplo http://localhost:7301/mcp
  --porta            onde o agente A2A escuta; 0 pede uma porta livre
  --tempo-limite-ms  quanto esperar por cada resposta do servidor MCP`;

const log = criarLog('envoltorio', escreverNoStderr);

await rodarProcesso(log, async () => {
  const { porta, urlDoMcp, tempoLimiteMs } = lerOpcoes();
  // O card leva a porta real, que com --porta 0 só se conhece depois de escutar.
  let envoltorio: Envoltorio;
  const servidor = await servir(
    { fetch: (request, contexto) => envoltorio.fetch(request, contexto) },
    { porta, host: undefined },
  );
  const urlPublica = `http://localhost:${servidor.porta}`;
  envoltorio = envolver({ urlPublica, urlDoMcp, tempoLimiteMs, escrever: escreverNoStderr });
  log('ouvindo', { porta: servidor.porta, caminho: '/a2a', mcp: urlDoMcp });
  // Só para dizer logo o que se achou: um servidor fora do ar não impede o agente de subir, e o log diz por quê.
  await envoltorio.lerCard().catch(() => undefined);
  return {
    porta: servidor.porta,
    async parar() {
      await servidor.parar();
      await envoltorio.fechar();
    },
  };
});

function lerOpcoes(): { porta: number; urlDoMcp: string; tempoLimiteMs: number } {
  const opcoes = {
    mcp: { type: 'string' },
    porta: { type: 'string' },
    'tempo-limite-ms': { type: 'string' },
  } as const;
  let values: ReturnType<typeof parseArgs<{ options: typeof opcoes }>>['values'];
  try {
    ({ values } = parseArgs({ options: opcoes }));
  } catch {
    throw new ErroDeConfiguracao(USO);
  }
  if (!values.mcp) throw new ErroDeConfiguracao(USO);
  return {
    porta: lerPorta({ '--porta': values.porta }, '--porta', 7400),
    urlDoMcp: lerUrl({ '--mcp': values.mcp }, '--mcp', ''),
    tempoLimiteMs: lerInteiro({ '--tempo-limite-ms': values['tempo-limite-ms'] }, '--tempo-limite-ms', {
      padrao: 60_000,
      minimo: 100,
      maximo: 3_600_000,
    }),
  };
}
