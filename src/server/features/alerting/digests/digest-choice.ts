import type { DigestChoice } from '../../../../shared/schemas/digest'
import { inTransaction, type Db, type WriteTransaction } from '../../../db/open'
import { may, requireArea, selfOf, type Actor } from '../../../domain/actor'
import type { Deps } from '../../../domain/deps'
import { DomainError } from '../../../domain/errors'
import { recordUserAudit } from '../../people/audit/record-audit'
import { findMailAddress } from '../alerts/choices.queries'
import {
  findDigest,
  findRetailerTimeZone,
  listPresentBases,
  putDigest,
  switchDigestOff,
} from './digests.queries'
import { nextDigestAt } from './next-digest'

const DEFAULT_PERCENT = 5

/** How the caller gets digests; null for whom there are none: administrators, and people who see no files. */
export async function readDigestChoice(db: Db, actor: Actor): Promise<DigestChoice | null> {
  if (!hasDigests(actor)) return null
  const known = await findDigest(db, selfOf(actor).id)
  if (known) {
    const { period, weekday, timeZone, pricePercent, categories } = known
    return { period, weekday, timeZone, pricePercent, categories }
  }
  const timeZone = actor.role === 'RETAILER' ? await findRetailerTimeZone(db, actor.id) : undefined
  return {
    period: null,
    weekday: 1,
    timeZone: timeZone ?? 'UTC',
    pricePercent: DEFAULT_PERCENT,
    categories: [],
  }
}

/** @throws DomainError INVALID without a confirmed address; FORBIDDEN for people who see no files */
export async function saveDigestChoice(
  deps: Deps,
  actor: Actor,
  choice: DigestChoice,
): Promise<void> {
  requireArea(actor, 'files')
  const { id: userId } = selfOf(actor)
  await inTransaction(deps.db, async (trx) => {
    if (choice.period !== null) await requireAddress(trx, deps, userId)
    const known = await findDigest(trx, userId)
    const toldAt = known?.toldAt ?? null
    // What changed while there were none is not told afterwards.
    const isGoingOn = known !== undefined && known.period !== null && choice.period !== null
    await putDigest(trx, {
      userId,
      ...choice,
      bases: isGoingOn ? known.bases : await listPresentBases(trx, actor),
      dueAt: nextDigestAt({ ...choice, toldAt }, deps.clock.now()),
      toldAt,
      skipsUntil: null,
      leaseToken: null,
      leaseUntil: null,
    })
    await recordUserAudit(trx, deps, selfOf(actor), {
      action: 'user.choose-digest',
      ...(known && { before: toState(known) }),
      after: toState(choice),
    })
  })
}

/** Ends the digests of somebody in the transaction that ends other mails; returns which there were. */
export async function endDigest(
  trx: WriteTransaction,
  userId: number,
): Promise<DigestChoice['period']> {
  const period = (await findDigest(trx, userId))?.period ?? null
  if (period !== null) await switchDigestOff(trx, userId)
  return period
}

const hasDigests = (actor: Actor) => actor.role !== 'SUPER_ADMIN' && may(actor, 'files')

async function requireAddress(trx: WriteTransaction, deps: Deps, userId: number): Promise<void> {
  const address = (await findMailAddress(trx, userId))?.address ?? null
  if (deps.mail && address !== null) return
  const message = 'Add an e-mail address and confirm it first'
  throw new DomainError('INVALID', message, { field: 'period' })
}

function toState({ period, weekday, timeZone, pricePercent, categories }: DigestChoice) {
  return { period, weekday, timeZone, pricePercent, categories: categories.join(', ') }
}
