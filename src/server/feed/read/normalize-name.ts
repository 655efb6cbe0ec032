/** A column name for comparison: lower-case letters without accents, and digits; nothing else. */
export function normalizeName(name: string): string {
  return name
    .normalize('NFD')
    .toLowerCase()
    .replaceAll('ł', 'l')
    .replaceAll('ø', 'o')
    .replaceAll('ß', 'ss')
    .replace(/[^\p{L}\p{N}]/gu, '')
}
