import type { Kysely } from 'kysely'

import { engineOf } from './engine'

/**
 * A text that changes with every write to the database, whether by this connection or by another one.
 * Takes much less than reading a table.
 */
export function readChangeFingerprint<Tables>(db: Kysely<Tables>): Promise<string> {
  return engineOf(db).readFingerprint()
}
