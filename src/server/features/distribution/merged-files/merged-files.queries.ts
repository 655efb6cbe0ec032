import { sql } from 'kysely'

import { DAY_MS, MINUTE_MS } from '../../../../shared/durations'
import type { Db, WriteTransaction } from '../../../db/open'
import { selectUnlocked } from '../../../db/queries-kit/claims'
import { isLeasedBy } from '../../../db/queries-kit/expressions'
import { asOwned, type Owned } from '../../../db/queries-kit/owned'
import { insertedId } from '../../../db/queries-kit/results'
import type { MergedFileChanges, MergedFileRow } from '../../../db/schema'

/** How long a merged file that was made stays as it is. */
export const MADE_EVERY_MS = MINUTE_MS

/** Finds the merged file of a retailer's company. */
export async function findMergedFile(
  db: Db,
  userId: number,
): Promise<Owned<MergedFileRow> | undefined> {
  const row = await db
    .selectFrom('mergedFiles')
    .selectAll()
    .where('userId', '=', userId)
    .executeTakeFirst()
  return row && asOwned(row)
}

export async function findMergedFileById(
  db: Db,
  id: number,
): Promise<Owned<MergedFileRow> | undefined> {
  const row = await db.selectFrom('mergedFiles').selectAll().where('id', '=', id).executeTakeFirst()
  return row && asOwned(row)
}

export function insertMergedFile(
  trx: WriteTransaction,
  file: Pick<MergedFileRow, 'userId' | 'profile' | 'mergedRules' | 'createdAt' | 'checkAt'>,
): Promise<number> {
  return insertedId(trx.insertInto('mergedFiles').values(file).returning('id'))
}

export async function updateMergedFile(
  trx: WriteTransaction,
  { id }: Owned<MergedFileRow>,
  changes: MergedFileChanges,
): Promise<void> {
  await trx.updateTable('mergedFiles').set(changes).where('id', '=', id).execute()
}

export async function deleteMergedFile(
  trx: WriteTransaction,
  { id }: Owned<MergedFileRow>,
): Promise<void> {
  await trx.deleteFrom('mergedFiles').where('id', '=', id).execute()
}

/** Has merged files looked at, not before the last one was made for a minute; `at`: those of one, at once. */
export async function checkMergedFilesOf(
  trx: WriteTransaction,
  supplierId: number,
  now: number,
): Promise<boolean> {
  const soonest = sql<number>`case when "madeAt" > ${now - MADE_EVERY_MS} and "madeAt" <= ${now}
    then "madeAt" + ${MADE_EVERY_MS} else ${now} end`
  const { numUpdatedRows } = await trx
    .updateTable('mergedFiles')
    .set({ checkAt: soonest })
    .where('id', 'in', (eb) =>
      eb
        .selectFrom('mergedParts')
        .innerJoin('retailers', 'retailers.id', 'mergedParts.retailerId')
        .select('mergedParts.mergedFileId')
        .where('retailers.supplierId', '=', supplierId),
    )
    .where((where) => where.or([where('checkAt', 'is', null), where('checkAt', '>', soonest)]))
    .executeTakeFirst()
  return numUpdatedRows > 0n
}

/** Whether a merged file of the retailers of a supplier has a part of it. */
export async function hasMergedFilesOf(db: Db, supplierId: number): Promise<boolean> {
  const one = await db
    .selectFrom('mergedParts')
    .innerJoin('retailers', 'retailers.id', 'mergedParts.retailerId')
    .select('mergedParts.id')
    .where('retailers.supplierId', '=', supplierId)
    .limit(1)
    .executeTakeFirst()
  return one !== undefined
}

/** Has one looked at now, unless that is due already. */
export async function checkMergedFile(
  trx: WriteTransaction,
  id: number,
  now: number,
): Promise<void> {
  await trx
    .updateTable('mergedFiles')
    .set({ checkAt: now })
    .where('id', '=', id)
    .where((where) => where.or([where('checkAt', 'is', null), where('checkAt', '>', now)]))
    .execute()
}

/** Has the merged file looked at now that has a part of this retailer, if any: what it may have is another thing. */
export async function checkMergedFileWith(
  trx: WriteTransaction,
  { id }: { id: number },
  now: number,
): Promise<void> {
  await trx
    .updateTable('mergedFiles')
    .set({ checkAt: now })
    .where('id', 'in', (eb) =>
      eb.selectFrom('mergedParts').select('mergedFileId').where('retailerId', '=', id),
    )
    .execute()
}

/** Whether one is due that nobody works on. */
export async function hasDueMergedFile(db: Db, now: number): Promise<boolean> {
  const due = await selectDue(db, now).limit(1).executeTakeFirst()
  return due !== undefined
}

function selectDue(db: Db, now: number) {
  return (
    db
      .selectFrom('mergedFiles')
      .select('id')
      // It is never put off for so long: the clock was set back.
      .where(({ or, eb }) => or([eb('checkAt', '<=', now), eb('checkAt', '>', now + DAY_MS)]))
      .where((where) => where.or([where('leaseUntil', 'is', null), where('leaseUntil', '<=', now)]))
  )
}

/**
 * Claims the one that has been due for longest. It is due again when the lease ends, unless something changes before:
 * that makes it due earlier.
 */
export async function leaseDueMergedFile(
  trx: WriteTransaction,
  { now, leaseToken, leaseUntil }: { now: number; leaseToken: string; leaseUntil: number },
): Promise<MergedFileRow | undefined> {
  const next = selectDue(trx, now).orderBy('checkAt').orderBy('id').limit(1)
  const due = await selectUnlocked(trx, next, ['mergedFiles']).executeTakeFirst()
  if (!due) return undefined
  return trx
    .updateTable('mergedFiles')
    .set({ leaseToken, leaseUntil, checkAt: leaseUntil })
    .where('id', '=', due.id)
    .returningAll()
    .executeTakeFirst()
}

/** Updates one whose lease still holds. Returns false when the lease was lost. */
export async function updateLeasedMergedFile(
  trx: WriteTransaction,
  lease: { id: number; leaseToken: string },
  now: number,
  changes: MergedFileChanges,
): Promise<boolean> {
  const { numUpdatedRows } = await trx
    .updateTable('mergedFiles')
    .set(changes)
    .where('id', '=', lease.id)
    .where(isLeasedBy(lease.leaseToken, now))
    .executeTakeFirst()
  return numUpdatedRows > 0n
}
