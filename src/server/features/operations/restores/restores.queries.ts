import type { Db, WriteTransaction } from '../../../db/open'
import { prepare } from '../../../db/queries-kit/prepare'
import type { RestoreRow } from '../../../db/schema'

const ONLY = 1

const selectRestore = prepare((db) => db.selectFrom('restores').selectAll())

export const findRestoreRow = (db: Db): Promise<RestoreRow | undefined> =>
  selectRestore(db, {}).executeTakeFirst()

/** Takes the place of the one before. */
export async function putRestore(
  trx: WriteTransaction,
  restore: Pick<RestoreRow, 'token' | 'backup' | 'requestedById' | 'requestedAt' | 'step'> &
    Partial<RestoreRow>,
): Promise<void> {
  await trx.deleteFrom('restores').execute()
  await trx
    .insertInto('restores')
    .values({ ...restore, id: ONLY })
    .execute()
}

export async function updateRestore(
  trx: WriteTransaction,
  token: string,
  changes: Partial<Omit<RestoreRow, 'id' | 'token'>>,
): Promise<void> {
  await trx.updateTable('restores').set(changes).where('token', '=', token).execute()
}

/** A restore that has stopped everything is over, and the data are as they were. */
export async function endStoppedRestore(
  trx: WriteTransaction,
  end: { endedAt: number; reason: string },
): Promise<void> {
  await trx
    .updateTable('restores')
    .set({ ...end, step: 'failed', detail: null, leaseToken: null, leaseUntil: null })
    .where('step', 'in', ['staging', 'stopping'])
    .execute()
}

/** How many files were published, and accounts and retailers made, since a time in Unix milliseconds. */
export async function countMadeSince(
  db: Db,
  since: number,
): Promise<{ versions: number; accounts: number; retailers: number }> {
  const count = async (table: 'versions' | 'users' | 'retailers') => {
    const found = await db
      .selectFrom(table)
      .select(({ fn }) => fn.countAll<number>().as('count'))
      .where('createdAt', '>', since)
      .executeTakeFirstOrThrow()
    return found.count
  }
  return {
    versions: await count('versions'),
    accounts: await count('users'),
    retailers: await count('retailers'),
  }
}
