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
 * the same.
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
      let header: { sheet: Sheet; cells: string[] } | undefined
      for (const sheet of sheets) {
        const rows = workbook.open(sheet)
        opened.push(rows)
        let isFirst = true
        for await (const chunk of rows.read()) {
          if (!isFirst || sheets.length === 1) yield chunk
          else if (!header) {
            header = { sheet, cells: findHeader(chunk, reading) }
            yield chunk
          } else {
            const { end, rowsBefore } = skipHeader(chunk, sheet, header)
            if (rowsBefore > 0) skipped.set(sheet, rowsBefore)
            yield chunk.subarray(end)
          }
          isFirst = false
        }
      }
      await workbook.check()
    },
    width: () => Math.max(0, ...opened.map((rows) => rows.width())),
    report(problems) {
      for (const rows of opened) rows.report(problems)
      for (const [{ name }, count] of skipped) {
        problems.add(null, `Rows above the header of the sheet ${listNames([name])} were skipped`, {
          count,
        })
      }
    },
  }
}

function scanHead(head: Buffer) {
  return createScanner({ delimiter: ',', quoting: 'strict' }).push(
    head.subarray(0, MAX_CHUNK_BYTES),
  )
}

function findHeader(chunk: Buffer, reading: SourceReading): string[] {
  const { skipBytes } = readDialect(chunk, true, readingOfRows(reading), undefined, {})
  const batch = scanHead(chunk.subarray(skipBytes))
  return batch.count > 0 ? listCells(batch, 0) : []
}

/** Where the rows of another sheet begin, and how many that are not blank stand above its header, as titles do. */
function skipHeader(
  chunk: Buffer,
  sheet: Sheet,
  header: { sheet: Sheet; cells: string[] },
): { end: number; rowsBefore: number } {
  const batch = scanHead(chunk)
  const width = countFilled(header.cells)
  let rowsBefore = 0
  for (let record = 0; record < batch.count; record++) {
    const cells = listCells(batch, record)
    const isSame =
      cells.length === header.cells.length &&
      cells.every((cell, index) => cell.trim() === header.cells[index]?.trim())
    if (isSame) return { end: batch.ends[record] ?? 0, rowsBefore }
    const filled = countFilled(cells)
    // Not a title: a header that comes later is only repeated.
    if (filled >= width) break
    if (filled > 0) rowsBefore++
  }
  throw new FileError(
    'wrong-choice',
    `The sheet ${listNames([sheet.name])} does not have the columns of ${listNames([header.sheet.name])}, with which it is to be read as one table.`,
  )
}

const countFilled = (cells: readonly string[]) => cells.filter((cell) => cell.trim() !== '').length
