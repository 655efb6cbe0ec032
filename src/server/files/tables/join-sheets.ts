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
          } else yield chunk.subarray(endOfHeader(chunk, sheet, header))
          isFirst = false
        }
      }
    },
    width: () => Math.max(0, ...opened.map((rows) => rows.width())),
    report(problems) {
      for (const rows of opened) rows.report(problems)
    },
  }
}

function scanHead(head: Buffer) {
  return createScanner({ delimiter: ',', quoting: 'strict' }).push(
    head.subarray(0, MAX_CHUNK_BYTES),
  )
}

function findHeader(chunk: Buffer, reading: SourceReading): string[] {
  const { skipBytes } = readDialect(chunk, true, readingOfRows(reading), undefined, true)
  const batch = scanHead(chunk.subarray(skipBytes))
  return batch.count > 0 ? listCells(batch, 0) : []
}

/** Where the rows of another sheet begin. */
function endOfHeader(
  chunk: Buffer,
  sheet: Sheet,
  header: { sheet: Sheet; cells: string[] },
): number {
  const batch = scanHead(chunk)
  for (let record = 0; record < batch.count; record++) {
    const cells = listCells(batch, record)
    const isSame =
      cells.length === header.cells.length &&
      cells.every((cell, index) => cell.trim() === header.cells[index]?.trim())
    if (isSame) return batch.ends[record] ?? 0
  }
  throw new FileError(
    'wrong-choice',
    `The sheet ${listNames([sheet.name])} does not have the columns of ${listNames([header.sheet.name])}, with which it is to be read as one table.`,
  )
}
