import type { Db, WriteTransaction } from '../../../db/open'
import { selectUnlocked } from '../../../db/queries-kit/claims'
import { prepare } from '../../../db/queries-kit/prepare'
import type { VariantRow } from '../../../db/schema'

/** Whether a variant is waiting: requested, and not leased by a live builder. */
export async function hasWaitingVariant(db: Db, now: number): Promise<boolean> {
  return (await findWaiting(db, { now }).executeTakeFirst()) !== undefined
}

const findWaiting = prepare((db, { now }: { now: number }) =>
  selectWaiting(db, now).select('variants.id').limit(1),
)

/**
 * Finds the variant to build next: the oldest one of the next supplier after `lastSupplierId`, in a
 * round robin, leaving out the variants in `except`.
 */
export function findNextWaitingVariant(
  db: Db,
  now: number,
  { lastSupplierId, except }: { lastSupplierId: number; except: readonly number[] },
) {
  return selectWaiting(db, now)
    .innerJoin('versions', 'versions.id', 'variants.versionId')
    .innerJoin('connections', 'connections.id', 'versions.connectionId')
    .select(['variants.id', 'variants.versionId', 'view', 'viewKey', 'requestedBy'])
    .select(['versions.connectionId', 'versions.sizeBytes', 'connections.supplierId'])
    .$if(except.length > 0, (query) => query.where('variants.id', 'not in', except))
    .orderBy(({ eb }) => eb('connections.supplierId', '<=', lastSupplierId))
    .orderBy('connections.supplierId')
    .orderBy('variants.id')
    .limit(1)
    .executeTakeFirst()
}

/** Lists the first waiting variants of a version, without those in `except`. */
export function listWaitingVariants(
  db: Db,
  now: number,
  { versionId, except, limit }: { versionId: number; except: readonly number[]; limit: number },
) {
  return selectWaiting(db, now)
    .select(['variants.id', 'variants.view'])
    .where('variants.versionId', '=', versionId)
    .$if(except.length > 0, (query) => query.where('variants.id', 'not in', except))
    .orderBy('variants.id')
    .limit(limit)
    .execute()
}

/** What a variant is to be built from. */
export type LeasedVariant = Pick<VariantRow, 'id' | 'versionId' | 'view'>

/** Claims those of these variants that wait, unless another builder holds them; in the order of their ids. */
export async function leaseVariants(
  trx: WriteTransaction,
  ids: readonly number[],
  now: number,
  lease: { leaseToken: string; leaseUntil: number },
): Promise<LeasedVariant[]> {
  const waiting = selectWaiting(trx, now).select('variants.id').where('variants.id', 'in', ids)
  const free = await selectUnlocked(trx, waiting, ['variants']).execute()
  if (free.length === 0) return []
  const freeIds = free.map(({ id }) => id)
  const rows = await trx
    .updateTable('variants')
    .set(lease)
    .where('id', 'in', freeIds)
    .returning(['id', 'versionId', 'view'])
    .execute()
  return rows.toSorted((one, other) => one.id - other.id)
}

/** Deletes a supplier's waiting variants with one of these keys, of all versions. */
export async function deleteWaitingVariants(
  trx: WriteTransaction,
  { supplierId, viewKeys }: { supplierId: number; viewKeys: readonly string[] },
  now: number,
): Promise<void> {
  const waiting = selectWaiting(trx, now)
    .innerJoin('versions', 'versions.id', 'variants.versionId')
    .innerJoin('connections', 'connections.id', 'versions.connectionId')
    .select('variants.id')
    .where('connections.supplierId', '=', supplierId)
    .where('variants.viewKey', 'in', viewKeys)
  await trx.deleteFrom('variants').where('id', 'in', waiting).execute()
}

/** Deletes a connection's waiting variants of other versions that no retailer reads. */
export async function deleteOutdatedWaitingVariants(
  trx: WriteTransaction,
  published: Published,
  now: number,
): Promise<void> {
  await trx
    .deleteFrom('variants')
    .where('id', 'in', selectOutdated(trx, published, now))
    .execute()
}

/** Whether there is one that `deleteOutdatedWaitingVariants` would delete. */
export async function hasOutdatedWaitingVariant(
  db: Db,
  published: Published,
  now: number,
): Promise<boolean> {
  return (await findOutdated(db, { ...published, now }).executeTakeFirst()) !== undefined
}

const findOutdated = prepare((db, { now, ...published }: Published & { now: number }) =>
  selectOutdated(db, published, now).limit(1),
)

type Published = { connectionId: number; versionId: number }

function selectOutdated(db: Db, { connectionId, versionId }: Published, now: number) {
  return selectWaiting(db, now)
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
}

function selectWaiting(db: Db, now: number) {
  return db
    .selectFrom('variants')
    .where('variants.status', '=', 'processing')
    .where((where) =>
      where.or([where('variants.leaseUntil', 'is', null), where('variants.leaseUntil', '<=', now)]),
    )
}
