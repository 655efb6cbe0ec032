import { MINUTE_MS } from '../../shared/durations'
import type { WriteTransaction } from '../db/open'
import { listRecentSyncRuns } from './network-outage.queries'
import { readHost } from './source-host'

/** Error codes that a failure of our own network causes as well as one of the source. */
const REACH_FAULTS = new Set<string | null>(['name-not-found', 'connect-failed', 'connect-timeout'])
const OUTAGE_WINDOW_MS = MINUTE_MS
const OUTAGE_MIN_HOSTS = 3

/** Whether a request with this error code did not reach its host. */
export function isReachFault(code: string | null): boolean {
  return REACH_FAULTS.has(code)
}

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
  if (!isReachFault(code)) return false
  const runs = await listRecentSyncRuns(trx, now - OUTAGE_WINDOW_MS)
  const unreached = new Set([host])
  const hosts = new Set(unreached)
  for (const recent of runs) {
    const contacted = readHost(recent)
    if (contacted === undefined) continue
    hosts.add(contacted)
    if (isReachFault(recent.errorCode)) unreached.add(contacted)
  }
  return unreached.size >= OUTAGE_MIN_HOSTS && unreached.size > hosts.size / 2
}
