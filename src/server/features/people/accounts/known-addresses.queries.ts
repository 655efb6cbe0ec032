import type { Db, WriteTransaction } from '../../../db/open'
import { countDeleted } from '../../../db/queries-kit/results'

/** When a user last signed in from an address; undefined when it never did. */
export async function findAddressSeenAt(
  db: Db,
  userId: number,
  address: string,
): Promise<number | undefined> {
  const row = await db
    .selectFrom('knownAddresses')
    .select('seenAt')
    .where('userId', '=', userId)
    .where('address', '=', address)
    .executeTakeFirst()
  return row?.seenAt
}

export async function upsertKnownAddress(
  trx: WriteTransaction,
  row: { userId: number; address: string; seenAt: number },
): Promise<void> {
  await trx
    .insertInto('knownAddresses')
    .values(row)
    .onConflict((conflict) =>
      conflict.columns(['userId', 'address']).doUpdateSet({ seenAt: row.seenAt }),
    )
    .execute()
}

export function deleteKnownAddressesBefore(trx: WriteTransaction, before: number): Promise<number> {
  return countDeleted(trx.deleteFrom('knownAddresses').where('seenAt', '<', before))
}
