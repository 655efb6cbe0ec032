import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { parse } from 'csv-parse/sync'

import { AUTOMATIC_READING, AUTOMATIC_ROLES } from '../../../shared/automatic-reading'
import type { Origin } from '../../../shared/schemas/file'
import type { SourceReading } from '../../../shared/schemas/source-reading'
import { compressionOf } from '../../files/fetch/decompress'
import { FileError } from '../../files/file-error'
import { openArchive } from '../../files/tables/archive'
import { openOds } from '../../files/tables/ods'
import { workbookFormOf } from '../../files/tables/recognize'
import { openXlsx } from '../../files/tables/xlsx'
import { localFiles } from '../../files/task-files'
import { runTask } from '../../files/tasks/tasks'
import { inChunks, readAll } from '../fixtures/file-fixtures'

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

const MAX_BYTES = 256 * 1024 * 1024
const { signal } = new AbortController()

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
    const { rows, messages, origin } = await ingest(bytes, reading)
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

async function ingest(bytes: Buffer, reading: SourceReading) {
  const folder = await mkdtemp(join(tmpdir(), 'foreign-book-'))
  const names = ['source', 'table', 'rewritten', 'keys', 'keyRuns', 'gone'] as const
  const drafts = Object.fromEntries(names.map((name) => [name, join(folder, name)])) as Record<
    (typeof names)[number],
    string
  >
  try {
    const result = await runTask(
      'ingest',
      {
        drafts,
        keys: { roles: AUTOMATIC_ROLES, stockTexts: [] },
        categoryReading: null,
        reading,
        previousEncoding: null,
      },
      { files: localFiles, maxBytes: MAX_BYTES, signal, content: contentOf(bytes) },
    )
    if (result.kind !== 'file') throw new Error('The source has no content')
    const rows = parse(await readFile(drafts[result.draft]), { relax_column_count: true })
    const { dialect, problems } = result.report
    return {
      rows,
      origin: dialect.origin ?? { sheets: [], member: null },
      messages: problems.map(({ message }) => message),
    }
  } finally {
    await rm(folder, { recursive: true })
  }
}

function contentOf(bytes: Buffer) {
  async function* body() {
    for await (const chunk of inChunks(bytes)) yield [chunk]
  }
  return {
    kind: 'content' as const,
    body: Object.assign(body(), { destroy: () => undefined }),
    etag: null,
    lastModified: null,
    mediaType: '',
    charset: null,
    compression: compressionOf(bytes),
    expectedBytes: bytes.length,
  }
}

/**
 * How each sheet of a workbook differs from what is in it, cell by cell and row by row.
 * @throws FileError
 */
export async function compareSheets(book: ForeignBook, bytes: Buffer): Promise<string[]> {
  const archive = await openArchive(
    {
      sizeBytes: bytes.length,
      readAt: async (target, position) => bytes.copy(target, 0, position),
    },
    { maxBytes: MAX_BYTES },
  )
  const open = (await workbookFormOf(archive)) === 'ods' ? openOds : openXlsx
  const workbook = await open(archive, { maxBytes: MAX_BYTES })
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

const withPlainLineEnds = (cell = '') => cell.replaceAll('\r\n', '\n')

function withoutEmptyColumns(rows: string[][]): string[][] {
  const filled = new Set(
    rows.flatMap((row) => row.flatMap((cell, column) => (cell === '' ? [] : [column]))),
  )
  return rows.map((row) => row.filter((_, column) => filled.has(column)))
}

function trimmed(row: string[]): string[] {
  return row.slice(0, row.findLastIndex((cell) => cell !== '') + 1)
}
