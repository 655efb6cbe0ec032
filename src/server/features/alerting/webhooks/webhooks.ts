import type { z } from 'zod'

import { listAlertKinds } from '../../../../shared/alerts'
import { maskAddress } from '../../../../shared/masked-address'
import type {
  createWebhookInput,
  updateWebhookInput,
  Webhook,
} from '../../../../shared/schemas/webhook'
import { inTransaction, type Db } from '../../../db/open'
import type { Owned } from '../../../db/queries-kit/owned'
import type { WebhookRow } from '../../../db/schema'
import { isViewed, may, type Actor } from '../../../domain/actor'
import { countAttempts } from '../../../domain/attempts'
import type { Deps } from '../../../domain/deps'
import { DomainError, notFound } from '../../../domain/errors'
import { withFetchAllowAdvice } from '../../../domain/fetch-allow-advice'
import { toInstant, toInstantOrNull } from '../../../domain/instant'
import { toStoredAddress } from '../../../domain/stored-address'
import { showAddress } from '../../../secrets/sealed-address'
import {
  createWebhookSecret,
  webhookAddressOwner,
  webhookSecretPlace,
} from '../../../secrets/webhook-signature'
import { findLastAnswer } from '../outbox/outbox-log.queries'
import { recordWebhookAudit } from './record-webhook-audit'
import {
  deleteWebhookRow,
  findWebhook,
  insertWebhook,
  listWebhookRows,
  updateWebhookRow,
} from './webhooks.queries'

const MAX_WEBHOOKS = 10

/** Lists the caller's webhooks, each with what became of its last request. */
export async function listWebhooks(deps: Deps, actor: Actor): Promise<Webhook[]> {
  const rows = await listWebhookRows(deps.db, actor.id)
  return Promise.all(rows.map((row) => toWebhook(deps, row, actor)))
}

/** Whoever only looks at what the owner sees does not see the address, which may contain a secret. */
async function toWebhook(deps: Deps, row: WebhookRow, viewer: Actor): Promise<Webhook> {
  const last = await findLastAnswer(deps.db, row.id)
  return {
    id: row.id,
    url:
      isViewed(viewer) || !may(viewer, 'manage')
        ? maskAddress(row.url)
        : showAddress(deps.secrets, row, webhookAddressOwner(row.userId)),
    kinds: row.kinds,
    isActive: row.isActive,
    switchedOffAt: toInstantOrNull(row.switchedOffAt),
    createdAt: toInstant(row.createdAt),
    last: last
      ? {
          isDelivered: last.status === 'delivered',
          answer: withFetchAllowAdvice(viewer.role, last.answer ?? '', deps.config),
        }
      : null,
  }
}

/** @throws DomainError NOT_FOUND when it is not the caller's */
export async function loadWebhook(db: Db, actor: Actor, id: number): Promise<Owned<WebhookRow>> {
  const webhook = await findWebhook(db, { id, userId: actor.id })
  if (!webhook) throw notFound('Webhook')
  return webhook
}

/**
 * Adds a webhook. Its secret, which signs the requests, is returned once and stored encrypted.
 * @throws DomainError THROTTLED; CONFLICT when the caller has too many; INVALID for a kind that is not its own
 */
export async function createWebhook(
  deps: Deps,
  actor: Actor,
  settings: z.infer<typeof createWebhookInput>,
): Promise<{ id: number; secret: string }> {
  requireOwnKinds(actor, settings.kinds)
  await countAttempts(deps, [{ limit: 'createWebhook', subject: actor.id }])
  const secret = createWebhookSecret()
  const id = await inTransaction(deps.db, async (trx) => {
    if ((await listWebhookRows(trx, actor.id)).length >= MAX_WEBHOOKS) {
      throw new DomainError('CONFLICT', `You can have at most ${MAX_WEBHOOKS} webhooks`)
    }
    const stored = { ...settings, ...toStoredUrl(deps, actor, settings.url) }
    const inserted = await insertWebhook(trx, {
      userId: actor.id,
      ...stored,
      sealedSecret: deps.secrets.seal(secret, webhookSecretPlace(actor.id)),
      createdAt: deps.clock.now(),
    })
    const subject = { actor, id: inserted, url: stored.url }
    await recordWebhookAudit(trx, deps, subject, { verb: 'create', after: stored })
    return inserted
  })
  return { id, secret }
}

/** Saves a webhook. One that is switched on again, or has another address, begins anew. */
export async function updateWebhook(
  deps: Deps,
  actor: Actor,
  { id, ...settings }: z.infer<typeof updateWebhookInput>,
): Promise<void> {
  requireOwnKinds(actor, settings.kinds)
  await inTransaction(deps.db, async (trx) => {
    const before = await loadWebhook(trx, actor, id)
    const after = { ...settings, ...toStoredUrl(deps, actor, settings.url, before) }
    await updateWebhookRow(trx, before, { ...after, ...toHealth(before, after) })
    const subject = { actor, id, url: after.url }
    await recordWebhookAudit(trx, deps, subject, { verb: 'update', before, after })
  })
}

type Settings = Pick<WebhookRow, 'url' | 'sealedUrl' | 'isActive'>

function toHealth(before: WebhookRow, { url, sealedUrl, isActive }: Settings) {
  const isMoved = url !== before.url || sealedUrl !== before.sealedUrl
  return {
    ...(isActive && { switchedOffAt: null }),
    ...(isActive && !before.isActive && { failingSince: null }),
    ...(isMoved && { failingSince: null, isSlow: false }),
  }
}

export function deleteWebhook(deps: Deps, actor: Actor, id: number): Promise<void> {
  return inTransaction(deps.db, async (trx) => {
    const webhook = await loadWebhook(trx, actor, id)
    await deleteWebhookRow(trx, webhook)
    await recordWebhookAudit(trx, deps, { ...webhook, actor }, { verb: 'delete', before: webhook })
  })
}

/** Whatever it looks like, the address of a webhook is often all that is needed to post there. */
function toStoredUrl({ secrets }: Deps, { id }: Actor, address: string, before?: WebhookRow) {
  const { url, sealedUrl = null } = toStoredAddress(secrets, {
    address,
    field: 'url',
    owner: webhookAddressOwner(id),
    known: before,
    isSecret: true,
  })
  return { url, sealedUrl }
}

function requireOwnKinds({ role }: Actor, kinds: Webhook['kinds']): void {
  const own = listAlertKinds(role)
  if (kinds.every((kind) => own.includes(kind))) return
  throw new DomainError('INVALID', 'This does not concern your account', { field: 'kinds' })
}
