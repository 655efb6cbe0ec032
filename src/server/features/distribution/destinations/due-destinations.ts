import { inLossyTransaction } from '../../../db/open'
import type { Deps } from '../../../domain/deps'
import { wakeScheduler } from '../../../domain/wake-scheduler'
import { findSupplierWhoSends, makeDue } from './destinations.queries'

/** Has destinations of a connection's retailers looked at, where a new file is to be sent to them. */
export async function checkDestinationsOf(deps: Deps, connectionId: number): Promise<void> {
  const supplierId = await findSupplierWhoSends(deps.db, connectionId)
  if (supplierId === undefined) return
  await inLossyTransaction(deps.db, (trx) => makeDue(trx, { supplierId }, deps.clock.now()))
  await wakeScheduler(deps)
}
