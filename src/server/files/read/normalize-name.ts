/** A name for comparison as `normalizeName` does it, without what stands in parentheses, such as a unit. */
export function normalizeNameWithoutUnit(name: string): string {
  return normalizeName(name.replace(/\([^()]*\)/g, ''))
}

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
