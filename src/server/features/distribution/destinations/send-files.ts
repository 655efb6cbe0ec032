import { randomUUID } from 'node:crypto'

import { HOUR_MS, MINUTE_MS, SECOND_MS } from '../../../../shared/durations'
import { inClaim, inTransaction } from '../../../db/open'
import type { DispatchRow } from '../../../db/schema'
import type { Deps } from '../../../domain/deps'
import { OUR_FAULT } from '../../../domain/errors'
import { LEASE_MS, LeaseLostError } from '../../../domain/lease'
import { runLeased } from '../../../domain/run-leased'
import { FileError, type FileErrorCode } from '../../../files/file-error'
import { findDestinationOf } from './destinations.queries'
import {
  hasDueDispatch,
  leaseDueDispatch,
  updateLeasedDispatch,
  type Lane,
} from './dispatches.queries'
import { recordAttempt, type Attempt } from './record-attempt'
import { findSentFile } from './sent-file'
import { isStillSeen } from './still-seen'
import { queueDueFiles } from './waiting-files'
import { SEND_BY_KIND } from './ways'

/** A run begins no more after this, so that it ends before the time limit of its job, which would break one off. */
const BEGINS_FOR_MS = 30 * MINUTE_MS
/** The longest that one try may take. */
export const LONGEST_TRY_MS = HOUR_MS
/** What took longer goes apart the next time. */
const SLOW_MS = 10 * SECOND_MS
const SLOW_CODES = new Set<FileErrorCode>([
  'answer-timeout',
  'connect-timeout',
  'stalled',
  'too-slow',
  'took-too-long',
])

/**
 * Sends files that are due, one after the other, of companies in turn, until none is. As long as more are due it asks for
 * another run beside it, of this or another process, so that none waits for a destination that hangs. Each is claimed with
 * a lease: if this process dies before the outcome is recorded, it is sent again, with the same name and key, and marked.
 */
export async function sendFiles(deps: Deps, lane: Lane, signal: AbortSignal): Promise<void> {
  const startedAt = performance.now()
  let lastUserId = 0
  while (!signal.aborted && performance.now() - startedAt < BEGINS_FOR_MS) {
    const leaseToken = randomUUID()
    const dispatch = await claim(deps, lane, { leaseToken, lastUserId })
    if (!dispatch) return
    lastUserId = dispatch.userId
    await queueDueFiles(deps, lane)
    await sendOne(deps, dispatch, leaseToken, signal)
  }
  await queueDueFiles(deps, lane)
}

/** Returns undefined when none is due. */
async function claim(
  deps: Deps,
  lane: Lane,
  { leaseToken, lastUserId }: { leaseToken: string; lastUserId: number },
) {
  // Reading is cheap; the write lock is taken only when something is due.
  if (!(await hasDueDispatch(deps.db, lane, deps.clock.now()))) return undefined
  return inClaim(deps.db, (trx) => {
    const now = deps.clock.now()
    return leaseDueDispatch(trx, lane, { now, leaseToken, leaseUntil: now + LEASE_MS }, lastUserId)
  })
}

async function sendOne(
  deps: Deps,
  dispatch: DispatchRow,
  leaseToken: string,
  signal: AbortSignal,
): Promise<void> {
  const lease = { id: dispatch.id, leaseToken }
  const renew = () =>
    inTransaction(deps.db, (trx) => {
      const now = deps.clock.now()
      return updateLeasedDispatch(trx, lease, now, { leaseUntil: now + LEASE_MS })
    })
  const finish = (attempt: Attempt) => recordAttempt(deps, { dispatch, leaseToken, attempt })
  const way = { hasBegun: false }
  await runLeased<Attempt, void>(
    {
      renew,
      work: async (workSignal) => {
        // A claim may be undone by a power failure, and then nobody would know that the file may have arrived.
        if (!(await renew())) throw new LeaseLostError('Another run has taken over')
        return attemptOnce(deps, dispatch, way, workSignal)
      },
      succeed: finish,
      fail: (error) => {
        const { hasBegun } = way
        if (signal.aborted) return finish({ outcome: 'stopped', hasBegun })
        deps.logger.error({ err: error, dispatchId: dispatch.id }, 'A file could not be sent')
        return finish({ outcome: 'failed', hasBegun, text: OUR_FAULT })
      },
      lose: async () => undefined,
    },
    signal,
  )
}

async function attemptOnce(
  deps: Deps,
  dispatch: DispatchRow,
  way: { hasBegun: boolean },
  runSignal: AbortSignal,
): Promise<Attempt> {
  const of = await findSentFile(deps.db, dispatch)
  const destination = await findDestinationOf(deps.db, dispatch)
  if (!of || !destination) throw new LeaseLostError('The destination is gone')
  if (!(await isStillSeen(deps.db, of, destination, dispatch.sha256))) {
    return { outcome: 'outdated' }
  }
  const timeout = AbortSignal.timeout(LONGEST_TRY_MS)
  const startedAt = performance.now()
  const { fileName, mediaType, sizeBytes, sha256, rowCount, versionName } = dispatch
  const outgoing = {
    of,
    destination,
    file: { fileName, mediaType, sizeBytes, sha256, rowCount, versionName },
    dispatchId: dispatch.id,
    idempotencyKey: dispatch.idempotencyKey,
    isRepeat: dispatch.isRepeat,
    body: () => {
      way.hasBegun = true
      return readStored(deps, sha256)
    },
    signal: AbortSignal.any([runSignal, timeout]),
  }
  try {
    const { text } = await SEND_BY_KIND[dispatch.kind](deps, outgoing)
    const isSlow = performance.now() - startedAt > SLOW_MS
    return { outcome: 'sent', text, isSlow, to: destination }
  } catch (error) {
    const { hasBegun } = way
    if (timeout.aborted && !runSignal.aborted) {
      const text = 'The other side did not take the file within an hour'
      return { outcome: 'failed', hasBegun, text, isSlow: true }
    }
    if (!(error instanceof FileError)) throw error
    const { code, message: text } = error
    const isSlow = SLOW_CODES.has(code) || performance.now() - startedAt > SLOW_MS
    return { outcome: 'failed', hasBegun, text, isSlow, code }
  }
}

/** A stored file as it is read, so that its length in memory does not matter. */
async function* readStored({ files }: Deps, sha256: string): AsyncGenerator<Buffer> {
  const stream = await files.read(sha256)
  for await (const chunk of stream) yield chunk as Buffer
}
