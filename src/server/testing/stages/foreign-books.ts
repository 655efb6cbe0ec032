import { parse } from 'csv-parse/sync'

import { AUTOMATIC_READING } from '../../../shared/automatic-reading'
import type { Origin } from '../../../shared/schemas/file'
import type { SourceReading } from '../../../shared/schemas/source-reading'
import { decodeBody } from '../../files/fetch/decoded-body'
import { FileError } from '../../files/file-error'
import { openOds } from '../../files/tables/ods'
import { workbookFormOf } from '../../files/tables/recognize'
import { recognizeText, type TextForm } from '../../files/tables/recognize-text'
import type { Workbook } from '../../files/tables/workbook'
import { openXlsx } from '../../files/tables/xlsx'
import { inChunks, readAll } from '../fixtures/file-fixtures'
import { archiveOf, openMemoryScratch } from '../fixtures/workbooks'
import { contentOf, ingestForeign, MAX_FOREIGN_BYTES, withPlainLineEnds } from './foreign-files'
import { openDocument } from './text-documents'

/** A workbook or an archive, with what a reader has to find in it: tools/foreign-tables/write-books.py. */
export interface ForeignBook {
  name: string
  kind: string
  writer: string
  /** Whether it belongs to the half that is only counted. */
  isHeldOut: boolean
  /** Of a workbook: each sheet from A1 on, without the empty ends of rows and of the sheet. */
  sheets?: { name: string; isHidden: boolean; rows: string[][] }[]
  /** The table that is read without a choice, with its header; null if the file has to be refused. */
  rows: string[][] | null
  /** The sheets that it is read from without a choice, if they are known. */
  read?: string[] | null
  /** The file of an archive that is read without a choice. */
  member?: string | null
  /** What the supplier has to be told. */
  notes: Note[]
  /** A choice, and what is read with it. */
  choice: { reading: Partial<SourceReading>; rows: string[][] } | null
}

/** How each note is recognised. */
const NOTES = {
  errors: /error of a formula/,
  titles: /before the table/,
  totals: /looks like totals/,
  'other sheets': /also has/,
  'hidden rows': /^Hidden rows/,
  'hidden columns': /^Hidden columns/,
  'second header': /second header/,
  'repeated header': /repeat the header/,
  'damaged digits': /15 digits/,
  'no results': /without a stored result/,
  'guessed charset': /^Read as/,
} as const
type Note = keyof typeof NOTES

/**
 * What became of a file. right: its cells and its notes. untold: its cells, without a note. told: other cells, and
 * a note besides the expected ones. silent: other cells, without such a note. failed: an error that is none of
 * the file.
 */
export type Verdict = 'right' | 'untold' | 'told' | 'silent' | 'refused' | 'failed'

export interface Judgement {
  verdict: Verdict
  /** The first difference, the missing notes, or the error. */
  detail: string
}

/** Reads a file as a sync does, without a choice. */
export function judge(book: ForeignBook, bytes: Buffer): Promise<Judgement> {
  return judgeRows(bytes, AUTOMATIC_READING, book)
}

/** Reads a file with the choice that a supplier would make, or without one if there is none to make. */
export function judgeChosen(book: ForeignBook, bytes: Buffer): Promise<Judgement> {
  const { choice } = book
  if (!choice) return judge(book, bytes)
  return judgeRows(
    bytes,
    { ...AUTOMATIC_READING, ...choice.reading },
    { rows: choice.rows, notes: [] },
  )
}

type Expected = Pick<ForeignBook, 'rows' | 'notes' | 'read' | 'member'>

