import type { Db, WriteTransaction } from '../../../db/open'
import type { Owned } from '../../../db/queries-kit/owned'
import { countDeleted } from '../../../db/queries-kit/results'
import type { MergedAddressRow, MergedFileRow } from '../../../db/schema'

/** Lists the addresses of a merged file that work at `now`, newest first. */
export function listMergedAddresses(
  db: Db,
  mergedFileId: number,
  now: number,
): Promise<MergedAddressRow[]> {
  return db
    .selectFrom('mergedAddresses')
    .selectAll()
    .where('mergedFileId', '=', mergedFileId)
    .where((where) => where.or([where('expiresAt', 'is', null), where('expiresAt', '>', now)]))
    .orderBy('id', 'desc')
    .execute()
}

/** Adds an address; the one that was the newest ends at `othersEndAt`, null: all others are deleted. */
export async function insertMergedAddress(
  trx: WriteTransaction,
  address: Pick<MergedAddressRow, 'mergedFileId' | 'tokenHash' | 'tokenEnd' | 'createdAt'>,
  othersEndAt: number | null,
): Promise<void> {
  const { mergedFileId } = address
  if (othersEndAt === null) {
    await trx.deleteFrom('mergedAddresses').where('mergedFileId', '=', mergedFileId).execute()
  } else {
    await trx
      .updateTable('mergedAddresses')
      .set({ expiresAt: othersEndAt })
      .where('mergedFileId', '=', mergedFileId)
      .where('expiresAt', 'is', null)
      .execute()
  }
  await trx.insertInto('mergedAddresses').values(address).execute()
}

/** Deletes all addresses of a merged file; returns how many. */
export async function deleteMergedAddresses(
  trx: WriteTransaction,
  { id }: Owned<MergedFileRow>,
): Promise<number> {
  return countDeleted(trx.deleteFrom('mergedAddresses').where('mergedFileId', '=', id))
}

/** Finds the merged file that is read at the address with this token, if its login is active. */
export function findMergedFileOfAddress(db: Db, tokenHash: string, now: number) {
  return db
    .selectFrom('mergedAddresses')
    .innerJoin('mergedFiles', 'mergedFiles.id', 'mergedAddresses.mergedFileId')
    .innerJoin('users', 'users.id', 'mergedFiles.userId')
    .select(['mergedAddresses.id as addressId', 'mergedAddresses.expiresAt as addressEndsAt'])
    .select(['mergedFiles.id', 'mergedFiles.userId', 'mergedFiles.profile'])
    .where('mergedAddresses.tokenHash', '=', tokenHash)
    .where('users.isActive', '=', true)
    .where(({ or, eb }) =>
      or([eb('mergedAddresses.expiresAt', 'is', null), eb('mergedAddresses.expiresAt', '>', now)]),
    )
    .executeTakeFirst()
}

/** Records a read of a merged file. */
export async function recordMergedRead(
  trx: WriteTransaction,
  { addressId, mergedFileId }: { addressId: number; mergedFileId: number },
  read: Pick<MergedAddressRow, 'lastUsedAt' | 'lastClient'>,
): Promise<void> {
  await trx.updateTable('mergedAddresses').set(read).where('id', '=', addressId).execute()
  await countMergedRead(trx, mergedFileId)
}

export async function countMergedRead(trx: WriteTransaction, mergedFileId: number): Promise<void> {
  await trx
    .updateTable('mergedFiles')
    .set(({ eb }) => ({ readCount: eb('readCount', '+', 1) }))
    .where('id', '=', mergedFileId)
    .execute()
}

/** Deletes addresses that have been replaced and ended. */
export function deleteExpiredMergedAddresses(trx: WriteTransaction, now: number): Promise<number> {
  return countDeleted(trx.deleteFrom('mergedAddresses').where('expiresAt', '<=', now))
}
