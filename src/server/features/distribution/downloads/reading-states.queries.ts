import { sql, type Expression, type SqlBool } from 'kysely'

import { SILENT_AFTER, type ReadingState } from '../../../../shared/constants'
import { DAY_MS, MINUTE_MS } from '../../../../shared/durations'
import type { Db } from '../../../db/open'
import { SYNC_FREQUENCY } from '../../../db/queries-kit/retailer-settings'

/**
 * How retailers read their file, of a query in which `retailerPulls`, `connections` and `retailerGroups` are joined to
 * `retailers`. What the version before has recorded counts once it has been packed, in the first hours after an upgrade.
 */
export function isReading(state: ReadingState, now: number): Expression<SqlBool> {
  const last = sql.ref('retailerPulls.lastPulledAt')
  switch (state) {
    case 'day':
      return sql`${last} > ${now - DAY_MS}`
    case 'behind':
      return sql`${sql.ref('retailerPulls.versionId')} < ${sql.ref('connections.publishedVersionId')}`
    case 'silent': {
      const pauseMs = sql.lit(SILENT_AFTER.days * DAY_MS)
      const updatesMs = sql.lit(SILENT_AFTER.updates * MINUTE_MS)
      const missedMs = sql`(${SYNC_FREQUENCY}) * ${updatesMs}`
      return sql`${last} < ${now} - case when ${missedMs} > ${pauseMs} then ${missedMs} else ${pauseMs} end`
    }
    case 'never':
      return sql`${last} is null`
    case 'paused':
      return sql`exists (select 1 from destinations where destinations."retailerId" = retailers.id
        and destinations."isActive" = 1 and destinations."pausedAt" is not null)`
  }
}

/** Counts the retailers of a supplier by how they read; one may be in several states. */
export function countReadingStates(
  db: Db,
  supplierId: number,
  now: number,
): Promise<Record<ReadingState | 'total', number>> {
  const count = (state: ReadingState) =>
    sql<number>`count(case when ${isReading(state, now)} then 1 end)`.as(state)
  return db
    .selectFrom('retailers')
    .leftJoin('retailerGroups', 'retailerGroups.id', 'retailers.groupId')
    .leftJoin('retailerPulls', 'retailerPulls.retailerId', 'retailers.id')
    .leftJoin('connections', 'connections.supplierId', 'retailers.supplierId')
    .where('retailers.supplierId', '=', supplierId)
    .select(({ fn }) => fn.countAll<number>().as('total'))
    .select([count('day'), count('behind'), count('silent'), count('never'), count('paused')])
    .executeTakeFirstOrThrow()
}

/**
 * Lists the newest retailers of a supplier that have never read, whether they have an address to read at, and when it
 * last refused to be read.
 */
export async function listUnreadRetailers(
  db: Db,
  supplierId: number,
  limit: number,
): Promise<{ id: number; hasAddress: boolean; refusedAt: number | null }[]> {
  const rows = await db
    .selectFrom('retailers')
    .leftJoin('retailerPulls', 'retailerPulls.retailerId', 'retailers.id')
    .select('retailers.id')
    .select(({ selectFrom }) =>
      (['id', 'refusedAt'] as const).map((column) =>
        selectFrom('feedAddresses')
          .select(({ fn }) => fn.max<number | null>(`feedAddresses.${column}`).as('newest'))
          .whereRef('feedAddresses.retailerId', '=', 'retailers.id')
          .as(column === 'id' ? 'addressId' : 'refusedAt'),
      ),
    )
    .where('retailers.supplierId', '=', supplierId)
    .where('retailerPulls.lastPulledAt', 'is', null)
    .orderBy('retailers.id', 'desc')
    .limit(limit)
    .execute()
  return rows.map(({ id, addressId, refusedAt }) => ({
    id,
    hasAddress: addressId !== null,
    refusedAt,
  }))
}
