import { createByteFinder } from '../../../files/read/scan/byte-finder'
import { QUOTINGS, type Quoting } from '../../../files/read/scan/scan'
import {
  listBytes,
  mergeDoubled,
  removeEscapes,
  skipSpaces,
} from '../../../files/read/scan/scan-bytes'
import { createScanner } from '../../../files/read/scan/scanner'
import { splitChunk } from '../../../files/read/table/table-reader'
import { type GrowthCase, exempt, file } from './case'
import { unlessRefused } from './rows'

const NO_TEXT = 'takes no text'
const QUOTE = 0x22
const BACKSLASHED = listBytes({ delimiter: ',', quoting: 'backslashed' })

/** Scans a file in chunks of a few bytes. */
function scanInSmallChunks(bytes: Buffer, quoting: Quoting): void {
  const scanner = createScanner({ delimiter: ',', quoting })
  for (let at = 0; at < bytes.length; at += 7) scanner.push(bytes.subarray(at, at + 7))
  scanner.end()
}

/** Cases by file below `src/server/files` and export. */
export const scanCases: Record<string, Record<string, GrowthCase>> = {
  'read/scan/byte-finder': {
    createByteFinder: file((bytes) => {
      const find = createByteFinder([QUOTE, 0x2c, 0x0d, 0x0a, 0x5c])
      return [...splitChunk(bytes)].map((piece) => find(piece, 0, piece.length)[0])
    }),
  },
  'read/scan/record-memory': {
    createBatch: exempt(NO_TEXT),
    ensureCapacity: exempt('called with lengths by the scanner, which is measured'),
    moveOpenCells: exempt('called for each chunk by the scanner, which is measured'),
  },
  'read/scan/scan-bytes': {
    listBytes: exempt(NO_TEXT),
    endOfLine: exempt('looks at two bytes'),
    isLineEnd: exempt('looks at a byte'),
    afterBackslash: exempt('looks at three bytes'),
    removeEscapes: file((bytes) =>
      removeEscapes(Buffer.from(bytes), 0, bytes.length, BACKSLASHED.isEscapable),
    ),
    skipSpaces: file((bytes) => skipSpaces(bytes, 0, bytes.length)),
    mergeDoubled: file((bytes) => mergeDoubled(Buffer.from(bytes), 0, bytes.length, QUOTE)),
  },
  'read/scan/scan-state': {
    createScanState: exempt(NO_TEXT),
    takeChunk: exempt('called for each chunk by the scanner, which is measured'),
    addCell: exempt('called for each cell by the scanner, which is measured'),
    addRecord: exempt('called for each record by the scanner, which is measured'),
  },
  'read/scan/scan-cells': { scanCells: exempt('called by the scanner, which is measured') },
  'read/scan/scanner': {
    createScanner: file((bytes) =>
      QUOTINGS.map((quoting) => unlessRefused(() => scanInSmallChunks(bytes, quoting))),
    ),
  },
  'read/scan/wasm-module': { assembleModule: exempt(NO_TEXT) },
}
