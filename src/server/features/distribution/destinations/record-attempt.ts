import { isDeepStrictEqual } from 'node:util'

import { MINUTE_MS } from '../../../../shared/durations'
import { RETRY_PAUSES_MS } from '../../../../shared/webhook-rules'
import { inTransaction, type WriteTransaction } from '../../../db/open'
import type { Owned } from '../../../db/queries-kit/owned'
import type { DestinationRow, DispatchChanges, DispatchRow } from '../../../db/schema'
import type { Deps } from '../../../domain/deps'
import { LeaseLostError } from '../../../domain/lease'
import { isOurNetworkDown } from '../../../domain/network-outage'
import { readHost } from '../../../domain/source-host'
import type { FileErrorCode } from '../../../files/file-error'
import { aboutMergedFile, aboutRetailer, recordEvent } from '../../alerting/alerts/events'
import { REPLACED, sentVersionOf } from './check-destinations'
import { recordDestinationAudit } from './destination-audit'
import { findDestinationOf, updateDestinationRow } from './destinations.queries'
import {
  giveUpWaiting,
  listWaitingFor,
  passOnTries,
  updateLeasedDispatch,
} from './dispatches.queries'
import { recordSentFile } from './record-sent-file'
import { findSentFile } from './sent-file'

/** How a try ended. `hasBegun`: the other side may have got all of the file. */
export type Attempt =
  | { outcome: 'sent'; text: string; isSlow: boolean; to: DestinationRow }
  | {
      outcome: 'failed'
      text: string
      hasBegun: boolean
      isSlow?: boolean
      code?: FileErrorCode
    }
  /** It was not made, since the file is not what the retailer sees any more. */
  | { outcome: 'outdated' }
  /** This process ends: it is made again by another one. */
  | { outcome: 'stopped'; hasBegun: boolean }

type Failed = Extract<Attempt, { outcome: 'failed' }>

const UNLEASED = { leaseToken: null, leaseUntil: null } as const
/** What is tried again only after somebody has changed something. */
const FINAL = new Set<FileErrorCode>([
  'address-refused',
  'bad-address',
  'bad-key',
  'credentials-unreadable',
  'host-key-changed',
  'host-key-unknown',
])
/** What does not count is tried again after this. */
const OUTAGE_PAUSE_MS = MINUTE_MS
const OUTDATED = 'What the retailer sees was changed'

type Recorded = { dispatch: DispatchRow; leaseToken: string; attempt: Attempt }

/** Records how a try ended, and what that means for its destination. @throws LeaseLostError */
export async function recordAttempt(
  deps: Deps,
  { dispatch, leaseToken, attempt }: Recorded,
): Promise<void> {
  await inTransaction(deps.db, async (trx) => {
    const { id } = dispatch
    const destination = await findDestinationOf(trx, dispatch)
    const outcome = await judge(trx, deps, { dispatch, destination, attempt })
    const changes = { ...outcome.changes, ...UNLEASED }
    const now = deps.clock.now()
    if (!(await updateLeasedDispatch(trx, { id, leaseToken }, now, changes))) {
      throw new LeaseLostError('Another run has taken over')
    }
    await outcome.follow?.()
  })
  if (attempt.outcome === 'stopped' || attempt.outcome === 'outdated') return
  const { kind, sizeBytes } = dispatch
  deps.metrics.dispatchTried({ kind, outcome: attempt.outcome, sizeBytes })
  if (attempt.outcome === 'sent') await recordSentFile(deps, dispatch)
}

/** What is recorded of the file, and done after that. */
type Verdict = { changes: DispatchChanges; follow?: () => Promise<void> }
type Judged = { dispatch: DispatchRow; destination: Owned<DestinationRow> | undefined }

async function judge(
  trx: WriteTransaction,
  deps: Deps,
  { attempt, ...judged }: Judged & { attempt: Attempt },
): Promise<Verdict> {
  const { dispatch, destination } = judged
  const now = deps.clock.now()
  switch (attempt.outcome) {
    case 'sent': {
      const changes = {
        status: 'sent',
        endedAt: now,
        nextAttemptAt: null,
        answer: attempt.text,
      } as const
      if (!destination) return { changes }
      return { changes, follow: () => recordSent(trx, deps, destination, { dispatch, attempt }) }
    }
    case 'outdated': {
      const attempts = dispatch.attempts - 1
      const ended = { status: 'skipped', endedAt: now, nextAttemptAt: null } as const
      const changes = { ...ended, attempts, answer: OUTDATED }
      if (!destination) return { changes }
      // The other side may have it, whatever it got before.
      const forgotten = dispatch.isRepeat && { sentVersionId: null, sentSha256: null }
      const next = { checkAt: now, ...forgotten }
      return { changes, follow: () => updateDestinationRow(trx, destination, next) }
    }
    case 'stopped': {
      // It was no fault of the other side.
      const { attempts, isRepeat } = dispatch
      return { changes: { attempts: attempts - 1, isRepeat: isRepeat || attempt.hasBegun } }
    }
    case 'failed':
      return judgeFailure(trx, deps, { ...judged, attempt })
  }
}

