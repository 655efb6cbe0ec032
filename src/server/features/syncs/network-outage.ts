import type { WriteTransaction } from '../../db/open'
import { readHost } from '../connections/source-config'
import { listRecentSyncRuns } from './sync-runs.queries'

/** Error codes that a failure of our own network causes as well as one of the source. */
const REACH_FAULTS = new Set<string | null>(['name-not-found', 'connect-failed', 'connect-timeout'])
const OUTAGE_WINDOW_MS = 60_000
const OUTAGE_MIN_HOSTS = 3

/**
 * Whether a request to a host failed because of our own network, which is not counted against the host:
 * it and at least two hosts of sources, and more than half of those contacted within the last minute,
 * could not be reached.
 * @param trx in which the failure is recorded
 * @param code the error code of the failed request
 */
export async function isOurNetworkDown(
  trx: WriteTransaction,
  { host, code, now }: { host: string; code: string | null; now: number },
): Promise<boolean> {
  if (!REACH_FAULTS.has(code)) return false
  const runs = await listRecentSyncRuns(trx, now - OUTAGE_WINDOW_MS)
  const unreached = new Set([host])
  const hosts = new Set(unreached)
  for (const recent of runs) {
    hosts.add(readHost(recent))
    if (REACH_FAULTS.has(recent.errorCode)) unreached.add(readHost(recent))
  }
  return unreached.size >= OUTAGE_MIN_HOSTS && unreached.size > hosts.size / 2
}
