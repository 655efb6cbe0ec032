import type { QuantityColumns } from '../read/quantities/quantity-column'
import type { RecordBatch } from '../read/scan/scan'
import { giveBack } from '../task-memory'
import { createDistinctRecords, type Settle } from './distinct-records'
import type { RowBytes } from './hash-row'
import { settleQuantity } from './key-quantity'
import { RECORD_BYTES } from './key-records'
import { createKeyRows, type KeyColumns, type KeyRows } from './key-rows'
import { mergeRuns } from './merge-runs'
import type { ReadAt } from './record-reader'
import { sortRecords } from './sort-records'

/** A scratch file that can be read anywhere. */
export interface KeyDraft {
  write(chunk: Uint8Array): Promise<void>
  readAt: ReadAt
  discard(): Promise<void>
}

/**
 * Files with more rows have no key file. Sorting the keys of a file takes as long as reading it, and is
 * not to make the syncs of files slow that are larger than catalogues are.
 */
export const MAX_KEYED_ROWS = 1024 * 1024
/** Records that are sorted in memory at a time: 3 MB of them, and up to 1 MB that the last chunk adds. */
const RUN_RECORDS = 96 * 1024

export interface KeyFileOptions<D extends KeyDraft> extends KeyColumns {
  /** Opens the scratch file for the key file, and one for sorted runs if they exceed memory. */
  openDraft: (content: 'keys' | 'runs') => Promise<D>
  runRecords?: number
}

/** What is known of a canonical file's keys. */
export interface KeyFacts {
  column: string
  /** null when quantities were not found in one and the same column. */
  quantityColumn: string | null
  /** Distinct keys: the records of the key file. */
  keyCount: number
  /** Rows whose key another row before them has; they are not in the key file. */
  repeatedRows: number
  /** Rows without a key. */
  keylessRows: number
}

/** Receives the rows of a canonical file. */
export interface KeySink {
  /** Begins anew. */
  start(columns: string[], quantities: QuantityColumns): void
  row(batch: RecordBatch, record: number, row: RowBytes): void
  /** Must be called after the rows of each chunk. */
  flush(): Promise<void>
}

/** Writes the key file of a canonical file while its rows are read, in memory that does not grow. */
export interface KeyFile<D extends KeyDraft> extends KeySink {
  /**
   * @param onProgress is called now and then, with the records merged so far
   * @returns null for a file without a column of keys, or with too many rows
   */
  finish(
    onProgress: (records: number) => Promise<void>,
  ): Promise<{ draft: D; facts: KeyFacts } | null>
  /** Discards all drafts but the one that `finish` has returned. */
  close(): Promise<void>
}

export function createKeyFile<D extends KeyDraft>(options: KeyFileOptions<D>): KeyFile<D> {
  const { openDraft, runRecords = RUN_RECORDS } = options
  let rows: KeyRows | undefined
  let rowCount = 0
  let repeatedRows = 0
  let runs: { start: number; end: number }[] = []
  let spilled: { draft: D; bytes: number } | undefined
  let unfinished: D | undefined

  async function writeSorted(table: KeyRows, draft: D, settle?: Settle): Promise<number> {
    const output = createDistinctRecords((chunk) => draft.write(chunk), settle)
    const order = sortRecords(table.block(), table.count())
    for (const record of order) {
      output.add(table.block(), record)
      if (output.isFull()) await output.flush()
    }
    await output.end()
    giveBack(order)
    table.clear()
    const { distinct, repeated } = output.counts()
    repeatedRows += repeated
    return distinct
  }

  async function spill(table: KeyRows): Promise<void> {
    spilled ??= { draft: await openDraft('runs'), bytes: 0 }
    const start = spilled.bytes
    spilled.bytes += RECORD_BYTES * (await writeSorted(table, spilled.draft))
    runs.push({ start, end: spilled.bytes })
  }

  async function merge(
    source: D,
    target: D,
    { settle, onProgress }: { settle: Settle; onProgress: (records: number) => Promise<void> },
  ) {
    const output = createDistinctRecords((chunk) => target.write(chunk), settle)
    await mergeRuns({ runs, readAt: source.readAt, onProgress }, output)
    const { distinct, repeated } = output.counts()
    repeatedRows += repeated
    return distinct
  }

  return {
    start(columns, quantities) {
      rows = createKeyRows(columns, quantities, options)
      rowCount = 0
      repeatedRows = 0
      runs = []
    },
    row(batch, record, row) {
      rowCount++
      if (rowCount > MAX_KEYED_ROWS) rows = undefined
      rows?.add(batch, record, row)
    },
    async flush() {
      if (rows && rows.count() >= runRecords) await spill(rows)
    },
    async finish(onProgress) {
      if (!rows) return null
      if (runs.length > 0 && rows.count() > 0) await spill(rows)
      unfinished = await openDraft('keys')
      const draft = unfinished
      const style = rows.quantityStyle()
      const settle: Settle = (quantity) => settleQuantity(quantity, style)
      const keyCount =
        spilled && runs.length > 0
          ? await merge(spilled.draft, draft, { settle, onProgress })
          : await writeSorted(rows, draft, settle)
      unfinished = undefined
      const [column, quantityColumn] = [rows.column, rows.quantityColumn()]
      const keylessRows = rows.keylessRows()
      return { draft, facts: { column, quantityColumn, keyCount, repeatedRows, keylessRows } }
    },
    async close() {
      await Promise.all([spilled?.draft.discard(), unfinished?.discard()])
    },
  }
}
