import type { WriteTransaction } from '../../../db/open'
import type { Owned } from '../../../db/queries-kit/owned'
import type { DestinationRow } from '../../../db/schema'
import type { Deps } from '../../../domain/deps'
import type { UserRecord } from '../../people/accounts/users.queries'
import { recordDestinationAudit } from './destination-audit'
import { updateDestinationRow } from './destinations.queries'
import { deleteFileLinks } from './file-links.queries'
import type { SentFile } from './sent-file'

type Dropped = {
  of: SentFile
  destination: Owned<DestinationRow>
  userId: number
  verb: 'drop-recipient' | 'unsubscribe'
  actor: UserRecord | null
}

/** Sends no more mails of a destination to a person, whose links end. Without anybody left it is off. */
export async function dropRecipient(
  trx: WriteTransaction,
  deps: Deps,
  { of, destination, userId, verb, actor }: Dropped,
): Promise<void> {
  const recipients = destination.recipients.filter((id) => id !== userId)
  const isActive = destination.isActive && recipients.length > 0
  const changes = { recipients, isActive, ...(!isActive && { checkAt: null }) }
  await updateDestinationRow(trx, destination, changes)
  await deleteFileLinks(trx, { destinationId: destination.id, userId })
  const { id, name } = destination
  const states = { before: destination, after: { ...destination, ...changes } }
  await recordDestinationAudit(trx, deps, of, { verb, id, name, actor, ...states })
}
