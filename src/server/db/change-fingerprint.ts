import { sql } from 'kysely'

import type { Db } from './open'

/**
 * A text that differs as soon as anybody has written to the database: what other connections have
 * committed, and what this one has changed. Costs microseconds, and reads no table.
 */
export async function readChangeFingerprint(db: Db): Promise<string> {
  const { rows } = await sql<{ mark: string }>`
    select data_version || ':' || total_changes() as mark from pragma_data_version`.execute(db)
  return rows[0]?.mark ?? ''
}
