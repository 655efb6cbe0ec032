import type { Db, WriteTransaction } from '../../db/open'

/** Whether a variant waits for a builder: recorded, and held by no live one. */
export async function hasWaitingVariant(db: Db, now: number): Promise<boolean> {
  const waiting = await selectWaiting(db, now).select('variants.id').limit(1).executeTakeFirst()
  return waiting !== undefined
}

/**
 * The variant to build next: the oldest of the next supplier that has one waiting, in turn after
 * `lastSupplierId`, leaving out those of `except`.
 */
export function findNextWaitingVariant(
  db: Db,
  now: number,
  { lastSupplierId, except }: { lastSupplierId: number; except: readonly number[] },
) {
  return selectWaiting(db, now)
    .innerJoin('versions', 'versions.id', 'variants.versionId')
    .innerJoin('connections', 'connections.id', 'versions.connectionId')
    .select(['variants.id', 'versions.connectionId', 'connections.supplierId'])
    .$if(except.length > 0, (query) => query.where('connections.supplierId', 'not in', except))
    .orderBy(({ eb }) => eb('connections.supplierId', '<=', lastSupplierId))
    .orderBy('connections.supplierId')
    .orderBy('variants.id')
    .limit(1)
    .executeTakeFirst()
}

/** Forgets what waits of one category set, for all of a supplier's versions. */
export async function deleteWaitingVariants(
  trx: WriteTransaction,
  { supplierId, categorySetKey }: { supplierId: number; categorySetKey: string },
  now: number,
): Promise<void> {
  const waiting = selectWaiting(trx, now)
    .innerJoin('versions', 'versions.id', 'variants.versionId')
    .innerJoin('connections', 'connections.id', 'versions.connectionId')
    .select('variants.id')
    .where('connections.supplierId', '=', supplierId)
    .where('variants.categorySetKey', '=', categorySetKey)
  await trx.deleteFrom('variants').where('id', 'in', waiting).execute()
}

/** Forgets what waits of a connection's versions but this one, where no retailer reads them. */
export async function deleteOutdatedWaitingVariants(
  trx: WriteTransaction,
  { connectionId, versionId }: { connectionId: number; versionId: number },
  now: number,
): Promise<void> {
  const waiting = selectWaiting(trx, now)
    .innerJoin('versions', 'versions.id', 'variants.versionId')
    .select('variants.id')
    .where('versions.connectionId', '=', connectionId)
    .where('versions.id', '<>', versionId)
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('retailers')
            .select('retailers.id')
            .whereRef('retailers.currentVersionId', '=', 'versions.id'),
        ),
      ),
    )
  await trx.deleteFrom('variants').where('id', 'in', waiting).execute()
}

function selectWaiting(db: Db, now: number) {
  return db
    .selectFrom('variants')
    .where('variants.status', '=', 'processing')
    .where((where) =>
      where.or([where('variants.leaseUntil', 'is', null), where('variants.leaseUntil', '<=', now)]),
    )
}
