import type { WriteTransaction } from '../../../db/open'
import { deletePasskeysOf } from '../passkeys/passkeys.queries'
import { deleteSecondFactor } from '../second-factor/second-factors.queries'

/** Deletes all that a person signs in with besides the password; tells what there was. */
export async function deleteFactorsOf(
  trx: WriteTransaction,
  userId: number,
): Promise<{ hadSecondFactor: boolean; passkeyNames: string[] }> {
  const hadSecondFactor = await deleteSecondFactor(trx, userId)
  return { hadSecondFactor, passkeyNames: await deletePasskeysOf(trx, userId) }
}
