import { sql, type Kysely } from 'kysely'

import type { Changes } from '../engine'
import type { Database } from '../schema'

/**
 * Ids are not in the order of commits here: the mark is a snapshot, and what has changed since was made by
 * transactions that it does not contain.
 */
export async function readPostgresChanges(
  db: Kysely<Database>,
  since: string | undefined,
): Promise<Changes> {
  const read =
    since === undefined
      ? sql<Changes>`select pg_current_snapshot()::text as mark, '{}'::text[] as topics`
      : sql<Changes>`
          select pg_current_snapshot()::text as mark, array(
            select distinct topic from changes
            where "transactionId" >= pg_snapshot_xmin(${since}::pg_snapshot)::text::bigint
              and not pg_visible_in_snapshot("transactionId"::text::xid8, ${since}::pg_snapshot)
          ) as topics`
  const { rows } = await read.execute(db)
  return rows[0] ?? { mark: since ?? '', topics: [] }
}
