import type { Db, WriteTransaction } from '../../../db/open'
import type { MergedPartChanges, MergedPartRow } from '../../../db/schema'

/** Lists the parts of a merged file, the preferred supplier's first. */
export function listMergedParts(db: Db, mergedFileId: number): Promise<MergedPartRow[]> {
  return db
    .selectFrom('mergedParts')
    .selectAll()
    .where('mergedFileId', '=', mergedFileId)
    .orderBy('place')
    .orderBy('id')
    .execute()
}

type ChosenPart = Pick<MergedPartRow, 'retailerId' | 'prefix' | 'currency' | 'costColumn'>

/** Makes these the parts of a merged file; those that it had keep what was written of them. */
export async function replaceMergedParts(
  trx: WriteTransaction,
  mergedFileId: number,
  parts: readonly ChosenPart[],
): Promise<void> {
  const ids = parts.map(({ retailerId }) => retailerId)
  await trx
    .deleteFrom('mergedParts')
    .where('mergedFileId', '=', mergedFileId)
    .where('retailerId', 'not in', ids)
    .execute()
  await trx
    .insertInto('mergedParts')
    .values(
      parts.map(({ retailerId, prefix, currency, costColumn }, place) => ({
        mergedFileId,
        retailerId,
        place,
        prefix,
        currency,
        costColumn,
      })),
    )
    .onConflict((conflict) =>
      conflict.column('retailerId').doUpdateSet(({ ref }) => ({
        place: ref('excluded.place'),
        prefix: ref('excluded.prefix'),
        currency: ref('excluded.currency'),
        costColumn: ref('excluded.costColumn'),
      })),
    )
    .execute()
}

export async function updateMergedPart(
  trx: WriteTransaction,
  { id }: Pick<MergedPartRow, 'id'>,
  changes: MergedPartChanges,
): Promise<void> {
  await trx.updateTable('mergedParts').set(changes).where('id', '=', id).execute()
}

/** Which of these suppliers are deactivated: they publish nothing more, and what they have published stays. */
export async function listInactiveSuppliers(
  db: Db,
  supplierIds: readonly number[],
): Promise<Set<number>> {
  if (supplierIds.length === 0) return new Set()
  const rows = await db
    .selectFrom('users')
    .select('id')
    .where('id', 'in', supplierIds)
    .where('isActive', '=', false)
    .execute()
  return new Set(rows.map(({ id }) => id))
}
