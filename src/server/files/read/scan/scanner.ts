import type { ScanOptions, Scanner } from './scan'
import { scanCells } from './scan-cells'
import { unclosedQuote } from './scan-errors'
import {
  AFTER_QUOTES,
  CELL_START,
  INSIDE_QUOTES,
  addCell,
  addRecord,
  createScanState,
  takeChunk,
} from './scan-state'

const NOTHING = new Uint8Array(0)

/**
 * Creates a scanner that keeps its state between chunks, so that no byte is scanned twice, however
 * long the record. Its memory is reused for each chunk.
 */
export function createScanner(options: ScanOptions): Scanner {
  const scan = createScanState(options)
  return {
    push(chunk) {
      takeChunk(scan, chunk)
      scanCells(scan)
      return scan.batch
    },
    end() {
      takeChunk(scan, NOTHING)
      scan.isEnd = true
      scanCells(scan)
      const { length, place } = scan
      if (place === INSIDE_QUOTES) throw unclosedQuote(scan.quoteLine)
      if (length > scan.recordStart) {
        const start = place === CELL_START ? length : scan.cellStart
        addCell(scan, start, place === AFTER_QUOTES ? scan.cellEnd : length)
        addRecord(scan, length)
      }
      return scan.batch
    },
  }
}
