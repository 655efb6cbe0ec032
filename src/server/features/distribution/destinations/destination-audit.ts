import type { AuditVerb } from '../../../../shared/audit-actions'
import type { WriteTransaction } from '../../../db/open'
import type { DestinationRow } from '../../../db/schema'
import { selfOf, type Actor } from '../../../domain/actor'
import type { Deps } from '../../../domain/deps'
import { tellPerson } from '../../alerting/alerts/notices'
import type { UserRecord } from '../../people/accounts/users.queries'
import { toAuditedSource, toAuditedSubject } from '../../people/audit/audited-records'
import { recordAudit } from '../../people/audit/record-audit'
import { listAddressKeepers } from '../feed-addresses/feed-addresses.queries'
import { shopNameOf, type SentFile } from './sent-file'

type Settings = Pick<
  DestinationRow,
  | 'name'
  | 'config'
  | 'recipients'
  | 'method'
  | 'fileName'
  | 'profile'
  | 'times'
  | 'onlyIfChanged'
  | 'isActive'
>

type Audited = {
  verb: AuditVerb<'destination'>
  id?: number
  name: string
  before?: Settings
  after?: Settings
  actor?: UserRecord | null
}

/** Records what was done to a destination of a file. Suppliers do not see that of a merged one. */
export function recordDestinationAudit(
  trx: WriteTransaction,
  deps: Deps,
  { retailer, username }: SentFile,
  { verb, id, name, before, after, ...by }: Audited,
): Promise<void> {
  const { subject, supplierId } = retailer
    ? toAuditedSubject(retailer)
    : { subject: { name: `the merged file of ${username}` }, supplierId: null }
  return recordAudit(trx, deps, {
    action: `destination.${verb}`,
    subject: { id: id ?? null, name: `${name} of ${subject.name}` },
    supplierId,
    ...(before && { before: toAudited(before) }),
    ...(after && { after: toAudited(after) }),
    ...by,
  })
}

const toAudited = ({ config, recipients, ...row }: Settings) => ({
  name: row.name,
  ...(config.url !== '' && toAuditedSource(config)),
  recipients: recipients.map(String),
  method: row.method,
  fileName: row.fileName,
  profile: row.profile,
  times: row.times,
  onlyIfChanged: row.onlyIfChanged,
  isActive: row.isActive,
})

/** Tells those who see to the shop that its file is sent to another place. */
export async function tellKeepers(
  trx: WriteTransaction,
  deps: Deps,
  actor: Actor,
  { of, name }: { of: SentFile; name: string },
): Promise<void> {
  const { userId } = of
  const details = { storeNames: [shopNameOf(of)], destinationName: name }
  for (const person of await listAddressKeepers(trx, userId)) {
    if (person.id === selfOf(actor).id) continue
    await tellPerson(trx, deps, person, { kind: 'account.destination-changed', details })
  }
}
