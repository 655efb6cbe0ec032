import { DAY_MS, HOUR_MS } from '../../../../shared/durations'
import type { WriteTransaction } from '../../../db/open'
import type { Owned } from '../../../db/queries-kit/owned'
import type { WebhookRow } from '../../../db/schema'
import type { Deps } from '../../../domain/deps'
import { isOurNetworkDown, isReachFault } from '../../../domain/network-outage'
import { hasFetchedSince } from '../../../domain/network-outage.queries'
import { findUser } from '../../people/accounts/users.queries'
import { aboutWebhook, recordEvent } from '../alerts/events'
import { giveUpWaitingMessages, hasDeliveredElsewhere } from '../outbox/outbox-log.queries'
import type { Answer, Message } from '../outbox/send-messages'
import { recordWebhookAudit } from './record-webhook-audit'
import { findWebhook, updateWebhookRow } from './webhooks.queries'

/** A receiver that has failed for so long is switched off. */
const FAILING_FOR_MS = DAY_MS
/** A request that succeeded since then proves that our network works. */
const PROOF_WINDOW_MS = HOUR_MS

/**
 * Records what an answer tells of a webhook's receiver: whether it is slow, and since when it fails.
 * Switches it off when it has failed for a day. A failure that may be our own network's begins that day
 * anew: after an outage, the first true failure does not switch it off.
 */
export async function recordReceiver(
  trx: WriteTransaction,
  deps: Deps,
  { webhookId, userId }: Message,
  { receiver, isDelivered, text }: Answer,
): Promise<void> {
  const webhook = await findWebhook(trx, { id: webhookId ?? 0, userId })
  if (!receiver || !webhook) return
  const { isSlow, errorCode } = receiver
  const now = deps.clock.now()
  const contact = { id: webhook.id, host: new URL(webhook.url).host, code: errorCode ?? null, now }
  const isFailing = !isDelivered && !(await mayBeOurNetwork(trx, contact))
  // The clock may have been set back since.
  const failingSince = isFailing ? Math.min(webhook.failingSince ?? now, now) : null
  const isOver = failingSince !== null && now - failingSince >= FAILING_FOR_MS
  if (webhook.isActive && isOver) return switchOff(trx, deps, webhook, text)
  if (isSlow === webhook.isSlow && failingSince === webhook.failingSince) return
  await updateWebhookRow(trx, webhook, { isSlow, failingSince })
}

/**
 * Whether a request of a webhook may have failed because of our own network: its receiver could not be
 * reached, and within the last hour no source was fetched and no webhook elsewhere was delivered to, or
 * sources cannot be reached either.
 * @param webhook with the host and the error code of the failed request
 */
async function mayBeOurNetwork(
  trx: WriteTransaction,
  { id, host, code, now }: { id: number; host: string; code: string | null; now: number },
): Promise<boolean> {
  if (!isReachFault(code)) return false
  const since = now - PROOF_WINDOW_MS
  const hasProof =
    (await hasFetchedSince(trx, since)) || (await hasDeliveredElsewhere(trx, { id, since }))
  return !hasProof || isOurNetworkDown(trx, { host, code, now })
}

/** Gives up what waits for a webhook, and tells its owner. */
async function switchOff(
  trx: WriteTransaction,
  deps: Deps,
  webhook: Owned<WebhookRow>,
  reason: string,
): Promise<void> {
  const { id, url, userId } = webhook
  const owner = await findUser(trx, userId)
  if (!owner) return
  const now = deps.clock.now()
  const after = { isActive: false, switchedOffAt: now, failingSince: null }
  await updateWebhookRow(trx, webhook, after)
  const answer = 'The webhook was switched off before this was sent'
  await giveUpWaitingMessages(trx, webhook, { answer, now })
  const write = { verb: 'switch-off', before: webhook, after: { ...webhook, ...after } } as const
  await recordWebhookAudit(trx, deps, { actor: owner, id, url }, write)
  const details = { reason }
  await recordEvent(trx, aboutWebhook(webhook, owner), {
    kind: 'webhook.switched-off',
    now,
    details,
  })
}
