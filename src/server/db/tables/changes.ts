import type { Generated } from 'kysely'

/** What has changed lately, for open windows. Triggers write it. */
export type ChangesTable = {
  id: Generated<number>
  /** What a row is about: a word and an id, such as `supplier 12`. */
  topic: string
  /** Of the transaction that made the change; null on SQLite. */
  transactionId: number | null
}
