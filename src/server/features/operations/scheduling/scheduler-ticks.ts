import { MINUTE_MS } from '../../../../shared/durations'
import type { Config } from '../../../config'
import { deleteOldChanges } from '../../../db/change-topics'
import { inClaim, inLossyTransaction } from '../../../db/open'
import type { Deps } from '../../../domain/deps'
import { listOpenProblemsOf } from '../../alerting/alerts/problems.queries'
import { findLastTick, putLastTick } from './scheduler-ticks.queries'

/** Ticks that may be missed in a row, so that a slow one is no stop. */
const MISSED_TICKS = 5

/** How often ticks are recorded, and looked for: each record is a change of the database. */
export function tickIntervalMs({ stalledAfterMs }: Pick<Config, 'stalledAfterMs'>): number {
  return Math.min(MINUTE_MS, stalledAfterMs / MISSED_TICKS)
}

/**
 * Records that the scheduler has claimed all due work, unless any process recorded it lately, and forgets
 * old changes as often.
 */
export async function recordTick(deps: Deps): Promise<void> {
  const now = deps.clock.now()
  const last = await findLastTick(deps.db)
  // The clock may have been set back since.
  if (last !== null && Math.abs(now - last) < tickIntervalMs(deps.config)) return
  await inLossyTransaction(deps.db, (trx) => putLastTick(trx, now))
  // Not as if alone: that would make those fail who record changes meanwhile.
  await inClaim(deps.db, deleteOldChanges)
}

/** Whether no scheduler has worked for too long; read only, so that it is known on a full disk too. */
export async function isSchedulerStalled(deps: Deps): Promise<boolean> {
  const last = await findLastTick(deps.db)
  if (last === null || Math.abs(deps.clock.now() - last) > deps.config.stalledAfterMs) return true
  return (await listOpenProblemsOf(deps.db, 'scheduler.stalled')).length > 0
}
