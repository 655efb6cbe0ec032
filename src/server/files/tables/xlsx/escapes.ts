import { MAX_CELL_CHARACTERS, cellTooLong } from '../workbook'

/** Of a cell as it is written: an escape takes seven characters. */
export const MAX_ESCAPED_CHARACTERS = 7 * MAX_CELL_CHARACTERS

/**
 * Characters that XML does not have are written `_x000D_`, and `_x005F_` is the underline of such a text.
 * @throws FileError for a text that is longer than Excel allows
 */
export function unescapeText(text: string, row: number | null): string {
  const plain = text.includes('_x') ? unescapeAll(text) : text
  if (plain.length > MAX_CELL_CHARACTERS) throw cellTooLong(row)
  return plain
}

function unescapeAll(text: string): string {
  return text.replace(/_x([\dA-Fa-f]{4})_/g, (_, code: string) =>
    String.fromCharCode(Number.parseInt(code, 16)),
  )
}
