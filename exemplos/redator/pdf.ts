/** PDFs de uma página, só com texto: o bastante para haver bytes de verdade numa Part `raw`. */

/** Um PDF 1.4 com uma linha de texto por item. @returns os bytes em base64. */
export function criarPdf(linhas: readonly string[]): string {
  const texto = linhas.map((linha) => `(${linha.replace(/[\\()]/g, '\\$&')}) Tj T*`).join('\n');
  const conteudo = `BT /F1 12 Tf 16 TL 72 770 Td\n${texto}\nET`;
  const objetos = [
    '<< /Type /Catalog /Pages 2 0 R >>',
    '<< /Type /Pages /Kids [3 0 R] /Count 1 >>',
    '<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Contents 4 0 R /Resources << /Font << /F1 5 0 R >> >> >>',
    `<< /Length ${conteudo.length} >>\nstream\n${conteudo}\nendstream`,
    '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding /WinAnsiEncoding >>',
  ];
  let pdf = '%PDF-1.4\n';
  const posicoes = objetos.map((objeto, i) => {
    const posicao = pdf.length;
    pdf += `${i + 1} 0 obj\n${objeto}\nendobj\n`;
    return `${String(posicao).padStart(10, '0')} 00000 n \n`;
  });
  const tabela = `xref\n0 ${objetos.length + 1}\n0000000000 65535 f \n${posicoes.join('')}`;
  // Cada caractere é um byte: o português cabe todo no Latin-1.
  return btoa(
    `${pdf}${tabela}trailer\n<< /Size ${objetos.length + 1} /Root 1 0 R >>\nstartxref\n${pdf.length}\n%%EOF\n`,
  );
}

/**
 * O texto de um PDF sem compressão.
 * @param base64 os bytes, como vêm na Part `raw`.
 * @returns as linhas; vazio se não for um PDF, ou se este leitor não achar texto nele.
 */
export function lerPdf(base64: string): readonly string[] {
  const bytes = atob(base64.replaceAll('-', '+').replaceAll('_', '/'));
  if (!bytes.startsWith('%PDF-')) return [];
  return Array.from(bytes.matchAll(TEXTO_OU_RESTO), ([, texto = '', mostrado]) =>
    mostrado ? [texto.replace(/\\(.)/gs, '$1')] : [],
  ).flat();
}

/** Também casa com o que não é um texto mostrado, para passar por ele uma vez só: um PDF hostil custa o seu tamanho. */
const TEXTO_OU_RESTO = /\\.|\(((?:\\.|[^\\()])*)(\) Tj)?/gs;
