import type { WriteTransaction } from '../../../db/open'
import type { ApiKeyRow } from '../../../db/schema'
import type { DeletedAccounts } from '../../../storage/deleted-accounts'
import { deleteApiKeysOf } from './api-keys.queries'

type EndingDeps = { deletedAccounts: DeletedAccounts }

/** Ends the keys of people. */
export async function endApiKeysOf(
  trx: WriteTransaction,
  deps: EndingDeps,
  people: readonly number[],
): Promise<void> {
  for (const key of await deleteApiKeysOf(trx, people)) await keepEnded(deps, key)
}

/** Lets a key stay ended whatever is restored. */
export const keepEnded = (
  { deletedAccounts }: EndingDeps,
  { id, createdAt }: Pick<ApiKeyRow, 'id' | 'createdAt'>,
): Promise<void> => deletedAccounts.add({ what: 'key', id, createdAt })
