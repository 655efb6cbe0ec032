import type { AuditAction } from '../../../shared/audit-actions'
import type { Webhook } from '../../../shared/schemas/webhook'
import type { WriteTransaction } from '../../db/open'
import type { Actor } from '../../domain/actor'
import { hidden } from '../audit/audited-changes'
import { recordAudit, type AuditDeps } from '../audit/record-audit'

type Settings = Pick<Webhook, 'url' | 'kinds' | 'isActive'>
type WebhookVerb =
  Extract<AuditAction, `webhook.${string}`> extends `webhook.${infer Verb}` ? Verb : never

/** Records what a user did with one of its webhooks. An address may contain a secret: its host is named. */
export function recordWebhookAudit(
  trx: WriteTransaction,
  deps: AuditDeps,
  { actor, id, url }: { actor: Actor; id: number; url: string },
  { verb, before, after }: { verb: WebhookVerb; before?: Settings; after?: Settings },
): Promise<void> {
  return recordAudit(trx, deps, {
    action: `webhook.${verb}`,
    subject: { id, name: new URL(url).host },
    supplierId: actor.role === 'SUPPLIER' ? actor.id : null,
    ...(before && { before: toAudited(before) }),
    ...(after && { after: toAudited(after) }),
  })
}

const toAudited = ({ url, kinds, isActive }: Settings) => ({
  address: hidden(url, new URL(url).origin),
  kinds,
  isActive,
})
