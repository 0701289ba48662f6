export async function equivalencia(): Promise<string> {
  return 'x';
}
