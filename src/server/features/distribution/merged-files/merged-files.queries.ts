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

/** Whose parts of merged files are meant. */
export type PartsOf = { supplierId: number } | { groupId: number } | { retailerId: number }

/**
 * Has the merged files looked at that have a part of a supplier or of a group, each once it has been made for a minute;
 * that with a part of one retailer now.
 */
export async function checkMergedFilesOf(
  trx: WriteTransaction,
  of: PartsOf,
  now: number,
): Promise<boolean> {
  const [column, id] =
    'retailerId' in of
      ? (['retailers.id', of.retailerId] as const)
      : 'groupId' in of
        ? (['retailers.groupId', of.groupId] as const)
        : (['retailers.supplierId', of.supplierId] as const)
  const afterLast = sql<number>`case when "madeAt" > ${now - MADE_EVERY_MS} and "madeAt" <= ${now}
    then "madeAt" + ${MADE_EVERY_MS} else ${now} end`
  const soonest = 'retailerId' in of ? sql.val(now) : afterLast
  const { numUpdatedRows } = await trx
    .updateTable('mergedFiles')
    .set({ checkAt: soonest })
    .where('id', 'in', (eb) =>
      eb
        .selectFrom('mergedParts')
        .innerJoin('retailers', 'retailers.id', 'mergedParts.retailerId')
        .select('mergedParts.mergedFileId')
        .where(column, '=', id),
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

/** Whether one is due that nobody works on. */
export async function hasDueMergedFile(db: Db, now: number): Promise<boolean> {
  const due = await selectDue(db, now).select('id').limit(1).executeTakeFirst()
  return due !== undefined
}

function selectDue(db: Db, now: number) {
  return db
    .selectFrom('mergedFiles')
    .where(({ or, and, eb }) =>
      or([
        eb('checkAt', '<=', now),
        // It is never put off for so long: the clock was set back.
        eb('checkAt', '>', now + DAY_MS),
        // The process that looked at it has died.
        and([eb('checkAt', 'is', null), eb('leaseToken', 'is not', null)]),
      ]),
    )
    .where((where) => where.or([where('leaseUntil', 'is', null), where('leaseUntil', '<=', now)]))
}

/**
 * Lists those to look at next. Of each supplier that has a part of one, those that have been due for longest come first,
 * and suppliers take turns, so that one with many retailers delays nobody else's.
 */
export async function listDueMergedFiles(db: Db, now: number, most: number): Promise<number[]> {
  const turns = selectDue(db, now)
    .leftJoin('mergedParts', 'mergedParts.mergedFileId', 'mergedFiles.id')
    .leftJoin('retailers', 'retailers.id', 'mergedParts.retailerId')
    .select(({ fn }) => [
      'mergedFiles.id',
      fn
        .agg<number>('row_number')
        .over((over) =>
          over
            .partitionBy('retailers.supplierId')
            .orderBy('mergedFiles.checkAt')
            .orderBy('mergedFiles.id'),
        )
        .as('turn'),
    ])
  const due = await db
    .selectFrom(turns.as('due'))
    .select('id')
    .groupBy('id')
    .orderBy(({ fn }) => fn.min('turn'))
    .orderBy('id')
    .limit(most)
    .execute()
  return due.map(({ id }) => id)
}

/**
 * Claims one if it is still due. It is not due any more then, unless something changes meanwhile, or the lease runs out.
 */
export async function leaseDueMergedFile(
  trx: WriteTransaction,
  { id, now, leaseToken, leaseUntil }: Lease & { now: number; leaseUntil: number },
): Promise<MergedFileRow | undefined> {
  const next = selectDue(trx, now).select('id').where('id', '=', id)
  const due = await selectUnlocked(trx, next, ['mergedFiles']).executeTakeFirst()
  if (!due) return undefined
  return trx
    .updateTable('mergedFiles')
    .set({ leaseToken, leaseUntil, checkAt: null })
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirst()
}

type Lease = { id: number; leaseToken: string }

/** Updates one whose lease still holds. Returns false when the lease was lost. */
export async function updateLeasedMergedFile(
  trx: WriteTransaction,
  lease: Lease,
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
