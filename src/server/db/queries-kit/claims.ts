import type { SelectQueryBuilder } from 'kysely'

import { engineOf } from '../engine'
import type { Db, WriteTransaction } from '../open'
import type { Database } from '../schema'

/**
 * In a claim (see `inClaim`): leaves out rows of `tables` that another transaction is changing or
 * claiming, and locks the rows that it reads until this one ends. Conditions on rows of other tables, or
 * on other rows, may not be true any more by then.
 */
export function selectUnlocked<Tables extends keyof Database, Row>(
  trx: Db,
  query: SelectQueryBuilder<Database, Tables, Row>,
  tables: Tables[],
): SelectQueryBuilder<Database, Tables, Row> {
  return engineOf(trx).lockClaims ? query.forNoKeyUpdate(tables).skipLocked() : query
}

/**
 * Waits until no other claim, of any process, that has called this is open: for claims with limits over
 * many rows. To be called first, so that what follows sees what the others have claimed.
 */
export async function lockClaims(trx: WriteTransaction): Promise<void> {
  await engineOf(trx).lockClaims?.(trx)
}
