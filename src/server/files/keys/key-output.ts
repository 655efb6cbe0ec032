import { columnPolicySchema } from '../../../shared/schemas/column-policy'
import { createMarkSkipper } from '../read/encoding/byte-order-mark'
import type { QuantityColumns } from '../read/quantities/quantity-column'
import { readNames } from '../read/scan/display-cell'
import { type RecordBatch, type ScanOptions, isBlankLine, listCells } from '../read/scan/scan'
import { createScanner } from '../read/scan/scanner'
import { splitChunk } from '../read/table/table-reader'
import { createYielder } from '../yield-to-event-loop'
import type { KeyReader } from './key-cell'
import { createKeyFile, type KeyDraft } from './key-file'
import { createRowPlaces } from './row-places'

/** A retailer's file by its keys. */
export interface KeyedOutput<D extends KeyDraft> {
  /** The first row as it is, with its byte order mark and line end, and its cells. */
  header: string
  names: string[]
  keys: D
  keyCount: number
  /** Whether every row has a key, and no other row has the same. */
  isUnique: boolean
}

export interface KeyOutputOptions<D extends KeyDraft> {
  delimiter: ScanOptions['delimiter']
  /** Which column of the file has the keys, by its place or by the names of all columns. */
  keyPlace: number | ((names: string[]) => number)
  /** What rows are known by, if not by their keys alone, in a file with these names of columns. */
  createReader?: ((names: string[]) => KeyReader) | undefined
  openDraft: (content: 'keys' | 'runs') => Promise<D>
  signal: AbortSignal
}

/**
 * Sorts the rows of a retailer's file by their keys, in memory that does not grow with it.
 * @returns null for a file without a first row that has the column of keys
 */
export async function keyOutput<D extends KeyDraft>(
  source: AsyncIterable<Uint8Array>,
  { delimiter, keyPlace, createReader, openDraft, signal }: KeyOutputOptions<D>,
): Promise<KeyedOutput<D> | null> {
  const { roles } = columnPolicySchema.parse({})
  let reader: KeyReader | undefined
  const readKey = createReader && ((...row: Parameters<KeyReader>) => reader!(...row))
  const file = createKeyFile<D>({ roles, stockTexts: [], delimiter, readKey, openDraft })
  const scanner = createScanner({ delimiter, quoting: 'strict' })
  const yieldToEventLoop = createYielder(signal)
  const mark = createMarkSkipper()
  const place = createRowPlaces(mark.length)
  let header: string | undefined
  let names: string[] = []
  const read = (batch: RecordBatch) => {
    for (let record = 0; record < batch.count; record++) {
      const row = place(batch, record)
      if (header === undefined) {
        const displayed = readNames(batch, record)
        reader = createReader?.(displayed)
        header = row.bytes.toString('utf8', row.start, row.end)
        if (mark.length() > 0) header = `\uFEFF${header}`
        names = listCells(batch, record)
        const at = typeof keyPlace === 'number' ? keyPlace : keyPlace(displayed)
        file.start(nameOnly(at, names.length), NO_QUANTITIES)
      } else if (!isBlankLine(batch, record)) file.row(batch, record, row)
    }
  }
  try {
    for await (const chunk of source) {
      for (const piece of splitChunk(chunk)) {
        await yieldToEventLoop(piece.length)
        read(scanner.push(mark.read(piece)))
        await file.flush()
      }
    }
    read(scanner.end())
    const finished = await file.finish(() => yieldToEventLoop(MERGED_BYTES))
    if (!finished || header === undefined) return null
    const { keyCount, repeatedRows, keylessRows } = finished.facts
    const isUnique = repeatedRows === 0 && keylessRows === 0
    return { header, names, keys: finished.draft, keyCount, isUnique }
  } finally {
    await file.close()
  }
}

const MERGED_BYTES = 64 * 1024
const NO_QUANTITIES: QuantityColumns = { place: () => -1, styleAt: () => 'decimals' }

/** Columns of which only one has a name, by which it is taken for that of the keys. */
const nameOnly = (place: number, columns: number) =>
  Array.from({ length: columns }, (_, column) => (column === place ? 'sku' : ''))
