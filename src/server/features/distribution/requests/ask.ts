import { MAX_OPEN_REQUESTS } from '../../../../shared/constants'
import type { RequestAccessInput } from '../../../../shared/schemas/directory'
import { inTransaction } from '../../../db/open'
import type { SupplierCardRow } from '../../../db/schema'
import type { Actor } from '../../../domain/actor'
import { countAttempts } from '../../../domain/attempts'
import type { Deps } from '../../../domain/deps'
import { DomainError, notFound } from '../../../domain/errors'
import { toInstant } from '../../../domain/instant'
import { aboutSupplier, recordEvent } from '../../alerting/alerts/events'
import { isRetailerOf } from '../../people/accounts/linked-retailers.queries'
import { findUser } from '../../people/accounts/users.queries'
import { requireOwnPasswords } from '../../people/invitations/earlier-access'
import { findPublishedCard } from '../cards/cards.queries'
import { findAskAgain } from './directory'
import { recordRequestAudit } from './record-request'
import {
  countOpenRequests,
  deleteRequest,
  findRequestOf,
  findRequestToCard,
  saveRequest,
} from './requests.queries'

/**
 * Asks a supplier for its files.
 * @throws DomainError NOT_FOUND for every card that is not published; CONFLICT when the company has this supplier or has
 *   asked it, while it has to wait, when its account is to be deleted, and while somebody else may know a password;
 *   LIMIT_REACHED; THROTTLED
 */
export async function requestAccess(
  deps: Deps,
  retailer: Actor,
  { card: token, storeName, storeUrl, message }: RequestAccessInput,
): Promise<void> {
  await countAttempts(deps, [{ limit: 'requestAccess', subject: retailer.id }])
  await inTransaction(deps.db, async (trx) => {
    const card = await findPublishedCard(trx, token)
    if (!card) throw noCard()
    const pair = { supplierId: card.supplierId, userId: retailer.id }
    const now = deps.clock.now()
    const company = await findUser(trx, retailer.id)
    if (!company || company.deletionAt !== null) throw isLeaving()
    if (await isRetailerOf(trx, pair)) throw isSupplier()
    const before = await findRequestOf(trx, pair)
    if (before?.status === 'pending') throw isAsked(card)
    const askAgainAt = findAskAgain(before, now)
    if (askAgainAt !== null) throw tooEarly(card, askAgainAt)
    if ((await countOpenRequests(trx, retailer.id)) >= MAX_OPEN_REQUESTS) throw tooMany()
    await requireOwnPasswords(trx, retailer, 'ask again')
    const answer = { status: 'pending', createdAt: now, answeredAt: null } as const
    const asks = { storeName, storeUrl: storeUrl || null, message }
    await saveRequest(trx, { ...pair, ...asks, ...answer })
    const request = await findRequestOf(trx, pair)
    if (request) await recordRequestAudit(trx, deps, request, 'create')
    await recordEvent(trx, aboutSupplier({ id: card.supplierId }), {
      kind: 'retailer.asks',
      now,
      details: { storeName },
    })
  })
}

/** @throws DomainError NOT_FOUND when no request to this supplier waits */
export function withdrawRequest(deps: Deps, retailer: Actor, token: string): Promise<void> {
  return inTransaction(deps.db, async (trx) => {
    const request = await findRequestToCard(trx, retailer.id, token)
    if (request?.status !== 'pending') throw noCard()
    await deleteRequest(trx, request.id)
    await recordRequestAudit(trx, deps, request, 'withdraw')
  })
}

/** The one answer to every card that cannot be seen, so that it tells of no supplier. */
const noCard = () => notFound('Card')
const isLeaving = () =>
  new DomainError('CONFLICT', 'Your account is to be deleted. Keep it first, then ask.')
const isSupplier = () => new DomainError('CONFLICT', 'You get the files of this supplier already.')
const isAsked = ({ name }: SupplierCardRow) =>
  new DomainError('CONFLICT', `You have asked ${name} already. It has not answered yet.`)
const tooEarly = ({ name }: SupplierCardRow, at: number) =>
  new DomainError('CONFLICT', `You can ask ${name} again from ${toInstant(at).slice(0, 10)} on.`)
const tooMany = () =>
  new DomainError(
    'LIMIT_REACHED',
    `${MAX_OPEN_REQUESTS} of your requests wait for an answer. Withdraw one to ask another supplier.`,
  )
