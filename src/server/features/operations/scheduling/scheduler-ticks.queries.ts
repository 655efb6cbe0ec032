import type { Db, WriteTransaction } from '../../../db/open'

/** There is one row, whichever process ticks. */
const ID = 1

/** Returns when any scheduler last worked; null when none ever did. */
export async function findLastTick(db: Db): Promise<number | null> {
  const row = await db
    .selectFrom('schedulerTicks')
    .select('lastTickAt')
    .where('id', '=', ID)
    .executeTakeFirst()
  return row?.lastTickAt ?? null
}

export async function putLastTick(trx: WriteTransaction, lastTickAt: number): Promise<void> {
  await trx
    .insertInto('schedulerTicks')
    .values({ id: ID, lastTickAt })
    .onConflict((conflict) => conflict.column('id').doUpdateSet({ lastTickAt }))
    .execute()
}
