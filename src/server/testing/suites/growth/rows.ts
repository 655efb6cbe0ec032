import { FeedError } from '../../../feed/feed-error'
import { createProblemLog } from '../../../feed/read/problems'
import type { RecordBatch } from '../../../feed/read/scan/scan'
import { createScanner } from '../../../feed/read/scan/scanner'
import { createTable } from '../../../feed/read/table/table'
import { splitChunk } from '../../../feed/read/table/table-reader'

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
    if (error instanceof FeedError) return undefined
    throw error
  }
}

export async function unlessRefusedLater<T>(work: Promise<T>): Promise<T | undefined> {
  return work.catch((error: unknown) => {
    if (error instanceof FeedError) return undefined
    throw error
  })
}
