// Empacota cada worker num módulo só, para o workerd ou para qualquer plataforma que aceite um módulo com `fetch`.
// Os testes empacotam também o seu: `construir-workerd.mjs nome=arquivo`.
import { build } from 'esbuild';

await build({
  entryPoints: {
    'servidor-mcp': 'servidor-mcp/workerd.ts',
    'servidor-mcp-duravel': 'servidor-mcp/duravel/workerd.ts',
    agente: 'agente/workerd.ts',
    'agente-duravel': 'agente/duravel/workerd.ts',
    ...Object.fromEntries(process.argv.slice(2).map((par) => par.split('='))),
  },
  outdir: 'dist/workerd',
  bundle: true,
  format: 'esm',
  platform: 'browser',
  conditions: ['workerd', 'worker'],
  external: ['cloudflare:workers'],
  target: 'es2022',
  logLevel: 'warning',
});
