import { sql } from 'kysely'

import type { Db } from './open'

type Row = { busy: number; log: number; checkpointed: number }

/**
 * Moves the write-ahead log into the database file and empties it, unless another process reads or
 * writes just now; `pages` is what was moved.
 */
export async function checkpointLog(db: Db): Promise<{ pages: number; isEmptied: boolean }> {
  // The first moves what it can without holding anybody up; the second counts nothing.
  const moved = await sql<Row>`pragma wal_checkpoint(passive)`.execute(db)
  const emptied = await sql<Row>`pragma wal_checkpoint(truncate)`.execute(db)
  return {
    pages: Math.max(moved.rows[0]?.checkpointed ?? 0, 0),
    isEmptied: emptied.rows[0]?.busy === 0,
  }
}
