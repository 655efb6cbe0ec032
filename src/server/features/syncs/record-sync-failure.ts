import { inTransaction, type WriteTransaction } from '../../db/open'
import type { ConnectionChanges, ConnectionRow } from '../../db/schema'
import type { Deps } from '../../domain/deps'
import { DiskError, toRefusal } from '../../domain/disk'
import { LeaseLostError, RELEASED } from '../../domain/lease'
import { FeedError } from '../../feed/feed-error'
import { updateConnection } from '../connections/connections.queries'
import { readHost } from '../connections/source-config'
import { toRetryPauseMs } from './retry-pause'
import { loadHeldConnection, type SyncRun } from './sync-lease'
import { updateOpenSyncRun, listRecentSyncRuns } from './sync-runs.queries'
import { PostponedError, type SyncSlot } from './sync-slots'

/** Faults that our own network causes as well as a source's. */
const REACH_FAULTS = new Set<string | null>(['name-not-found', 'connect-failed', 'connect-timeout'])
/** The source was not at fault, and our disk may have room again at any time. */
const DISK_PAUSE_MS = 30_000
/** When a slow source is tried again that has made way for others. */
const POSTPONED_MS = 60_000
const OUTAGE_WINDOW_MS = 60_000
const OUTAGE_MIN_HOSTS = 3

/** How a failed run is recorded: on the run itself, and on the connection that it still holds. */
type Failure = {
  result: { outcome: 'failed' | 'postponed' | 'cancelled'; errorCode: string | null; error: string }
  changes: ConnectionChanges
}

/**
 * Records why a run ended without a result, and when the next one is due; `lastSync` stays.
 */
export async function recordSyncFailure(
  deps: Deps,
  { run, connection, slot }: { run: SyncRun; connection: ConnectionRow; slot: SyncSlot },
  error: unknown,
  signal: AbortSignal,
): Promise<Failure['result']> {
  const { result, changes } = await toFailure(deps, connection, error, signal)
  const isSlow = slot.pace.wasSlow() ? 1 : 0
  const failure: Failure = { result, changes: { ...changes, isSlow } }
  try {
    await inTransaction(deps.db, (trx) => record(trx, deps, run, failure))
    return failure.result
  } catch (fault) {
    if (!(fault instanceof LeaseLostError)) throw fault
    const lost = lostLease()
    await inTransaction(deps.db, (trx) => finishRun(trx, deps, run, lost))
    return lost.result
  }
}

async function record(trx: WriteTransaction, deps: Deps, run: SyncRun, failure: Failure) {
  const held = await loadHeldConnection(trx, run, deps.clock.now())
  await updateConnection(trx, held, { ...failure.changes, ...RELEASED })
  await finishRun(trx, deps, run, failure)
}

function finishRun(trx: WriteTransaction, deps: Deps, run: SyncRun, { result }: Failure) {
  return updateOpenSyncRun(trx, run.runId, { finishedAt: deps.clock.now(), ...result })
}

async function toFailure(
  deps: Deps,
  connection: ConnectionRow,
  error: unknown,
  signal: AbortSignal,
): Promise<Failure> {
  if (error instanceof LeaseLostError) return lostLease()
  if (error instanceof PostponedError) return postponed(deps)
  if (error instanceof FeedError) return toSourceFailure(deps, connection, error)
  if (signal.aborted) {
    return {
      // It stays due, as it was.
      result: { outcome: 'cancelled', errorCode: null, error: 'The sync was stopped' },
      changes: {},
    }
  }
  deps.logger.error({ err: error, connectionId: connection.id }, 'A sync failed on our side')
  if (toRefusal(error) instanceof DiskError) {
    const reason = 'The server cannot write at the moment. The sync will be tried again.'
    return failed(deps, 'disk', reason, { nextSyncAt: deps.clock.now() + DISK_PAUSE_MS })
  }
  const message = 'Something went wrong on our side. The sync will be tried again.'
  return failed(deps, 'internal', message, { nextSyncAt: nextAttempt(deps, 1) })
}

async function toSourceFailure(
  deps: Deps,
  connection: ConnectionRow,
  error: FeedError,
): Promise<Failure> {
  const isOwnFault = REACH_FAULTS.has(error.code) && (await isOurNetworkDown(deps, connection))
  const consecutiveFailures = connection.consecutiveFailures + (isOwnFault ? 0 : 1)
  return failed(deps, error.code, error.message, {
    consecutiveFailures,
    nextSyncAt: nextAttempt(deps, consecutiveFailures, error.retryAfterMs),
  })
}

function failed(deps: Deps, code: string, message: string, changes: ConnectionChanges): Failure {
  return {
    result: { outcome: 'failed', errorCode: code, error: message },
    changes: { lastAttemptAt: deps.clock.now(), lastError: message, ...changes },
  }
}

/** Its source was slow and others were waiting: that is no failure. */
function postponed(deps: Deps): Failure {
  const error =
    'Postponed: the source sends slowly, and others were waiting. The sync will be tried again.'
  const now = deps.clock.now()
  return {
    result: { outcome: 'postponed', errorCode: null, error },
    changes: { lastAttemptAt: now, lastError: error, nextSyncAt: now + POSTPONED_MS },
  }
}

/** The connection belongs to another run or has new settings: nothing is recorded on it. */
function lostLease(): Failure {
  const error = 'The connection was changed, or another run took over'
  return { result: { outcome: 'cancelled', errorCode: null, error }, changes: {} }
}

function nextAttempt(deps: Deps, failures: number, retryAfterMs = 0): number {
  return Math.ceil(deps.clock.now() + toRetryPauseMs(failures, retryAfterMs, Math.random()))
}

/**
 * When most of the hosts asked within the last minute could not be reached at all, the fault is our
 * own network's, and counts against no source.
 */
async function isOurNetworkDown(deps: Deps, connection: ConnectionRow): Promise<boolean> {
  const runs = await listRecentSyncRuns(deps.db, deps.clock.now() - OUTAGE_WINDOW_MS)
  const unreached = new Set([readHost(connection)])
  const hosts = new Set(unreached)
  for (const recent of runs) {
    hosts.add(readHost(recent))
    if (REACH_FAULTS.has(recent.errorCode)) unreached.add(readHost(recent))
  }
  return unreached.size >= OUTAGE_MIN_HOSTS && unreached.size > hosts.size / 2
}
