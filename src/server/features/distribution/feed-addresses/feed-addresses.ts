import { FEED_ADDRESS_OVERLAP_HOURS } from '../../../../shared/constants'
import { HOUR_MS } from '../../../../shared/durations'
import type { FeedAddress, NewFeedAddress } from '../../../../shared/schemas/feed-address'
import { inTransaction, type WriteTransaction } from '../../../db/open'
import type { Owned } from '../../../db/queries-kit/owned'
import type { Actor } from '../../../domain/actor'
import { countAttempts } from '../../../domain/attempts'
import type { Deps } from '../../../domain/deps'
import {
  createSecretToken,
  endOfToken,
  hashSecretToken,
  toSecretLink,
} from '../../../domain/secret-token'
import { aboutRetailer, recordEvent } from '../../alerting/alerts/events'
import type { UserRecord } from '../../people/accounts/users.queries'
import { recordRetailerAudit } from '../../people/audit/audited-records'
import { loadRetailer } from '../retailers/retailers'
import { findRetailer, type RetailerRecord } from '../retailers/retailers.queries'
import {
  deleteFeedAddresses,
  insertFeedAddress,
  listFeedAddressRows,
  listRetailersWithFeedAddresses,
} from './feed-addresses.queries'

const OVERLAP_MS = FEED_ADDRESS_OVERLAP_HOURS * HOUR_MS

/** Lists the addresses from which a retailer's shop may read its file, newest first. */
export async function listFeedAddresses(
  deps: Deps,
  actor: Actor,
  retailerId: number,
): Promise<FeedAddress[]> {
  const { id } = await loadRetailer(deps.db, actor, retailerId)
  const rows = await listFeedAddressRows(deps.db, id, deps.clock.now())
  return rows.map(toSecretLink)
}

/**
 * Creates an address for a retailer's shop, which replaces the newest one within a day. The returned
 * path is stored nowhere and cannot be read again.
 * @throws DomainError NOT_FOUND when the actor may not see the retailer; THROTTLED
 */
export async function createFeedAddress(
  deps: Deps,
  actor: Actor,
  retailerId: number,
): Promise<NewFeedAddress> {
  await loadRetailer(deps.db, actor, retailerId)
  await countAttempts(deps, [{ limit: 'createFeedAddress', subject: actor.id }])
  const token = createSecretToken()
  await inTransaction(deps.db, async (trx) => {
    const retailer = await loadRetailer(trx, actor, retailerId)
    const createdAt = deps.clock.now()
    const [replaced] = await listFeedAddressRows(trx, retailer.id, createdAt)
    const stored = { tokenHash: hashSecretToken(token), tokenEnd: endOfToken(token), createdAt }
    await insertFeedAddress(trx, retailer, stored, createdAt + OVERLAP_MS)
    await recordRetailerAudit(trx, deps, retailer, { verb: 'create-feed-address' })
    await recordEvent(trx, aboutRetailer(retailer), {
      kind: 'retailer.token-rotated',
      now: createdAt,
      details: replaced ? {} : { isFirst: true },
    })
  })
  return { path: `/feeds/${token}/inventory.csv` }
}

/** Ends all addresses of a retailer at once. */
export function revokeFeedAddresses(deps: Deps, actor: Actor, retailerId: number): Promise<void> {
  return inTransaction(deps.db, async (trx) => {
    await endFeedAddresses(trx, deps, await loadRetailer(trx, actor, retailerId))
  })
}

/** Ends all addresses of a retailer's login, or of the retailers of a supplier; an administrator has none. */
export async function endFeedAddressesOf(
  trx: WriteTransaction,
  deps: Deps,
  user: UserRecord,
): Promise<void> {
  if (user.role === 'SUPER_ADMIN') return
  const scope = user.role === 'SUPPLIER' ? { supplierId: user.id } : { userId: user.id }
  for (const id of await listRetailersWithFeedAddresses(trx, scope)) {
    const retailer = await findRetailer(trx, id, scope)
    if (retailer) await endFeedAddresses(trx, deps, retailer)
  }
}

async function endFeedAddresses(
  trx: WriteTransaction,
  deps: Deps,
  retailer: Owned<RetailerRecord>,
): Promise<void> {
  await deleteFeedAddresses(trx, retailer)
  await recordRetailerAudit(trx, deps, retailer, { verb: 'revoke-feed-addresses' })
}
