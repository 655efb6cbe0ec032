/** Titles may stand above a table. */
const EXAMINED_LINES = 20
const SHOWN_CHARACTERS = 30

/**
 * Finds a line that only tables for people have: the border of a box (MySQL, DuckDB, `+---+---+`), the line
 * below the header of psql, Markdown and Org, or a row written as a list. Such lines may also stand in a
 * quoted cell, so that nothing behind a quote counts.
 * @param text the beginning of a file
 * @returns the beginning of the line; undefined for any other text
 */
export function findDrawnLine(text: string): string | undefined {
  const unquoted = text.split(/["']/, 1)[0] ?? ''
  const lines = unquoted
    .split(/[\r\n]+/, EXAMINED_LINES)
    .map((line) => line.trim())
    .filter((line) => line !== '')
  const isFirst = (line: string) => line === lines[0] && /^={2,}(?: +={2,})+$/.test(line)
  return lines
    .find((line) => isBorder(line) || isRecordTitle(line) || isFirst(line))
    ?.slice(0, SHOWN_CHARACTERS)
}

/** Whether a line has only dashes and what joins them. */
function isBorder(line: string): boolean {
  if (!/^[-=+|:_ \u2500-\u257F]+$/.test(line)) return false
  if (line.startsWith('|') && line.endsWith('|')) return /[-=]/.test(line)
  return (line.includes('+') && /-{3}|={3}/.test(line)) || /[\u2500-\u257F]{3}/.test(line)
}

/** `-[ RECORD 1 ]---` of psql, `*** 1. row ***` of MySQL */
function isRecordTitle(line: string): boolean {
  return /^-\[ RECORD \d{1,9} \]|^\*{3,} \d{1,9}\. row \*{3,}$/.test(line)
}
