import { sql, type Kysely } from 'kysely'

import { KEPT_CHANGES } from '../change-topics'
import type { Changes } from '../engine'
import type { Database } from '../schema'

/** Ids of open transactions may be older than those that were read: far fewer than those that are kept. */
const MOST_READ = KEPT_CHANGES / 2

/**
 * Ids are not in the order of commits here: the mark is a snapshot, and what has changed since was made by
 * transactions that it does not contain. It has the newest id besides, which tells how many changes that is.
 */
export async function readPostgresChanges(
  db: Kysely<Database>,
  since: string | undefined,
): Promise<Changes> {
  const [snapshot = '', newest = ''] = since?.split(' ') ?? []
  const topics =
    since === undefined
      ? sql`'{}'::text[]`
      : sql`case when "newest" - ${newest}::bigint <= ${MOST_READ} then array(
          select distinct topic from changes
          where "transactionId" >= pg_snapshot_xmin(${snapshot}::pg_snapshot)::text::bigint
            and not pg_visible_in_snapshot("transactionId"::text::xid8, ${snapshot}::pg_snapshot)
        ) end`
  const read = sql<{ mark: string; topics: string[] | null }>`
    select pg_current_snapshot() || ' ' || "newest" as mark, ${topics} as topics
    from (select coalesce(max("id"), 0) as "newest" from changes) as ids`
  const { rows } = await read.execute(db)
  const [row] = rows
  return { mark: row?.mark ?? since ?? '', topics: row?.topics ?? 'all' }
}
