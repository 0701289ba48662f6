// Empacota cada worker num módulo só, para o workerd ou para qualquer plataforma que aceite um módulo com `fetch`.
import { build } from 'esbuild';

await build({
  entryPoints: {
    'servidor-mcp': 'servidor-mcp/workerd.ts',
    'servidor-mcp-duravel': 'servidor-mcp/duravel/workerd.ts',
    agente: 'agente/workerd.ts',
    'agente-duravel': 'agente/duravel/workerd.ts',
  },
  outdir: process.argv[2] ?? 'dist/workerd',
  bundle: true,
  format: 'esm',
  platform: 'browser',
  conditions: ['workerd', 'worker'],
  external: ['cloudflare:workers'],
  target: 'es2022',
  logLevel: 'warning',
});
