import type { Deps } from '../../domain/deps'
import { claimDueCronJobs } from '../cron-jobs/cron-claiming'
import { claimDueSyncs } from '../syncs/sync-claiming'
import { hasWaitingVariant } from '../variants/waiting-variants.queries'

const MINUTE_MS = 60_000
const MAX_PAUSE_MS = 6 * 60 * MINUTE_MS
/** The longest that a source can make us wait. */
export const MAX_RETRY_AFTER_MS = 24 * 60 * MINUTE_MS
const JITTER = 0.1

/** Takes the connections and jobs that are due and the filtered files that wait, and queues their work. */
export async function claimDueWork(deps: Deps): Promise<void> {
  await claimDueSyncs(deps)
  await claimDueCronJobs(deps)
  if (await hasWaitingVariant(deps.db, deps.clock.now())) {
    await deps.queue.add({ job: 'build-variants', key: 'waiting', payload: {} })
  }
}

/** Asks a worker to look at once for what is due; without an answer its next tick finds it. */
export async function pokeScheduler(deps: Deps, where: { isLocal?: boolean } = {}): Promise<void> {
  await deps.queue.add({ job: 'claim-due-work', key: 'poke', payload: {}, ...where })
}

/** Real-time means once a minute, with a conditional request (reading 4). */
export function toPaceMs(syncFrequencyMinutes: number): number {
  return Math.max(syncFrequencyMinutes, 1) * MINUTE_MS
}

/**
 * How long to wait after the n-th failure in a row: 1, 2, 4, 8 … minutes within 10 %, at most six
 * hours, and never less than a minute, the pace of a real-time connection. A source that asks for
 * more time gets it, up to a day.
 * @param random a number from 0 to 1
 */
export function toPauseMs(failures: number, retryAfterMs: number, random: number): number {
  const doubled = Math.min(MINUTE_MS * 2 ** Math.max(failures - 1, 0), MAX_PAUSE_MS)
  const jittered = doubled * (1 - JITTER + 2 * JITTER * random)
  return Math.max(jittered, MINUTE_MS, Math.min(retryAfterMs, MAX_RETRY_AFTER_MS))
}
