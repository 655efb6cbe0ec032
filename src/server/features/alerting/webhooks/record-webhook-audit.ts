import type { AuditVerb } from '../../../../shared/audit-actions'
import { maskAddress } from '../../../../shared/masked-address'
import type { WriteTransaction } from '../../../db/open'
import type { WebhookRow } from '../../../db/schema'
import type { Actor } from '../../../domain/actor'
import { hidden } from '../../people/audit/audited-changes'
import { recordAudit, type AuditDeps } from '../../people/audit/record-audit'

type Settings = Pick<WebhookRow, 'url' | 'sealedUrl' | 'kinds' | 'isActive'>
/** Records what a user did with one of its webhooks. An address may contain a secret: its host is named. */
export function recordWebhookAudit(
  trx: WriteTransaction,
  deps: AuditDeps,
  { actor, id, url }: { actor: Actor; id: number; url: string },
  { verb, before, after }: { verb: AuditVerb<'webhook'>; before?: Settings; after?: Settings },
): Promise<void> {
  return recordAudit(trx, deps, {
    action: `webhook.${verb}`,
    subject: { id, name: new URL(url).host },
    supplierId: actor.role === 'SUPPLIER' ? actor.id : null,
    ...(before && { before: toAudited(before) }),
    ...(after && { after: toAudited(after) }),
  })
}

const toAudited = ({ url, sealedUrl, kinds, isActive }: Settings) => ({
  address: hidden([url, sealedUrl], maskAddress(url)),
  kinds,
  isActive,
})
