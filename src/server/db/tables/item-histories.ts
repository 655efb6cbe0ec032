import type { Generated } from 'kysely'

import type { DecimalMark } from '../../../shared/schemas/column-numbers'
import type { ColumnEra } from '../stored-json'

/** Of which connections the history of items is kept, and how far it has come. */
export type ItemHistoriesTable = {
  connectionId: number
  /** Since when a version is to be added, or from when on it is tried again; null when all have been. */
  waitingSince: number | null
  /** When the last version that was added was published; null before the first. */
  versionAt: number | null
  /** What was before is not known; null without any history. */
  beganAt: number | null
  /** The column of its keys. */
  keyColumn: string | null
  /** What its prices have shown to separate decimals. */
  priceMark: DecimalMark | null
  /** Of which columns its values are, since when; oldest first. */
  columnEras: ColumnEra[]
  /** Why there is none of the last version; null when there is one. */
  obstacle: 'no-keys' | 'too-large' | 'failed' | null
  leaseToken: string | null
  leaseUntil: number | null
}

/** The stored files of histories, as `files/history` writes them. In the order of their ids, those of a kind are oldest first. */
export type HistoryFilesTable = {
  id: Generated<number>
  connectionId: number
  kind: 'state' | 'changes' | 'past'
  sha256: string
  sizeBytes: number
  records: number
  /** The latest time of its records. */
  lastAt: number
}
