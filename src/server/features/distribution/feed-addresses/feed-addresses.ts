import { FEED_ADDRESS_OVERLAP_HOURS } from '../../../../shared/constants'
import { HOUR_MS } from '../../../../shared/durations'
import type {
  FeedAddress,
  NewProtection,
  NewFeedAddress,
  ProtectFeedAddressInput,
} from '../../../../shared/schemas/feed-address'
import { inTransaction, type WriteTransaction } from '../../../db/open'
import type { Owned } from '../../../db/queries-kit/owned'
import type { FeedAddressRow } from '../../../db/schema'
import { selfOf, type Actor } from '../../../domain/actor'
import { countAttempts } from '../../../domain/attempts'
import type { Deps } from '../../../domain/deps'
import { notFound } from '../../../domain/errors'
import { readExpiry } from '../../../domain/expiry'
import { toInstant, toInstantOrNull } from '../../../domain/instant'
import { readNetwork } from '../../../domain/networks'
import {
  createSecretToken,
  endOfToken,
  hashSecretToken,
  toSecretLink,
} from '../../../domain/secret-token'
import { aboutRetailer, recordEvent } from '../../alerting/alerts/events'
import { tellPerson } from '../../alerting/alerts/notices'
import type { UserRecord } from '../../people/accounts/users.queries'
import { hidden } from '../../people/audit/audited-changes'
import { recordRetailerAudit } from '../../people/audit/audited-records'
import { loadRetailer } from '../retailers/retailers'
import { findRetailer, type RetailerRecord } from '../retailers/retailers.queries'
import {
  deleteFeedAddresses,
  insertFeedAddress,
  listAddressKeepers,
  listFeedAddressRows,
  listRetailersWithFeedAddresses,
  updateProtection,
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
  return rows.map(toFeedAddress)
}

const toFeedAddress = (row: FeedAddressRow): FeedAddress => ({
  ...toSecretLink(row),
  passwordEnd: row.passwordEnd,
  networks: row.networks,
  validUntil: toInstantOrNull(row.validUntil),
  lastRefusal:
    row.refusedAt === null || row.refusal === null
      ? null
      : {
          at: toInstant(row.refusedAt),
          reason: row.refusal,
          client: row.refusedClient,
          from: row.refusedFrom,
        },
})

/**
 * Creates an address for a retailer's shop, which replaces the newest one within a day, protected as that one is. The
 * returned path is stored nowhere and cannot be read again.
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
    const protection = replaced && keepProtection(replaced, createdAt)
    await insertFeedAddress(trx, retailer, { ...stored, ...protection }, createdAt + OVERLAP_MS)
    await recordRetailerAudit(trx, deps, retailer, { verb: 'create-feed-address' })
    await recordEvent(trx, aboutRetailer(retailer), {
      kind: 'retailer.token-rotated',
      now: createdAt,
      details: replaced ? {} : { isFirst: true },
    })
  })
  return { path: `/feeds/${token}/inventory.csv` }
}

/** An end that is over does not count for a new address. */
const keepProtection = (row: FeedAddressRow, now: number) => ({
  passwordHash: row.passwordHash,
  passwordEnd: row.passwordEnd,
  networks: row.networks,
  validUntil: row.validUntil !== null && row.validUntil > now ? row.validUntil : null,
})

/**
 * Changes what protects the addresses of a retailer, also those that were replaced. A new password is stored nowhere and
 * cannot be read again; the one before stops working at once.
 * @throws DomainError NOT_FOUND when the actor may not see the retailer, or it has no address; INVALID for a network or
 *   a time; THROTTLED
 */
export async function protectFeedAddresses(
  deps: Deps,
  actor: Actor,
  { id, password, networks, validUntil }: ProtectFeedAddressInput,
): Promise<NewProtection> {
  await loadRetailer(deps.db, actor, id)
  const now = deps.clock.now()
  const until = validUntil === undefined ? undefined : readExpiry(validUntil, now, 'validUntil')
  const listed = networks && [...new Set(networks.map(readNetwork))]
  await countAttempts(deps, [{ limit: 'changeAccess', subject: actor.id }])
  const token = password === 'new' ? createSecretToken() : null
  await inTransaction(deps.db, async (trx) => {
    const retailer = await loadRetailer(trx, actor, id)
    const [before] = await listFeedAddressRows(trx, retailer.id, now)
    if (!before) throw notFound('Feed address')
    const isPasswordChanged = password === 'new' || (password && before.passwordHash !== null)
    const changes = {
      ...(isPasswordChanged && toStoredPassword(token)),
      ...(listed && listed.join() !== before.networks.join() && { networks: listed }),
      ...(until !== undefined &&
        until !== before.validUntil && { validUntil: until, expiryToldAt: null }),
    }
    if (Object.keys(changes).length === 0) return
    await updateProtection(trx, retailer, changes)
    const states = {
      before: toAuditedProtection(before),
      after: toAuditedProtection({ ...before, ...changes }),
    }
    await recordRetailerAudit(trx, deps, retailer, { verb: 'protect-feed-addresses', ...states })
    await tellOthers(trx, deps, actor, retailer)
  })
  return { password: token }
}

/** Whoever sees to the shop, which may have to be given a password. */
async function tellOthers(
  trx: WriteTransaction,
  deps: Deps,
  actor: Actor,
  { userId, storeName, username }: RetailerRecord,
): Promise<void> {
  const details = { storeNames: [storeName ?? username] }
  for (const person of await listAddressKeepers(trx, userId)) {
    if (person.id === selfOf(actor).id) continue
    await tellPerson(trx, deps, person, { kind: 'account.feed-protection', details })
  }
}

const toStoredPassword = (token: string | null) =>
  token === null
    ? { passwordHash: null, passwordEnd: null }
    : { passwordHash: hashSecretToken(token), passwordEnd: endOfToken(token) }

const toAuditedProtection = ({
  passwordHash,
  passwordEnd,
  networks,
  validUntil,
}: Pick<FeedAddressRow, 'passwordHash' | 'passwordEnd' | 'networks' | 'validUntil'>) => ({
  password: passwordHash === null ? null : hidden([passwordHash], `…${passwordEnd}`),
  networks,
  validUntil: toInstantOrNull(validUntil),
})

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
