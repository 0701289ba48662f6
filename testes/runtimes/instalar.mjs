// `npm run runtimes`: instala os runtimes em runtimes/, uma pasta só deles. Um `node` no .bin do projeto trocaria o Node
// com que o npm roda os scripts.
import { execFileSync } from 'node:child_process';
import { copyFileSync, existsSync, mkdirSync, readFileSync } from 'node:fs';

const aqui = (arquivo) => new URL(arquivo, import.meta.url);
const LOCK = aqui('package-lock.json');
// Só existe depois de uma instalação que foi até o fim: o npm apaga node_modules antes de começar.
const INSTALADO = 'runtimes/node_modules/.instalado';

if (!existsSync(INSTALADO) || readFileSync(INSTALADO, 'utf8') !== readFileSync(LOCK, 'utf8')) {
  mkdirSync('runtimes', { recursive: true });
  copyFileSync(aqui('package.json'), 'runtimes/package.json');
  copyFileSync(LOCK, 'runtimes/package-lock.json');
  execFileSync('npm', ['ci', '--prefix', 'runtimes', '--no-audit', '--no-fund'], { stdio: 'inherit' });
  copyFileSync(LOCK, INSTALADO);
}
