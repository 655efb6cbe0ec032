import type { SourceReading } from '../../../shared/schemas/source-reading'
import { FileError } from '../file-error'
import { readDialect } from '../read/dialect/chosen-dialect'
import { listCells, MAX_CHUNK_BYTES } from '../read/scan/scan'
import { createScanner } from '../read/scan/scanner'
import { listNames } from './names'
import { readingOfRows, type TableRows } from './table-rows'
import type { Sheet, Workbook } from './workbook'

/**
 * Reads several sheets as one table: of those after the first, only what is below the header, which must be
 * the same. Where the supplier has chosen that there is none, all rows but titles are read.
 */
export function joinSheets(
  workbook: Workbook,
  sheets: readonly Sheet[],
  reading: SourceReading,
): TableRows {
  const opened: TableRows[] = []
  const skipped = new Map<Sheet, number>()
  return {
    async *read() {
      let first: FirstSheet | undefined
      for (const sheet of sheets) {
        const rows = workbook.open(sheet)
        opened.push(rows)
        let isInTable = sheets.length === 1
        for await (const chunk of rows.read()) {
          if (isInTable) {
            yield chunk
            continue
          }
          if (isBlank(chunk)) continue
          isInTable = true
          if (first) {
            const { start, rowsAbove } = findRows(chunk, sheet, first, reading)
            if (rowsAbove > 0) skipped.set(sheet, rowsAbove)
            yield chunk.subarray(start)
          } else {
            first = readFirst(chunk, sheet, reading)
            yield chunk
          }
        }
      }
      await workbook.check()
    },
    width: () => Math.max(0, ...opened.map((rows) => rows.width())),
    report(problems) {
      for (const rows of opened) rows.report(problems)
      for (const [{ name }, count] of skipped) {
        problems.add(null, `Rows above the table of the sheet ${listNames([name])} were skipped`, {
          count,
        })
      }
    },
  }
}

interface FirstSheet {
  sheet: Sheet
  /** Its first row below titles, and whether it looks like a header. */
  header: string[]
  isHeader: boolean
}

/** Cells without text, as sheets have that were only formatted. */
const isBlank = (chunk: Buffer) => /^[\s,]*$/.test(chunk.toString('latin1'))

const scanHead = (head: Buffer) =>
  createScanner({ delimiter: ',', quoting: 'strict' }).push(head.subarray(0, MAX_CHUNK_BYTES))

const readHead = (chunk: Buffer, reading: SourceReading) =>
  readDialect(chunk, true, { reading: readingOfRows(reading), rows: {} })

function readFirst(chunk: Buffer, sheet: Sheet, reading: SourceReading): FirstSheet {
  const { skipBytes, hasHeader } = readHead(chunk, reading)
  const batch = scanHead(chunk.subarray(skipBytes))
  return { sheet, header: batch.count > 0 ? listCells(batch, 0) : [], isHeader: hasHeader }
}

/** Where the rows of another sheet begin, and how many that are not blank stand above its table, as titles do. */
function findRows(
  chunk: Buffer,
  sheet: Sheet,
  first: FirstSheet,
  reading: SourceReading,
): { start: number; rowsAbove: number } {
  if (reading.hasHeader === false) {
    const { skipBytes, skipLines } = readHead(chunk, reading)
    return { start: skipBytes, rowsAbove: skipLines - (reading.skipLines ?? 0) }
  }
  const batch = scanHead(chunk)
  const width = countFilled(first.header)
  let rowsAbove = 0
  let found: string[] = []
  for (let record = 0; record < batch.count; record++) {
    const cells = listCells(batch, record)
    if (findUnequalCell(first.header, cells) < 0) {
      return { start: batch.ends[record] ?? 0, rowsAbove }
    }
    const filled = countFilled(cells)
    if (filled === 0) continue
    // Not a title: a header that comes later is only repeated.
    const isInTable = filled >= width
    if (isInTable || rowsAbove === 0) found = cells
    if (isInTable) break
    rowsAbove++
  }
  throw first.isHeader ? otherHeader(sheet, first, found) : noHeader(first)
}

const countFilled = (cells: readonly string[]) => cells.filter((cell) => cell.trim() !== '').length

/** The first column in which two rows differ; -1 if they are the same. */
function findUnequalCell(one: readonly string[], other: readonly string[]): number {
  const longer = one.length > other.length ? one : other
  return longer.findIndex((_, column) => one[column]?.trim() !== other[column]?.trim())
}

function otherHeader(
  { name }: Sheet,
  { sheet, header }: FirstSheet,
  found: readonly string[],
): FileError {
  const from = findUnequalCell(header, found)
  const where = from > 0 ? `from column ${from + 1} on, ` : ''
  const list = (cells: readonly string[]) => listShown(cells.slice(from))
  return new FileError(
    'wrong-choice',
    `The sheet ${listNames([name])} cannot be read as one table with ${listNames([sheet.name])}: ${where}its header is to be ${list(header)}, but its first row is ${list(found)}. Give both the same header row, or leave out one of them.`,
  )
}

function noHeader({ sheet }: FirstSheet): FileError {
  return new FileError(
    'wrong-choice',
    `The sheets cannot be read as one table, because ${listNames([sheet.name])} has no header row. Give all of them the same one, or choose that the file has none.`,
  )
}

const MAX_SHOWN = 4

function listShown(cells: readonly string[]): string {
  if (cells.length === 0) return 'empty'
  const shown = listNames(cells.slice(0, MAX_SHOWN).map((cell) => cell.trim()))
  return cells.length > MAX_SHOWN ? `${shown} …` : shown
}
