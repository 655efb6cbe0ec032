import type { Db } from '../../../db/open'

/** Lists when the published files of these suppliers appeared. */
export function listPublicationTimes(db: Db, supplierIds: readonly number[]) {
  return db
    .selectFrom('connections')
    .innerJoin('versions', 'versions.id', 'connections.publishedVersionId')
    .select(['connections.supplierId', 'versions.publishedAt'])
    .where('connections.supplierId', 'in', supplierIds)
    .execute()
}

/** Counts the retailers of each of these suppliers that has any. */
export function countRetailersBySupplier(db: Db, supplierIds: readonly number[]) {
  return db
    .selectFrom('retailers')
    .select(({ fn }) => ['supplierId', fn.countAll<number>().as('count')])
    .where('supplierId', 'in', supplierIds)
    .groupBy('supplierId')
    .execute()
}
