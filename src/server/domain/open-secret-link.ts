import { inTransaction } from '../db/open'
import { countAttempts } from './attempts'
import { deleteAttempts } from './attempts.queries'
import type { Deps } from './deps'
import type { DomainError } from './errors'

/**
 * Finds what a secret link opens for somebody who is not signed in. Each try is counted as a wrong one
 * until it was right, so that one address can guess only so often; wrong ones are also counted in all, beyond
 * which they are refused without keeping anybody from a link that works.
 * @param address the caller's IP address
 * @param find returns undefined for a link that does not work, whatever the reason
 * @throws what `refuse` returns for such a link; DomainError THROTTLED
 */
export async function openSecretLink<Found>(
  deps: Deps,
  address: string,
  refuse: () => DomainError,
  find: () => Promise<Found | undefined>,
): Promise<Found> {
  const counted = await countAttempts(deps, [{ limit: 'openLink', subject: address }])
  const found = await find()
  if (!found) {
    await countAttempts(deps, [{ limit: 'openLinks', subject: 'all' }])
    throw refuse()
  }
  await inTransaction(deps.db, (trx) => deleteAttempts(trx, counted))
  return found
}
