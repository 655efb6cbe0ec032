import type { WriteTransaction } from '../../db/open'
import { readHost } from '../connections/source-config'
import { hasDeliveredElsewhere } from '../deliveries/delivery-log.queries'
import { hasFetchedSince, listRecentSyncRuns } from './sync-runs.queries'

/** Error codes that a failure of our own network causes as well as one of the source. */
const REACH_FAULTS = new Set<string | null>(['name-not-found', 'connect-failed', 'connect-timeout'])
const OUTAGE_WINDOW_MS = 60_000
const OUTAGE_MIN_HOSTS = 3
/** A request that succeeded since then proves that our network works. */
const PROOF_WINDOW_MS = 60 * 60_000

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

/**
 * Whether a request of a webhook may have failed because of our own network: its receiver could not be
 * reached, and within the last hour no source was fetched and no webhook elsewhere was delivered to, or
 * sources cannot be reached either.
 * @param webhook with the host and the error code of the failed request
 */
export async function mayBeOurNetwork(
  trx: WriteTransaction,
  { id, host, code, now }: { id: number; host: string; code: string | null; now: number },
): Promise<boolean> {
  if (!REACH_FAULTS.has(code)) return false
  const since = now - PROOF_WINDOW_MS
  const hasProof =
    (await hasFetchedSince(trx, since)) || (await hasDeliveredElsewhere(trx, { id, since }))
  return !hasProof || isOurNetworkDown(trx, { host, code, now })
}
