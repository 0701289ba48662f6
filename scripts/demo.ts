/**
 * `npm run demo`: conversa com os processos no ar e conta quem mandou o quê a quem.
 *
 * De fora não se vê o que o agente no ar manda ao servidor MCP, e daqui não se vai ficar no meio. Por isso cada conversa
 * acontece duas vezes: com um gêmeo do agente, neste processo, ligado ao servidor MCP no ar, que deixa ver os dois lados;
 * e com o agente no ar, que precisa chegar aos mesmos estados e textos.
 */
import { lerAmbienteDoAgente } from '../agente/ambiente.ts';
import { criarHostMcp, ServidorMcpIndisponivel } from '../agente/host-mcp.ts';
import { ErroDeConfiguracao } from '../comum/ambiente.ts';
import { carregarDotEnv } from '../comum/dotenv-do-node.ts';
import { novoTraceparent, traceparentFilho } from '../comum/traceparent.ts';
import { type Buscar, conectar } from '../exemplos/cliente/cliente-a2a.ts';
import { type Horario, horario, procurarDiaLivre } from './demo/dia-livre.ts';
import { criarGemeo, URL_DO_GEMEO } from './demo/gemeo.ts';
import { criarNarrador, type Narrador } from './demo/narrador.ts';

const COMO_SUBIR = 'Suba os dois processos com: npm start';
const HORA_DO_GEMEO = 10;
const HORA_DO_NO_AR = 14;
/** A pedida e as duas que a substituem: com elas livres, a conversa é sempre a mesma. */
const SALAS = ['sala-garagem', 'sala-fusca', 'sala-mirante'];

/** Uma conversa: o que o cliente diz, uma fala por vez, na mesma Task. */
interface Conversa {
  readonly titulo: string;
  readonly falas: (quando: Horario) => readonly string[];
}

const pedir = (sala: string, responsavel: string, { inicio, fim }: Horario): string =>
  `reservar sala=${sala} inicio=${inicio} fim=${fim} responsavel=${responsavel}`;

const CONVERSAS: readonly Conversa[] = [
  {
    titulo: '1. Sala livre: a Task conclui direto',
    falas: (quando) => [pedir('sala-garagem', 'Marty', quando)],
  },
  {
    titulo:
      '2. Sala ocupada: a Task pausa; uma escolha que não foi oferecida mantém a pausa, a outra conclui',
    falas: (quando) => [
      pedir('sala-garagem', 'Doc Brown', quando),
      'escolha=sala-aquario',
      'escolha=sala-mirante',
    ],
  },
  {
    titulo: '3. Sala ocupada: a Task pausa e o cliente recusa',
    falas: (quando) => [pedir('sala-garagem', 'Jennifer', quando), 'escolha=recusar'],
  },
  {
    titulo: '4. Sala que não existe: o erro da ferramenta termina a Task',
    falas: (quando) => [pedir('sala-inexistente', 'Biff', quando)],
  },
];

/** Um dos processos não atende: a mensagem diz qual, e o que fazer. */
class ForaDoAr extends Error {}

// Quem lê pode parar antes do fim (`npm run demo | head`).
process.stdout.on('error', () => process.exit(1));

await rodar().catch((erro) => {
  if (!(erro instanceof ForaDoAr || erro instanceof ErroDeConfiguracao)) throw erro;
  console.error(erro.message);
  process.exitCode = 1;
});

async function rodar(): Promise<void> {
  carregarDotEnv();
  const { porta, urlDoMcp, tempoLimiteMs, urlPublica } = lerAmbienteDoAgente(process.env);
  const urlDoAgente = urlPublica(porta);
  await exigirAgente(urlDoAgente);
  const dia = await acharDia(urlDoMcp, tempoLimiteMs);

  const narrador = criarNarrador((linha) => console.log(linha));
  const gemeo = criarGemeo(urlDoMcp, tempoLimiteMs, narrador);
  narrador.nota(`servidor MCP   ${urlDoMcp}, no ar`);
  narrador.nota('agente         um gêmeo do que está no ar, neste processo, para se ver o que ele manda');
  narrador.nota(`agente no ar   ${urlDoAgente}: repete cada conversa, noutra hora, e é comparado`);
  narrador.nota(`dia            ${dia}, o primeiro que o servidor MCP diz estar livre`);

  for (const { titulo, falas } of CONVERSAS) {
    narrador.titulo(titulo);
    const noGemeo = falas(horario(dia, HORA_DO_GEMEO));
    const visto = await conversar((request) => gemeo.fetch(request), URL_DO_GEMEO, noGemeo, narrador);
    const noAr = await conversar(fetch, urlDoAgente, falas(horario(dia, HORA_DO_NO_AR)));
    const iguais = visto.respostas.join('\n') === noAr.respostas.join('\n');
    narrador.nota(
      iguais
        ? `agente no ar: as mesmas respostas; no stderr do servidor MCP, trace-id ${noAr.traceId}`
        : `agente no ar: OUTRAS respostas: ${noAr.respostas.join(' | ')}`,
    );
    if (!iguais) process.exitCode = 1;
  }
}

/** Diz as falas, uma por vez, na mesma Task e com o mesmo trace-id. Devolve cada estado e texto, sem o número da reserva. */
async function conversar(
  buscar: Buscar,
  url: string,
  falas: readonly string[],
  narrador?: Narrador,
): Promise<{ readonly traceId: string; readonly respostas: readonly string[] }> {
  const trace = novoTraceparent();
  narrador?.nota(`trace-id ${trace.traceId}, no header traceparent do cliente`);
  const cliente = await conectar(url, (request) => {
    request.headers.set('traceparent', traceparentFilho(trace));
    return buscar(request);
  });
  const respostas: string[] = [];
  let taskId: string | undefined;
  for (const fala of falas) {
    narrador?.pedidoA2A(fala, taskId);
    const task = await cliente.enviar([{ text: fala }], { taskId });
    narrador?.respostaA2A(task);
    taskId = task.id;
    const texto = task.status.message?.parts.map(({ text }) => text).join(' ') ?? '';
    respostas.push(`${task.status.state} ${texto.replace(/res-\d+/g, 'res-N')}`);
  }
  return { traceId: trace.traceId, respostas };
}

async function exigirAgente(url: string): Promise<void> {
  await conectar(url).catch(() => {
    throw new ForaDoAr(`Não há agente em ${url}. ${COMO_SUBIR}`);
  });
}

async function acharDia(url: string, tempoLimiteMs: number): Promise<string> {
  const host = criarHostMcp({ nome: 'demo', versao: '1.0.0', url, tempoLimiteMs });
  try {
    return await procurarDiaLivre(host, SALAS, [HORA_DO_GEMEO, HORA_DO_NO_AR]);
  } catch (erro) {
    if (!(erro instanceof ServidorMcpIndisponivel)) throw erro;
    throw new ForaDoAr(`Não há servidor MCP em ${url}. ${COMO_SUBIR}`);
  }
}
