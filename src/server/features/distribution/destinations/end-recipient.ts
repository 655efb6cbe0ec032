import type { WriteTransaction } from '../../../db/open'
import type { Deps } from '../../../domain/deps'
import { tellPerson } from '../../alerting/alerts/notices'
import { listAddressKeepers } from '../feed-addresses/feed-addresses.queries'
import type { RetailerRecord } from '../retailers/retailers.queries'
import { findDestination } from './destinations.queries'
import { dropRecipient } from './drop-recipient'

type Ended = {
  retailer: RetailerRecord
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
  { retailer, destinationId, userId, personName, reason }: Ended,
): Promise<void> {
  const destination = await findDestination(trx, { id: destinationId, retailerId: retailer.id })
  if (!destination?.recipients.includes(userId)) return
  const verb = 'drop-recipient'
  await dropRecipient(trx, deps, { retailer, destination, userId, verb, actor: null })
  const storeNames = [retailer.storeName ?? retailer.username]
  const names = { storeNames, destinationName: destination.name, personName }
  const details = { ...names, ...(reason !== undefined && { reason }) }
  for (const person of await listAddressKeepers(trx, retailer.userId)) {
    await tellPerson(trx, deps, person, { kind: 'account.recipient-refused', details })
  }
}
