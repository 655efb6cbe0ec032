import type { ProblemLog } from '../problems'
import { countKnownNames, detectHeader } from './header'

/** The lines before a table. */
export interface SkippedLines {
  /** Their length in the decoded text; 0 without any. */
  skipBytes: number
  /** How many they are, a first line `sep=;` included. */
  skipLines: number
  /** The beginning of the first of them, for a message; null for a line `sep=;` alone. */
  skippedText: string | null
}

/** A title or comments are shorter than this many lines. */
const MAX_PREAMBLE_ROWS = 20
/** Of a table with fewer columns, a title cannot be told from a header of fewer cells. */
const MIN_COLUMNS_BELOW_TITLE = 3
/** Of the rows, how many must have the same width for a table to be recognised below a title. */
const MIN_REGULARITY = 0.8

/**
 * How many of the first rows are not part of the table: titles, which have at most half as many cells
 * as the table, or as many of which only the first is filled, and comments, which begin with `#` or `//`
 * and have fewer cells.
 */
export function countPreamble(rows: string[][]): number {
  const width = commonWidth(rows)
  if (width < 2) return 0
  const start = rows.findIndex((row) => !isTitle(row, width) && !isComment(row, width))
  if (start <= 0 || start > MAX_PREAMBLE_ROWS) return 0
  const table = rows.slice(start)
  const regular = table.filter((row) => row.length === width).length
  const isTable = regular >= 2 && regular >= MIN_REGULARITY * table.length
  // A title stands above a header: otherwise it is itself the header, split by another delimiter.
  return isTable && detectHeader(table) ? start : 0
}

/**
 * The same for the rows of a sheet, which end with their last filled cell: titles have at most half as many
 * filled cells as most rows have, and so may have names and values beside each other.
 */
export function countSheetPreamble(rows: string[][]): number {
  const filled = rows.map((row) => row.filter((cell) => cell.trim() !== '').length)
  const width =
    filled.toSorted((one, other) => one - other)[Math.floor(filled.length * WIDE_ROWS)] ?? 0
  const isTitleOrBlank = (row: string[], index: number) =>
    (filled[index] ?? 0) * 2 <= width && countKnownNames(row) < 2
  const start = rows.findIndex((row, index) => !isTitleOrBlank(row, index))
  if (width < 2 || start <= 0 || start > MAX_PREAMBLE_ROWS) return 0
  return detectHeader(rows.slice(start)) ? start : 0
}

/** Of the rows, how many have fewer filled cells than those by which a table is recognised. */
const WIDE_ROWS = 0.7

/** The number of cells that the most rows have. */
function commonWidth(rows: string[][]): number {
  const counts = new Map<number, number>()
  for (const { length } of rows) counts.set(length, (counts.get(length) ?? 0) + 1)
  return [...counts].reduce((best, next) => (next[1] > best[1] ? next : best), [0, 0])[0]
}

function isTitle(row: string[], width: number): boolean {
  if (width < MIN_COLUMNS_BELOW_TITLE) return false
  const isFilled = row.slice(1).some((cell) => cell.trim() !== '')
  if (row.length === width) return !isFilled
  const isShort = row.length <= width / 2
  // A header that is far too short is refused with its line, instead of being lost.
  return isShort && countKnownNames(row) < 2
}

function isComment([first = '', ...others]: string[], width: number): boolean {
  return /^\s*(?:#|\/\/)/.test(first) && others.length + 1 < width
}

const LINE_FEED = 0x0a
const CARRIAGE_RETURN = 0x0d

/** Where a line begins, after `count` others. */
export function offsetOfLine(bytes: Buffer, count: number): number {
  let at = 0
  for (let line = 0; line < count && at < bytes.length; at++) {
    const isReturn = bytes[at] === CARRIAGE_RETURN
    if (bytes[at] === LINE_FEED || (isReturn && bytes[at + 1] !== LINE_FEED)) line++
  }
  return at
}

const SHOWN_CHARACTERS = 60
/** What the empty cells at the end of a title consist of. */
const EMPTY_CELLS = ';,\t|~ '

/** The beginning of the first line of decoded bytes, for a message. */
export function toFirstLine(bytes: Buffer): string {
  const start = bytes.toString('utf8', 0, 4 * SHOWN_CHARACTERS).trim()
  const line = (start.split(/[\r\n]/, 1)[0] ?? '').replaceAll('"', '')
  let end = Math.min(line.length, SHOWN_CHARACTERS)
  while (end > 0 && EMPTY_CELLS.includes(line[end - 1] ?? '')) end--
  return line.slice(0, end).toWellFormed()
}

/** Tells which lines before the table were skipped, if any. */
export function reportSkippedLines(
  { skipLines, skippedText }: SkippedLines,
  problems: ProblemLog,
  { isSheet = false }: { isSheet?: boolean } = {},
): void {
  if (skipLines === 0) return
  const line = isSheet ? 'row' : 'line'
  const what =
    skipLines === 1
      ? `The ${line} before the table has fewer cells and was skipped`
      : `The ${skipLines} ${line}s before the table have fewer cells and were skipped`
  const message =
    skippedText === null
      ? 'The first line (sep=) was left out; it is not part of the table.'
      : `${what}: “${skippedText}”${skipLines === 1 ? '.' : ' …'}`
  problems.add(1, message, { setting: 'skipLines' })
}
