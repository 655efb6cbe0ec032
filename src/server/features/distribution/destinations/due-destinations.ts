import { SECOND_MS } from '../../../../shared/durations'
import { inLossyTransaction } from '../../../db/open'
import type { Deps } from '../../../domain/deps'
import { wakeScheduler } from '../../../domain/wake-scheduler'
import { findSupplierWhoSends, makeDue, makeSoonDue } from './destinations.queries'

/** When a destination is looked at again whose file is being made, unless that is finished before. */
export const SOON_MS = 5 * SECOND_MS

/** Has destinations of a connection's retailers looked at, where a new file is to be sent to them. */
export async function checkDestinationsOf(deps: Deps, connectionId: number): Promise<void> {
  const supplierId = await findSupplierWhoSends(deps.db, connectionId)
  if (supplierId === undefined) return
  await inLossyTransaction(deps.db, (trx) => makeDue(trx, { supplierId }, deps.clock.now()))
  await wakeScheduler(deps)
}

/** Has destinations looked at whose files were being made, now that those of these connections are. */
export async function checkWaitingDestinations(
  deps: Deps,
  connectionIds: readonly number[],
): Promise<void> {
  for (const connectionId of connectionIds) {
    const supplierId = await findSupplierWhoSends(deps.db, connectionId)
    if (supplierId === undefined) continue
    const now = deps.clock.now()
    const soon = { now, until: now + SOON_MS }
    await inLossyTransaction(deps.db, (trx) => makeSoonDue(trx, { supplierId }, soon))
    await wakeScheduler(deps)
  }
}