async function judgeRows(
  bytes: Buffer,
  reading: SourceReading,
  { rows: expected, notes, ...place }: Expected,
): Promise<Judgement> {
  try {
    const { rows, problems, origin } = await ingestForeign(bytes, reading)
    const messages = problems.map(({ message }) => message)
    const isExpected = (message: string) => notes.some((note) => NOTES[note].test(message))
    const wrong = expected
      ? (findFirstWrong(rows, expected) ?? wrongPlace(origin, place))
      : 'it was not refused'
    if (wrong !== null) {
      const isTold = messages.some((message) => !isExpected(message))
      return { verdict: isTold ? 'told' : 'silent', detail: [wrong, ...messages].join('; ') }
    }
    const untold = notes.filter((note) => !messages.some((message) => NOTES[note].test(message)))
    if (untold.length === 0) return { verdict: 'right', detail: messages.join('; ') }
    return { verdict: 'untold', detail: [`not told: ${untold.join(', ')}`, ...messages].join('; ') }
  } catch (error) {
    if (!(error instanceof FileError)) return { verdict: 'failed', detail: String(error) }
    const detail = `${error.code}: ${error.message}`
    return { verdict: expected ? 'refused' : 'right', detail }
  }
}

/**
 * How each sheet of a workbook differs from what is in it, cell by cell and row by row.
 * @throws FileError
 */
export async function compareSheets(book: ForeignBook, bytes: Buffer): Promise<string[]> {
  const workbook = await openBook(bytes)
  const describe = (sheets: readonly { name: string; isHidden: boolean }[]) =>
    JSON.stringify(sheets.map(({ name, isHidden }) => [name, isHidden]))
  const expected = book.sheets ?? []
  if (describe(workbook.sheets) !== describe(expected)) {
    return [`sheets ${describe(workbook.sheets)} for ${describe(expected)}`]
  }
  const differences: string[] = []
  for (const [index, sheet] of workbook.sheets.entries()) {
    const text = (await readAll(workbook.open(sheet).read())).toString()
    const rows = (
      parse(text, { relax_column_count: true, skip_empty_lines: false }) as string[][]
    ).map(trimmed)
    while (rows.length > 0 && rows.at(-1)?.length === 0) rows.pop()
    const wrong = findFirstWrong(rows, expected[index]?.rows ?? [])
    if (wrong !== null) differences.push(`${sheet.name}: ${wrong}`)
  }
  return differences
}

async function openBook(bytes: Buffer): Promise<Workbook> {
  const whole = await readAll(decodeBody(contentOf(bytes), MAX_FOREIGN_BYTES))
  const { form } = await recognizeText(whole.subarray(0, 8), inChunks(whole))
  if (form) return openDocument(form as TextForm, whole)
  const archive = await archiveOf(whole)
  const open = (await workbookFormOf(archive)) === 'ods' ? openOds : openXlsx
  return open(archive, { maxBytes: MAX_FOREIGN_BYTES, openScratch: openMemoryScratch })
}

/** Two tables are the same without columns that have neither a name nor a cell. */
function findFirstWrong(found: string[][], expected: string[][]): string | null {
  const [rows, truth] = [withoutEmptyColumns(found), withoutEmptyColumns(expected)]
  for (let line = 0; line < Math.max(rows.length, truth.length); line++) {
    const [row, other] = [rows[line], truth[line]]
    if (!row || !other)
      return `${rows.length} rows for ${truth.length}, from ${JSON.stringify((row ?? other)?.slice(0, 6))} on`
    for (let column = 0; column < Math.max(row.length, other.length); column++) {
      if (withPlainLineEnds(row[column]) === withPlainLineEnds(other[column])) continue
      return `row ${line + 1}, column ${column + 1}: ${JSON.stringify(row[column])} for ${JSON.stringify(other[column])}`
    }
  }
  return null
}

function wrongPlace(
  { sheets, member }: Pick<Origin, 'sheets' | 'member'>,
  expected: Pick<Expected, 'read' | 'member'>,
): string | null {
  const isRead = !expected.read || JSON.stringify(sheets) === JSON.stringify(expected.read)
  const isMember = !expected.member || member === expected.member
  return isRead && isMember ? null : `it was read from ${JSON.stringify({ sheets, member })}`
}

function withoutEmptyColumns(rows: string[][]): string[][] {
  const filled = new Set(
    rows.flatMap((row) => row.flatMap((cell, column) => (cell === '' ? [] : [column]))),
  )
  return rows.map((row) => row.filter((_, column) => filled.has(column)))
}

function trimmed(row: string[]): string[] {
  return row.slice(0, row.findLastIndex((cell) => cell !== '') + 1)
}
