import { isWantedByDefault, listAlertKinds, type AlertKind } from '../../../../shared/alerts'
import { ROLES } from '../../../../shared/constants'
import { inTransaction, type WriteTransaction } from '../../../db/open'
import type { EventRow } from '../../../db/schema'
import type { Deps } from '../../../domain/deps'
import { insertMessages } from '../outbox/outbox.queries'
import { findWaitingEvent, updateFanOut } from './events.queries'
import { countNoticeMail } from './notices'
import { insertNotifications } from './notifications.queries'
import { listActiveWebhooks, listRecipients } from './recipients.queries'

/** Recipients, and events, that are looked at in one transaction, so that none holds up other writes. */
const BATCH = { recipients: 500, events: 20 }

type Recipient = Awaited<ReturnType<typeof listRecipients>>[number]

/** Queues the job that determines recipients if any event waits for it. */
export async function queueWaitingEvents(deps: Deps): Promise<void> {
  if (await findWaitingEvent(deps.db)) await queueFanOut(deps)
}

const queueFanOut = (deps: Deps) =>
  deps.queue.add({ job: 'fan-out-events', key: 'waiting', payload: {} })

/**
 * Determines for each waiting event who is told and how. Each batch is one transaction, which also records how far it
 * came: a crash loses and repeats nothing.
 */
export async function fanOutEvents(deps: Deps, signal: AbortSignal): Promise<void> {
  let hasMore = true
  while (hasMore && !signal.aborted) {
    hasMore = await inTransaction(deps.db, (trx) => fanOutBatch(trx, deps))
  }
}

/** @returns whether more events may wait */
async function fanOutBatch(trx: WriteTransaction, deps: Deps): Promise<boolean> {
  let room = BATCH.recipients
  for (let events = 0; events < BATCH.events && room > 0; events++) {
    const event = await findWaitingEvent(trx)
    if (!event) return false
    room -= await fanOut(trx, deps, event, room)
  }
  return true
}

/** @returns the number of recipients who were looked at, at most `limit` */
async function fanOut(
  trx: WriteTransaction,
  deps: Deps,
  event: EventRow,
  limit: number,
): Promise<number> {
  const kind = event.kind as AlertKind
  const page = { afterId: event.fannedOutTo, limit }
  const recipients = await listRecipients(trx, { roles: rolesOf(event), event }, page)
  await tell(trx, deps, { event, kind, recipients })
  const last = recipients.at(-1)
  const isDone = !last || recipients.length < limit
  await updateFanOut(
    trx,
    event.id,
    isDone ? { fannedOutAt: deps.clock.now() } : { fannedOutTo: last.id },
  )
  return recipients.length
}

function rolesOf({ kind, details }: EventRow) {
  const { isForRetailersOnly = false, wasLate = false } = details
  return ROLES.filter((role) => {
    if (!listAlertKinds(role).some((known) => known === kind)) return false
    if (role !== 'RETAILER') return !isForRetailersOnly
    return kind !== 'feed.recovered' || wasLate
  })
}

async function tell(
  trx: WriteTransaction,
  deps: Deps,
  { event, kind, recipients }: { event: EventRow; kind: AlertKind; recipients: Recipient[] },
): Promise<void> {
  if (recipients.length === 0) return
  const now = deps.clock.now()
  const told = recipients.filter((user) => wants(user, kind, 'bell'))
  await insertNotifications(
    trx,
    event.id,
    told.map(({ id }) => id),
  )
  const mailed = deps.mail
    ? recipients.filter((user) => user.address !== null && wants(user, kind, 'mail'))
    : []
  const due = SPACED_MAILS.has(kind) ? await spaceOut(trx, deps, kind, mailed) : mailed
  const hooks = await listActiveWebhooks(
    trx,
    recipients.map(({ id }) => id),
  )
  await insertMessages(trx, event.id, now, [
    ...due.map(({ id }) => ({ userId: id, webhookId: null })),
    ...hooks
      .filter(({ kinds }) => kinds.includes(kind))
      .map(({ id, userId }) => ({ userId, webhookId: id })),
  ])
}

/** Kinds that somebody can cause again and again. */
const SPACED_MAILS: ReadonlySet<AlertKind> = new Set(['retailer.token-rotated'])

/** Those who have not had such a mail lately. */
async function spaceOut(
  trx: WriteTransaction,
  deps: Deps,
  kind: AlertKind,
  recipients: Recipient[],
): Promise<Recipient[]> {
  const due: Recipient[] = []
  for (const user of recipients) {
    if (await countNoticeMail(trx, deps, kind, user.id)) due.push(user)
  }
  return due
}

function wants(user: Recipient, kind: AlertKind, way: 'bell' | 'mail'): boolean {
  const choice = way === 'bell' ? user.bellChoice : user.mailChoice
  return choice ?? isWantedByDefault(user.role, kind, way)
}
