import { sql, type Kysely } from 'kysely'

import type { CheckpointedLog } from '../engine'

type Row = { busy: number; log: number; checkpointed: number }

/**
 * Copies SQLite's write-ahead log into the database file and empties it, unless another process is
 * reading or writing at the moment; `pages` is the number of pages copied.
 */
export async function checkpointSqliteLog<Tables>(db: Kysely<Tables>): Promise<CheckpointedLog> {
  // The passive one blocks nobody and counts the pages; the truncating one returns no count.
  const moved = await sql<Row>`pragma wal_checkpoint(passive)`.execute(db)
  const emptied = await sql<Row>`pragma wal_checkpoint(truncate)`.execute(db)
  return {
    pages: Math.max(moved.rows[0]?.checkpointed ?? 0, 0),
    isEmptied: emptied.rows[0]?.busy === 0,
  }
}
