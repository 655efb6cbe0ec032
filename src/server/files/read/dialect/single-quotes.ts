import type { SampleRows } from './sample-rows'

/** Enough to see how cells begin. */
const EXAMINED_BYTES = 64 * 1024
/** One such cell may be a quotation. */
const MIN_QUOTED_CELLS = 2

/** Whether any cell may begin with a single quote, so that it is worth a closer look. */
export function mayHaveSingleQuotes(text: Buffer): boolean {
  return /(?:^|[\n\r,;\t|~]) *'/.test(text.toString('latin1', 0, EXAMINED_BYTES))
}

/**
 * Whether single quotes enclose the cells of a table that was split by them: all filled cells of a
 * column begin and end with one. An apostrophe in a word or a number (men's, 5' 3) begins no cell, and
 * one before a word or a number ('tis, '00123) ends none.
 * @param sample the first rows, in the quoting mode `single`
 */
export function areCellsInSingleQuotes({ rows, unwrapped, hasFailed }: SampleRows): boolean {
  if (hasFailed || rows.some((row) => row.some(isInDoubleQuotes))) return false
  const body = rows.slice(1)
  return unwrapped.some((count, column) => {
    const filled = body.filter((row) => (row[column] ?? '').trim() !== '').length
    return count >= MIN_QUOTED_CELLS && count >= filled
  })
}

const isInDoubleQuotes = (cell: string) => /^".*"$/s.test(cell)
