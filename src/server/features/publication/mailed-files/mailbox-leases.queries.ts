import type { WriteTransaction } from '../../../db/open'
import { isLeasedBy } from '../../../db/queries-kit/expressions'

type Lease = { mailbox: string; leaseToken: string; leaseUntil: number }

/** Takes a mailbox that no process reads. Returns false when another reads it. */
export async function claimMailbox(
  trx: WriteTransaction,
  lease: Lease,
  now: number,
): Promise<boolean> {
  const { mailbox } = lease
  await trx
    .deleteFrom('mailboxLeases')
    .where('mailbox', '=', mailbox)
    .where('leaseUntil', '<=', now)
    .execute()
  const { numInsertedOrUpdatedRows = 0n } = await trx
    .insertInto('mailboxLeases')
    .values(lease)
    .onConflict((conflict) => conflict.column('mailbox').doNothing())
    .executeTakeFirst()
  return numInsertedOrUpdatedRows > 0n
}

/** Extends a lease. Returns false when it has expired, or another process has it. */
export async function renewMailbox(
  trx: WriteTransaction,
  { leaseToken, leaseUntil }: Lease,
  now: number,
): Promise<boolean> {
  const { numUpdatedRows } = await trx
    .updateTable('mailboxLeases')
    .set({ leaseUntil })
    .where(isLeasedBy(leaseToken, now))
    .executeTakeFirst()
  return numUpdatedRows > 0n
}

export async function releaseMailbox(trx: WriteTransaction, leaseToken: string): Promise<void> {
  await trx.deleteFrom('mailboxLeases').where('leaseToken', '=', leaseToken).execute()
}
