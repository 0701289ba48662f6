// Empacota cada processo num arquivo só: no Node 20 isso sobe mais rápido do que qualquer outra forma de rodar
// TypeScript, e o resto do repositório continua sem passo de build. O `prepare` do npm chama isto; os testes também,
// com outra pasta de destino.
import { rmSync } from 'node:fs';
import { build } from 'esbuild';

const destino = process.argv[2] ?? 'dist';

rmSync(destino, { recursive: true, force: true });
await build({
  entryPoints: {
    'servidor-mcp': 'servidor-mcp/node.ts',
    agente: 'agente/node.ts',
    iniciar: 'scripts/iniciar.ts',
  },
  outdir: destino,
  bundle: true,
  // Os identificadores ficam: são os nomes que aparecem nas pilhas de erro. `minify` com `keepNames` também os manteria,
  // mas renomeia cada função quando ela é criada, e isso custa um sétimo de cada request.
  minifyWhitespace: true,
  minifySyntax: true,
  platform: 'node',
  format: 'esm',
  target: 'node20',
  logLevel: 'warning',
});
