import type { ColumnRoles } from '../../../shared/schemas/column-policy'
import { findRoleColumn } from '../profile/column-roles'
import type { RecordBatch } from '../read/scan'
import type { RowSink } from '../read/table'
import {
  type KeyCollector,
  type KeyCounts,
  type KeyScratch,
  createKeyCollector,
} from './key-collector'

/** What is stored about the keys of a file. */
export interface FileKeys extends KeyCounts {
  /** The name of the column with the keys. */
  column: string
}

export interface KeyOptions {
  /** The supplier's choice of columns; those left out are found by their names. */
  roles: ColumnRoles
  /** Opens a file for sorted parts of a large file. */
  openSpill: () => Promise<KeyScratch>
}

/** Collects the keys of a canonical file, all of whose records follow each other. */
export interface KeyRows extends RowSink {
  /** To be awaited after each piece of the file. */
  flush(): Promise<void>
  /** Writes the key file; null when the file has no column of keys, or too many rows. */
  finish(output: Pick<KeyScratch, 'write'>): Promise<FileKeys | null>
  /** Removes what has been written so far. */
  discard(): Promise<void>
}

export function createKeyRows({ roles, openSpill }: KeyOptions): KeyRows {
  let collector: KeyCollector | undefined
  let column = ''
  let offset = 0
  return {
    start(columns, header) {
      if (header) offset = lengthOf(header.batch, header.record)
      const keyColumn = findRoleColumn(columns, 'sku', roles, null)
      if (keyColumn < 0) return
      column = columns[keyColumn] ?? ''
      const quantityColumn = findRoleColumn(columns, 'quantity', roles, null)
      collector = createKeyCollector({ keyColumn, quantityColumn }, openSpill)
    },
    row(batch, record) {
      collector?.add(batch, record, offset)
      offset += lengthOf(batch, record)
    },
    async flush() {
      await collector?.flush()
    },
    async finish(output) {
      const counts = await collector?.finish(output)
      return counts ? { column, ...counts } : null
    },
    async discard() {
      await collector?.discard()
    },
  }
}

const lengthOf = ({ starts, ends }: RecordBatch, record: number) =>
  (ends[record] as number) - (starts[record] as number)