async function judgeFailure(
  trx: WriteTransaction,
  deps: Deps,
  { dispatch, destination, attempt }: Judged & { attempt: Failed },
): Promise<Verdict> {
  const now = deps.clock.now()
  const { text: answer, hasBegun, isSlow, code } = attempt
  const isRepeat = dispatch.isRepeat || hasBegun
  const ended = { status: 'failed', endedAt: now, nextAttemptAt: null, answer, isRepeat } as const
  if (!destination) return { changes: ended }
  const slow = async () => {
    if (isSlow !== undefined && isSlow !== destination.isSlow) {
      await updateDestinationRow(trx, destination, { isSlow })
    }
  }
  const isOurs = await isOurFault(trx, destination, { code, now })
  const attempts = isOurs ? dispatch.attempts - 1 : dispatch.attempts
  const pauseMs = isOurs ? OUTAGE_PAUSE_MS : RETRY_PAUSES_MS[attempts - 1]
  if (pauseMs === undefined || (code !== undefined && FINAL.has(code))) {
    return { changes: ended, follow: () => pause(trx, deps, destination, answer) }
  }
  const nextAttemptAt = now + pauseMs
  const newer = (await listWaitingFor(trx, destination)).find(({ id }) => id > dispatch.id)
  if (!newer) return { changes: { answer, isRepeat, attempts, nextAttemptAt }, follow: slow }
  const changes = { ...ended, status: 'skipped', answer: `${answer} ${REPLACED}.` } as const
  const follow = async () => {
    await passOnTries(trx, newer, { attempts, nextAttemptAt, answer })
    await slow()
  }
  return { changes, follow }
}

async function isOurFault(
  trx: WriteTransaction,
  destination: DestinationRow,
  { code = null, now }: { code?: FileErrorCode | null | undefined; now: number },
): Promise<boolean> {
  const host = readHost(destination)
  return host !== undefined && isOurNetworkDown(trx, { host, code, now })
}

type Sent = { dispatch: DispatchRow; attempt: Extract<Attempt, { outcome: 'sent' }> }

async function recordSent(
  trx: WriteTransaction,
  deps: Deps,
  destination: Owned<DestinationRow>,
  { dispatch, attempt }: Sent,
): Promise<void> {
  const { isSlow, to } = attempt
  // It went to where files went before a change meanwhile.
  if (!isSamePlace(to, destination)) return
  const sentVersionId = sentVersionOf(dispatch)
  const { sha256: sentSha256 } = dispatch
  const sentAt = deps.clock.now()
  await updateDestinationRow(trx, destination, { isSlow, sentVersionId, sentSha256, sentAt })
}

/** Whether all that is there now has been sent to; people who get no mail any more may have left it. */
const isSamePlace = (to: DestinationRow, now: DestinationRow): boolean =>
  isDeepStrictEqual(addressOf(to), addressOf(now)) &&
  now.recipients.every((id) => to.recipients.includes(id))

const addressOf = ({ config }: DestinationRow) => [config.url, config.sealedUrl]

/** Sends nothing more to a destination until somebody asks for it, and tells of it once. */
async function pause(
  trx: WriteTransaction,
  deps: Deps,
  destination: Owned<DestinationRow>,
  reason: string,
): Promise<void> {
  const of = await findSentFile(trx, destination)
  if (!of || destination.pausedAt !== null) return
  const now = deps.clock.now()
  await updateDestinationRow(trx, destination, {
    pausedAt: now,
    pausedReason: reason,
    checkAt: null,
  })
  await giveUpWaiting(trx, destination, { answer: 'The destination is paused', now })
  const { id, name } = destination
  await recordDestinationAudit(trx, deps, of, { verb: 'pause', id, name, actor: null })
  await recordEvent(trx, of.retailer ? aboutRetailer(of.retailer) : aboutMergedFile(of), {
    kind: 'delivery.stopped',
    now,
    details: { destinationName: name, reason },
  })
}
