/** A name without what stands in parentheses, such as a unit. */
export const withoutUnit = (name: string): string => name.replace(/\([^()]*\)/g, '')

/** A name for comparison as `normalizeName` does it, without a unit. */
export const normalizeNameWithoutUnit = (name: string): string => normalizeName(withoutUnit(name))

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
