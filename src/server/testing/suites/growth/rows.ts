import { FileError } from '../../../files/file-error'
import { createProblemLog } from '../../../files/read/problems'
import type { RecordBatch } from '../../../files/read/scan/scan'
import { createScanner } from '../../../files/read/scan/scanner'
import { createTable } from '../../../files/read/table/table'
import { splitChunk } from '../../../files/read/table/table-reader'

type Row = (batch: RecordBatch, record: number) => void

/** Iterates over the rows of a file, as far as it can be read. */
export function eachRow(bytes: Buffer, start: (columns: string[]) => Row): void {
  const scanner = createScanner({ delimiter: ',', quoting: 'relaxed' })
  const table = createTable({
    hasHeader: true,
    requireExactWidth: false,
    dropsOtherLines: true,
    problems: createProblemLog(),
  })
  let row: Row = () => {}
  const sink = {
    start(columns: string[]) {
      row = start(columns)
    },
    row: (batch: RecordBatch, record: number) => row(batch, record),
  }
  unlessRefused(() => {
    for (const piece of splitChunk(bytes)) table.read(scanner.push(piece), sink)
    table.read(scanner.end(), sink)
  })
}

/** Ignores refusals: they end the work early. */
export function unlessRefused<T>(work: () => T): T | undefined {
  try {
    return work()
  } catch (error) {
    if (error instanceof FileError) return undefined
    throw error
  }
}

export async function unlessRefusedLater<T>(work: Promise<T>): Promise<T | undefined> {
  return work.catch((error: unknown) => {
    if (error instanceof FileError) return undefined
    throw error
  })
}
