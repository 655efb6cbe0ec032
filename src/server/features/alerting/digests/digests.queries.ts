import type { Insertable } from 'kysely'

import { DAY_MS } from '../../../../shared/durations'
import type { Db, WriteTransaction } from '../../../db/open'
import { selectUnlocked } from '../../../db/queries-kit/claims'
import { CAN_SIGN_IN, COMPANY_ID, isLeasedBy } from '../../../db/queries-kit/expressions'
import type { DigestRowChanges, DigestRow } from '../../../db/schema'
import type { DigestBase } from '../../../db/stored-json'
import type { DigestsTable } from '../../../db/tables/alerts'

/** One due later than a week is of a clock that was ahead. */
const LATEST_DUE_MS = 8 * DAY_MS

export function findDigest(db: Db, userId: number): Promise<DigestRow | undefined> {
  return db.selectFrom('digests').selectAll().where('userId', '=', userId).executeTakeFirst()
}

export async function putDigest(
  trx: WriteTransaction,
  digest: Insertable<DigestsTable>,
): Promise<void> {
  const { userId: _, ...changes } = digest
  await trx
    .insertInto('digests')
    .values(digest)
    .onConflict((conflict) => conflict.column('userId').doUpdateSet(changes))
    .execute()
}

/** Ends a user's digests; a run that is making one records nothing any more. */
export async function switchDigestOff(trx: WriteTransaction, userId: number): Promise<void> {
  await trx
    .updateTable('digests')
    .set({ period: null, dueAt: null, leaseToken: null, leaseUntil: null })
    .where('userId', '=', userId)
    .execute()
}

export async function deleteDigestOf(trx: WriteTransaction, userId: number): Promise<void> {
  await trx.deleteFrom('digests').where('userId', '=', userId).execute()
}

/** The published files of a supplier, or of the suppliers of a retailer: what is compared from now on. */
export async function listPresentBases(
  db: Db,
  company: { id: number; role: string },
): Promise<DigestBase[]> {
  const published = db
    .selectFrom('connections')
    .select('connections.publishedVersionId as versionId')
    .where('connections.publishedVersionId', 'is not', null)
    .$narrowType<{ versionId: number }>()
  if (company.role === 'SUPPLIER') {
    const rows = await published
      .select('connections.id')
      .where('connections.supplierId', '=', company.id)
      .execute()
    return rows.map(({ id, versionId }) => ({ key: connectionKey(id), versionId }))
  }
  const rows = await published
    .innerJoin('retailers', 'retailers.supplierId', 'connections.supplierId')
    .select('retailers.id')
    .select(({ fn }) =>
      fn
        .coalesce('retailers.currentVersionId', 'connections.publishedVersionId')
        .$castTo<number>()
        .as('versionId'),
    )
    .where('retailers.userId', '=', company.id)
    .execute()
  return rows.map(({ id, versionId }) => ({ key: retailerKey(id), versionId }))
}

export const connectionKey = (id: number) => `connection ${id}`
export const retailerKey = (id: number) => `retailer ${id}`

/** The time zone that a retailer company has chosen for its files. */
export async function findRetailerTimeZone(db: Db, userId: number): Promise<string | undefined> {
  const row = await db
    .selectFrom('retailers')
    .select('timeZone')
    .where('userId', '=', userId)
    .orderBy('id')
    .limit(1)
    .executeTakeFirst()
  return row?.timeZone
}

/** Those that are due of people who may sign in, see files, and have confirmed an address. */
const selectDue = (db: Db, now: number) =>
  db
    .selectFrom('digests')
    .innerJoin('users', 'users.id', 'digests.userId')
    .innerJoin('mailAddresses', 'mailAddresses.userId', 'users.id')
    .select('digests.userId')
    .where('digests.period', 'is not', null)
    .where(({ or, eb }) =>
      or([eb('digests.dueAt', '<=', now), eb('digests.dueAt', '>', now + LATEST_DUE_MS)]),
    )
    .where(({ or, eb }) =>
      or([eb('digests.leaseUntil', 'is', null), eb('digests.leaseUntil', '<=', now)]),
    )
    .where('mailAddresses.address', 'is not', null)
    .where('users.isActive', '=', true)
    .where(({ exists, selectFrom }) =>
      exists(
        selectFrom('users as company')
          .select('company.id')
          .where('company.id', '=', COMPANY_ID)
          .where('company.isActive', '=', true)
          .where('company.role', 'in', ['SUPPLIER', 'RETAILER']),
      ),
    )
    .where(({ or, eb }) =>
      or([eb('users.memberRole', 'is', null), eb('users.memberRole', '!=', 'TECHNICIAN')]),
    )
    .where(CAN_SIGN_IN)
    .orderBy('digests.dueAt')
    .orderBy('digests.userId')
    .limit(1)

export async function hasDueDigest(db: Db, now: number): Promise<boolean> {
  return (await selectDue(db, now).executeTakeFirst()) !== undefined
}

/** Claims the digest that has been due longest, in `inClaim`; undefined when none is due that no other claim is about. */
export async function leaseDueDigest(
  trx: WriteTransaction,
  lease: { now: number; leaseToken: string; leaseUntil: number },
): Promise<DigestRow | undefined> {
  const { now, leaseToken, leaseUntil } = lease
  const due = await selectUnlocked(trx, selectDue(trx, now), ['digests']).executeTakeFirst()
  if (!due) return undefined
  return trx
    .updateTable('digests')
    .set({ leaseToken, leaseUntil })
    .where('userId', '=', due.userId)
    .returningAll()
    .executeTakeFirst()
}

/** Updates a digest whose lease still holds. Returns false when the lease was lost. */
export async function updateLeasedDigest(
  trx: WriteTransaction,
  { userId, leaseToken }: { userId: number; leaseToken: string },
  now: number,
  changes: DigestRowChanges,
): Promise<boolean> {
  const { numUpdatedRows } = await trx
    .updateTable('digests')
    .set(changes)
    .where('userId', '=', userId)
    .where(isLeasedBy(leaseToken, now))
    .executeTakeFirst()
  return numUpdatedRows > 0n
}
