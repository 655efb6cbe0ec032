import { inLossyTransaction } from '../../../db/open'
import type { Deps } from '../../../domain/deps'
import { wakeScheduler } from '../../../domain/wake-scheduler'
import { findConnection } from '../../catalogue/connections/connections.queries'
import { hasDestinations, makeDue } from './destinations.queries'

/** Has destinations of a connection's retailers looked at, where a new file is to be sent to them. */
export async function checkDestinationsOf(deps: Deps, connectionId: number): Promise<void> {
  const connection = await findConnection(deps.db, connectionId, {})
  if (!connection) return
  const { supplierId } = connection
  // Most suppliers have none.
  if (!(await hasDestinations(deps.db, supplierId))) return
  await inLossyTransaction(deps.db, (trx) => makeDue(trx, { supplierId }, deps.clock.now()))
  await wakeScheduler(deps)
}
