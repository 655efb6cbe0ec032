import { describeAlert } from '../../../../shared/alert-text'
import type { Delivery } from '../../../../shared/schemas/webhook'
import { inTransaction } from '../../../db/open'
import type { Actor } from '../../../domain/actor'
import { countAttempts } from '../../../domain/attempts'
import type { Deps } from '../../../domain/deps'
import { DomainError } from '../../../domain/errors'
import { withFetchAllowAdvice } from '../../../domain/fetch-allow-advice'
import { toInstant, toInstantOrNull } from '../../../domain/instant'
import { wakeScheduler } from '../../../domain/wake-scheduler'
import { recordTest } from '../alerts/events'
import {
  insertTestMessage,
  listMessageRows,
  restartMessage,
} from '../outbox/outbox-log.queries'
import { recordWebhookAudit } from './record-webhook-audit'
import { loadWebhook } from './webhooks'

const SHOWN = 50

/** Lists the newest requests to one of the caller's webhooks. */
export async function listWebhookLog(deps: Deps, actor: Actor, id: number): Promise<Delivery[]> {
  const webhook = await loadWebhook(deps.db, actor, id)
  const rows = await listMessageRows(deps.db, webhook, SHOWN)
  return rows.map(({ details, ...row }) => ({
    id: row.id,
    kind: row.kind,
    title: describeAlert({ kind: row.kind, details }).title,
    createdAt: toInstant(row.createdAt),
    status: row.status,
    attempts: row.attempts,
    lastAttemptAt: toInstantOrNull(row.lastAttemptAt),
    nextAttemptAt: toInstantOrNull(row.nextAttemptAt),
    answer: withFetchAllowAdvice(actor.role, row.answer, deps.config),
  }))
}

/** Sends an event in which nothing has happened, also when the webhook is not active. */
export async function sendTest(deps: Deps, actor: Actor, id: number): Promise<void> {
  await countAttempts(deps, [{ limit: 'sendByHand', subject: actor.id }])
  await inTransaction(deps.db, async (trx) => {
    const now = deps.clock.now()
    const webhook = await loadWebhook(trx, actor, id)
    await insertTestMessage(trx, webhook, { eventId: await recordTest(trx, now), now })
    await recordWebhookAudit(trx, deps, { ...webhook, actor }, { verb: 'test' })
  })
  await wakeScheduler(deps)
}

/** @throws DomainError CONFLICT while the request waits for its next attempt anyway */
export async function sendAgain(
  deps: Deps,
  actor: Actor,
  { id, deliveryId }: { id: number; deliveryId: number },
): Promise<void> {
  await countAttempts(deps, [{ limit: 'sendByHand', subject: actor.id }])
  await inTransaction(deps.db, async (trx) => {
    const webhook = await loadWebhook(trx, actor, id)
    const delivery = { id: deliveryId, now: deps.clock.now() }
    if (!(await restartMessage(trx, webhook, delivery))) {
      throw new DomainError('CONFLICT', 'This request is not there any more, or is being sent')
    }
    await recordWebhookAudit(trx, deps, { ...webhook, actor }, { verb: 'send-again' })
  })
  await wakeScheduler(deps)
}
