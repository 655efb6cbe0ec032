import { inTransaction } from '../../../db/open'
import type { Deps } from '../../../domain/deps'
import type { DeletedAccount } from '../../../storage/deleted-accounts'
import { listAccounts } from '../../people/accounts/deleted-users.queries'
import { deleteEndedApiKeys } from '../../people/api-keys/api-keys.queries'
import { removeCompany, removePersonOf } from './remove-accounts'

const AT_ONCE = 400

/**
 * Deletes accounts and API keys again that were deleted since the backup was made that has been restored. Before anybody can
 * use the product; a database that was not restored has none of them.
 * @returns how many accounts
 */
export async function removeRestoredAccounts(deps: Deps, signal: AbortSignal): Promise<number> {
  const deleted = await deps.deletedAccounts.list()
  let count = 0
  for (let start = 0; start < deleted.length; start += AT_ONCE) {
    const some = deleted.slice(start, start + AT_ONCE)
    await endRestoredKeys(deps, some)
    for (const account of await listRestored(deps, some)) {
      if (account.what === 'login') {
        await removePersonOf(deps, account, { signal, staysCompany: true })
      } else if (account.isCompany) await removeCompany(deps, account, signal)
      else await removePersonOf(deps, account, { signal, staysCompany: false })
      count += 1
    }
  }
  return count
}

async function endRestoredKeys({ db }: Deps, deleted: readonly DeletedAccount[]): Promise<void> {
  const keys = deleted.filter(({ what }) => what === 'key')
  if (keys.length > 0) await inTransaction(db, (trx) => deleteEndedApiKeys(trx, keys))
}

async function listRestored(deps: Deps, ended: readonly DeletedAccount[]) {
  const deleted = ended.filter(({ what }) => what !== 'key')
  const ids = [...new Set(deleted.map(({ id }) => id))]
  const rows = new Map((await listAccounts(deps.db, ids)).map((row) => [row.id, row]))
  return deleted.flatMap((account) => {
    const row = rows.get(account.id)
    if (!row || row.createdAt !== account.createdAt) return []
    const canSignIn = row.passwordHash !== null || row.googleUid !== null
    if (account.what === 'login' && !canSignIn) return []
    return [{ ...account, isCompany: row.role === 'SUPPLIER' || row.role === 'RETAILER' }]
  })
}
