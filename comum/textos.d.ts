/** Um arquivo de texto importado com `with { type: 'text' }`: Bun, Deno e esbuild entendem; o Node ainda não. */
declare module '*.md' {
  const texto: string;
  export default texto;
}
