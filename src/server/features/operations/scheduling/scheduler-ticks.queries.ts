import type { Db, WriteTransaction } from '../../../db/open'
import { prepare } from '../../../db/queries-kit/prepare'

/** There is one row, whichever process ticks. */
const ID = 1

const selectLastTick = prepare((db) =>
  db.selectFrom('schedulerTicks').select('lastTickAt').where('id', '=', ID),
)

/** Returns when any scheduler last worked; null when none ever did. */
export async function findLastTick(db: Db): Promise<number | null> {
  return (await selectLastTick(db, {}).executeTakeFirst())?.lastTickAt ?? null
}

export async function putLastTick(trx: WriteTransaction, lastTickAt: number): Promise<void> {
  await trx
    .insertInto('schedulerTicks')
    .values({ id: ID, lastTickAt })
    .onConflict((conflict) => conflict.column('id').doUpdateSet({ lastTickAt }))
    .execute()
}
