import type { WriteTransaction } from '../../../db/open'
import type { Deps } from '../../../domain/deps'
import { tellPerson } from '../../alerting/alerts/notices'
import { listAddressKeepers } from '../feed-addresses/feed-addresses.queries'
import { findDestinationOf } from './destinations.queries'
import { dropRecipient } from './drop-recipient'
import { shopNameOf, type SentFile } from './sent-file'

type Ended = {
  of: SentFile
  destinationId: number
  userId: number
  personName: string
  /** Of a mail that came back: what was said of it. */
  reason?: string
}

/** Sends no more files of a destination to somebody, and tells those who see to the shop, once. */
export async function endRecipient(
  trx: WriteTransaction,
  deps: Deps,
  { of, destinationId, userId, personName, reason }: Ended,
): Promise<void> {
  const destination = await findDestinationOf(trx, { ...of, destinationId })
  if (!destination?.recipients.includes(userId)) return
  const verb = 'drop-recipient'
  await dropRecipient(trx, deps, { of, destination, userId, verb, actor: null })
  const storeNames = [shopNameOf(of)]
  const names = { storeNames, destinationName: destination.name, personName }
  const details = { ...names, ...(reason !== undefined && { reason }) }
  for (const person of await listAddressKeepers(trx, of.userId)) {
    await tellPerson(trx, deps, person, { kind: 'account.recipient-refused', details })
  }
}
