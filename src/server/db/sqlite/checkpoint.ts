import { setTimeout as sleep } from 'node:timers/promises'

import { sql, type Kysely } from 'kysely'

import type { CheckpointedLog } from '../engine'

/**
 * Most are in the way for a moment, such as the thread that copies the log after some commits
 * (`checkpoint-thread.ts`). SQLite's own busy timeout would block the event loop.
 */
const EMPTY_WITHIN_MS = 1_000
const TRY_AGAIN_MS = 20

type Row = { busy: number; log: number; checkpointed: number }

/**
 * Copies SQLite's write-ahead log into the database file and empties it, unless others are reading or writing
 * all the time for a second; `pages` is the number of pages copied.
 */
export async function checkpointSqliteLog<Tables>(db: Kysely<Tables>): Promise<CheckpointedLog> {
  // The passive one blocks nobody and counts the pages; the truncating one returns no count.
  const moved = await sql<Row>`pragma wal_checkpoint(passive)`.execute(db)
  const pages = Math.max(moved.rows[0]?.checkpointed ?? 0, 0)
  const expiresAt = performance.now() + EMPTY_WITHIN_MS
  for (;;) {
    const emptied = await sql<Row>`pragma wal_checkpoint(truncate)`.execute(db)
    const isEmptied = emptied.rows[0]?.busy === 0
    if (isEmptied || performance.now() >= expiresAt) return { pages, isEmptied }
    await sleep(TRY_AGAIN_MS)
  }
}
