import { sql } from 'kysely'

import type { Db } from './open'

/**
 * A text that changes with every write to the database, whether by this connection or by another one.
 * Takes microseconds, and reads no table.
 */
export async function readChangeFingerprint(db: Db): Promise<string> {
  const { rows } = await sql<{ fingerprint: string }>`
    select data_version || ':' || total_changes() as fingerprint
    from pragma_data_version`.execute(db)
  return rows[0]?.fingerprint ?? ''
}
