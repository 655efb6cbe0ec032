import type { Db, WriteTransaction } from '../../../db/open'
import { inPages } from '../../../db/queries-kit/page'
import { COUNT, countDeleted, countRows } from '../../../db/queries-kit/results'
import type { SecondFactorRow } from '../../../db/schema'

export function findSecondFactor(db: Db, userId: number): Promise<SecondFactorRow | undefined> {
  return db.selectFrom('secondFactors').selectAll().where('userId', '=', userId).executeTakeFirst()
}

export async function insertSecondFactor(
  trx: WriteTransaction,
  factor: SecondFactorRow,
): Promise<void> {
  await trx.insertInto('secondFactors').values(factor).execute()
}

/**
 * Takes the code whose 30 seconds end at `end`, if neither it nor a later one was taken before: of two processes with
 * the same code, one succeeds.
 * @param latest until when codes can have been taken by now; beyond, the clock was ahead
 */
export async function takeCodeOf(
  trx: WriteTransaction,
  userId: number,
  { end, latest }: { end: number; latest: number },
): Promise<boolean> {
  const taken = await trx
    .updateTable('secondFactors')
    .set({ codesTakenUntil: end })
    .where('userId', '=', userId)
    .where((where) =>
      where.or([where('codesTakenUntil', '<', end), where('codesTakenUntil', '>', latest)]),
    )
    .returning('userId')
    .executeTakeFirst()
  return taken !== undefined
}

export async function updateSealedKey(
  trx: WriteTransaction,
  { userId, sealedKey }: Pick<SecondFactorRow, 'userId' | 'sealedKey'>,
): Promise<void> {
  await trx.updateTable('secondFactors').set({ sealedKey }).where('userId', '=', userId).execute()
}

/** Deletes the second factor of a person with its recovery codes; false when there was none. */
export async function deleteSecondFactor(trx: WriteTransaction, userId: number): Promise<boolean> {
  await trx.deleteFrom('recoveryCodes').where('userId', '=', userId).execute()
  return (await countDeleted(trx.deleteFrom('secondFactors').where('userId', '=', userId))) > 0
}

export async function replaceRecoveryCodes(
  trx: WriteTransaction,
  userId: number,
  codeHashes: readonly string[],
): Promise<void> {
  await trx.deleteFrom('recoveryCodes').where('userId', '=', userId).execute()
  await trx
    .insertInto('recoveryCodes')
    .values(codeHashes.map((codeHash) => ({ userId, codeHash })))
    .execute()
}

/** Deletes a recovery code; false when there is none, for example because it was used. */
export async function takeRecoveryCode(
  trx: WriteTransaction,
  userId: number,
  codeHash: string,
): Promise<boolean> {
  const taken = trx
    .deleteFrom('recoveryCodes')
    .where('userId', '=', userId)
    .where('codeHash', '=', codeHash)
  return (await countDeleted(taken)) > 0
}

export function countRecoveryCodes(db: Db, userId: number): Promise<number> {
  return countRows(db.selectFrom('recoveryCodes').where('userId', '=', userId).select(COUNT))
}

const PAGE_SIZE = 100

/** Yields all second factors, in pages. */
export function eachSecondFactor(db: Db): AsyncGenerator<SecondFactorRow[]> {
  return inPages(PAGE_SIZE, (after) =>
    db
      .selectFrom('secondFactors')
      .selectAll()
      .select('userId as id')
      .where('userId', '>', after)
      .orderBy('userId')
      .limit(PAGE_SIZE)
      .execute(),
  )
}
