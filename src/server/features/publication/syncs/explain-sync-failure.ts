import { MINUTE_MS } from '../../../../shared/durations'
import type { WriteTransaction } from '../../../db/open'
import type { ConnectionChanges, ConnectionRow } from '../../../db/schema'
import type { Deps } from '../../../domain/deps'
import { isOurNetworkDown } from '../../../domain/network-outage'
import { DiskError, toRefusal } from '../../../domain/refusal'
import { readHost } from '../../../domain/source-host'
import { FileError } from '../../../files/file-error'
import { findNextSync } from '../../catalogue/connections/sync-interval'
import { hasWaitingFile } from '../../catalogue/connections/waiting-files.queries'
import { BaseChangedError, NothingToRead } from './fetch-file'
import { toRetryPauseMs } from './retry-pause'
import type { SyncRun } from './sync-lease'
import { PostponedError } from './sync-slots'

/**
 * Short and constant: the source was not at fault, and the disk may have room again at any time.
 */
const DISK_PAUSE_MS = 30_000
/** How long after being postponed a slow source is retried. */
const POSTPONED_MS = MINUTE_MS

/** What to record of a failed run: `result` on the run, `changes` on the connection. */
type SyncFailure = {
  result: { outcome: 'failed' | 'postponed' | 'cancelled'; errorCode: string | null; error: string }
  changes: ConnectionChanges
}

/** Logs an error that is neither its source's fault nor our intention. */
export function logUnexpectedFailure(
  deps: Deps,
  { id: connectionId }: ConnectionRow,
  err: unknown,
  signal: AbortSignal,
): void {
  if (err instanceof PostponedError || err instanceof FileError || signal.aborted) return
  if (err instanceof NothingToRead || err instanceof BaseChangedError) return
  deps.logger.error({ err, connectionId }, 'A sync failed with an unexpected error')
}

type FailedSync = {
  run: SyncRun
  connection: ConnectionRow
  error: unknown
  signal: AbortSignal
}

/**
 * Decides what to record for an error: the reason, and when the next attempt is due.
 * @param trx in which it is recorded, so that failures at the same time know of each other
 */
export async function explainSyncFailure(
  trx: WriteTransaction,
  deps: Deps,
  { run, connection, error, signal }: FailedSync,
): Promise<SyncFailure> {
  if (error instanceof PostponedError) return postponed(deps)
  if (error instanceof NothingToRead) return nothingToRead()
  if (error instanceof BaseChangedError) return baseChanged(deps)
  if (error instanceof FileError) {
    return run.received
      ? toReceivedFailure(trx, deps, connection, error)
      : toSourceFailure(trx, deps, connection, error)
  }
  if (signal.aborted) {
    return {
      // The connection stays due.
      result: { outcome: 'cancelled', errorCode: null, error: 'The sync was stopped' },
      changes: {},
    }
  }
  if (toRefusal(error) instanceof DiskError) {
    const reason = 'The server cannot write at the moment. The sync will be tried again.'
    return failed(deps, 'disk', reason, { nextSyncAt: deps.clock.now() + DISK_PAUSE_MS })
  }
  const message = 'Something went wrong on our side. The sync will be tried again.'
  return failed(deps, 'internal', message, { nextSyncAt: nextAttempt(deps, 1) })
}

/** A file that was sent is not read again: its sender has to send another one. */
async function toReceivedFailure(
  trx: WriteTransaction,
  deps: Deps,
  connection: ConnectionRow,
  error: FileError,
): Promise<SyncFailure> {
  return failed(deps, error.code, error.message, {
    consecutiveFailures: connection.consecutiveFailures + 1,
    nextSyncAt: await findNextSync(trx, connection, deps.clock.now()),
  })
}

function nothingToRead(): SyncFailure {
  const error = 'There is no file to read: this connection has no address'
  return {
    result: { outcome: 'cancelled', errorCode: null, error },
    changes: { nextSyncAt: null },
  }
}

function baseChanged(deps: Deps): SyncFailure {
  const error = 'Another file was published meanwhile. The update is read again.'
  return {
    result: { outcome: 'cancelled', errorCode: null, error },
    changes: { nextSyncAt: deps.clock.now() },
  }
}

async function toSourceFailure(
  trx: WriteTransaction,
  deps: Deps,
  connection: ConnectionRow,
  error: FileError,
): Promise<SyncFailure> {
  const host = readHost(connection)
  const contact = { code: error.code, now: deps.clock.now() }
  const isOwnFault = host !== undefined && (await isOurNetworkDown(trx, { host, ...contact }))
  const consecutiveFailures = connection.consecutiveFailures + (isOwnFault ? 0 : 1)
  const isNext = await hasWaitingFile(trx, connection.id)
  return failed(deps, error.code, error.message, {
    consecutiveFailures,
    nextSyncAt: isNext
      ? deps.clock.now()
      : nextAttempt(deps, consecutiveFailures, error.retryAfterMs),
  })
}

function failed(
  deps: Deps,
  code: string,
  message: string,
  changes: ConnectionChanges,
): SyncFailure {
  return {
    result: { outcome: 'failed', errorCode: code, error: message },
    changes: { lastAttemptAt: deps.clock.now(), lastError: message, ...changes },
  }
}

/** Not counted as a failure: the source was slow while other syncs were waiting. */
function postponed(deps: Deps): SyncFailure {
  const error =
    'Postponed: the source sends slowly, and others were waiting. The sync will be tried again.'
  const now = deps.clock.now()
  return {
    result: { outcome: 'postponed', errorCode: null, error },
    changes: { lastAttemptAt: now, lastError: error, nextSyncAt: now + POSTPONED_MS },
  }
}

function nextAttempt(deps: Deps, failures: number, retryAfterMs = 0): number {
  return Math.ceil(deps.clock.now() + toRetryPauseMs(failures, retryAfterMs, Math.random()))
}
