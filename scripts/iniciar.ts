/**
 * `npm start`: os dois processos num terminal só. Cuida do segredo (cria um em `.env` se não houver), prefixa nada
 * (cada linha já diz de quem é), repassa sinais, e se um dos dois cai, derruba o outro.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { appendFileSync, chmodSync, existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { ErroDeConfiguracao } from '../comum/ambiente.ts';
import { carregarDotEnv } from '../comum/dotenv-do-node.ts';

try {
  // Uma variável vazia é uma variável por preencher: não pode esconder a que está em .env.
  if (!process.env.REQUEST_STATE_SECRET) delete process.env.REQUEST_STATE_SECRET;
  carregarDotEnv();
  if (!process.env.REQUEST_STATE_SECRET) criarSegredo();
} catch (erro) {
  if (!(erro instanceof ErroDeConfiguracao)) throw erro;
  console.error(erro.message);
  process.exit(1);
}

let parando = false;
const servidorMcp = subir('servidor-mcp');
const agente = subir('agente');
agente.once('exit', () => servidorMcp.kill());
servidorMcp.once('exit', () => agente.kill());
for (const sinal of ['SIGTERM', 'SIGINT'] as const) {
  process.on(sinal, () => {
    parando = true;
    // Só o agente: o que ele ainda responde precisa do servidor MCP, que sai em seguida.
    agente.kill();
  });
}

/**
 * Cada processo fica num grupo seu, para que o Ctrl-C de um terminal chegue só aqui. O canal de IPC é para o contrário:
 * se este processo morrer sem aviso, ele fecha, e os dois param sozinhos.
 */
function subir(nome: string): ChildProcess {
  const processo = spawn(process.execPath, [fileURLToPath(new URL(`./${nome}.js`, import.meta.url))], {
    stdio: ['inherit', 'inherit', 'inherit', 'ipc'],
    detached: true,
  });
  processo.once('exit', (codigo) => {
    process.exitCode ||= codigo ?? (parando ? 0 : 1);
  });
  return processo;
}

function criarSegredo(): void {
  const segredo = randomBytes(32).toString('hex');
  try {
    // A última linha de um .env escrito à mão pode não ter quebra no fim.
    const antes = existsSync('.env') ? '\n' : '';
    appendFileSync('.env', `${antes}REQUEST_STATE_SECRET=${segredo}\n`, { mode: 0o600 });
    chmodSync('.env', 0o600);
  } catch (erro) {
    const { code } = erro as NodeJS.ErrnoException;
    throw new ErroDeConfiguracao(
      `Não foi possível guardar REQUEST_STATE_SECRET em .env (${code}): exporte uma`,
    );
  }
  process.env.REQUEST_STATE_SECRET = segredo;
  console.error(
    'REQUEST_STATE_SECRET não estava definida: criei uma e guardei em .env (fora do git, só você lê)',
  );
}
