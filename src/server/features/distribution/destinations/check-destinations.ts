import { createHash } from 'node:crypto'

import { MINUTE_MS, SECOND_MS } from '../../../../shared/durations'
import { inTransaction, type WriteTransaction } from '../../../db/open'
import type { Owned } from '../../../db/queries-kit/owned'
import type { DestinationRow, DispatchRow } from '../../../db/schema'
import type { Deps } from '../../../domain/deps'
import { isLeased } from '../../../domain/lease'
import { nextTimeOfDay } from '../../../domain/times-of-day'
import { requireStored } from '../stored-files/storage-cleaning'
import { findDestination, listDueDestinations, updateDestinationRow } from './destinations.queries'
import { giveUpWaiting, insertDispatch, listWaitingFor } from './dispatches.queries'
import { SOON_MS } from './due-destinations'
import { toSentName } from './file-names'
import { findFileToSend, type FileToSend } from './file-to-send'
import { findSentFile, MERGED, type SentFile } from './sent-file'

const AT_ONCE = 50
/** One that could not be looked at, and one whose file cannot be made now. */
const LATER_MS = 5 * MINUTE_MS

/** What is told of a file that is not sent any more. */
export const REPLACED = 'A newer file took its place'

/**
 * Looks at the destinations that are due: whether there is a file to send to each. The file waits then for its way; the
 * newest takes the place of one that waits already.
 */
export async function checkDestinations(deps: Deps, signal: AbortSignal): Promise<void> {
  for (;;) {
    const due = await listDueDestinations(deps.db, deps.clock.now(), AT_ONCE)
    for (const destination of due) {
      if (signal.aborted) return
      await checkOrPostpone(deps, destination)
    }
    if (due.length < AT_ONCE) return
  }
}

/** What fails of one holds up no other. */
async function checkOrPostpone(deps: Deps, destination: Owned<DestinationRow>): Promise<void> {
  try {
    await checkDestination(deps, destination)
  } catch (error) {
    const { id: destinationId } = destination
    deps.logger.error({ err: error, destinationId }, 'A destination could not be looked at')
    const checkAt = deps.clock.now() + LATER_MS
    await inTransaction(deps.db, (trx) => updateDestinationRow(trx, destination, { checkAt }))
  }
}

async function checkDestination(deps: Deps, seen: Owned<DestinationRow>): Promise<void> {
  const of = await findSentFile(deps.db, seen)
  if (!of) return
  const found = await findFileToSend(deps, of, seen.profile)
  await inTransaction(deps.db, async (trx) => {
    const destination = await findDestination(trx, seen)
    const isSeen = destination?.checkAt === seen.checkAt && destination.pausedAt === null
    // Somebody has changed it meanwhile, and it is looked at again.
    if (!isSeen || !destination.isActive) return
    const now = deps.clock.now()
    if (found.status === 'ready') await offer(trx, deps, { destination, of, file: found })
    const checkAt = nextCheck({ destination, of, found, now })
    await updateDestinationRow(trx, destination, { checkAt })
  })
}

type Found = Awaited<ReturnType<typeof findFileToSend>>
type Checked = { destination: DestinationRow; of: SentFile; found: Found; now: number }

/** When it is looked at again without anything happening; null: not at all. */
function nextCheck({ destination, of, found, now }: Checked): number | null {
  if (found.status === 'processing') return now + SOON_MS
  if (found.status === 'failed') return now + LATER_MS
  if (destination.times.length > 0) return nextTimeOfDay(destination.times, of.timeZone, now)
  if (found.status !== 'ready' || found.until === Infinity) return null
  return Math.max(found.until, now + SECOND_MS)
}

type Offer = { destination: Owned<DestinationRow>; of: SentFile; file: FileToSend }

/** Lets a file wait for its way, unless the destination has it, or gets it already. */
async function offer(trx: WriteTransaction, deps: Deps, { destination, of, file }: Offer) {
  const now = deps.clock.now()
  const pending = await listWaitingFor(trx, destination)
  const running = pending.find((dispatch) => isLeased(dispatch, now))
  const waiting = pending.filter((dispatch) => dispatch !== running)
  if (waiting.some((dispatch) => isSame(destination, file, dispatch))) return
  const hasIt = running
    ? isSame(destination, file, running)
    : isWithoutNeed(destination, file) && !waiting.some(({ isRepeat }) => isRepeat)
  await giveUpWaiting(trx, destination, { answer: REPLACED, now })
  if (hasIt) return
  await requireStored(trx, deps, [file.sha256])
  const { version, sha256, sizeBytes, rowCount, form } = file
  const fileName = toSentName(destination.fileName, {
    supplierName: of.merged ? MERGED : (of.supplierName ?? ''),
    versionId: version.id,
    at: now,
    timeZone: of.timeZone,
    extension: form.extension,
  })
  await insertDispatch(trx, destination, {
    [of.merged ? 'mergedVersionId' : 'versionId']: version.id,
    versionName: version.fileName,
    fileName,
    mediaType: form.mediaType,
    sha256,
    sizeBytes,
    rowCount,
    idempotencyKey: toKey(destination, file),
    createdAt: now,
    nextAttemptAt: now,
    ...takeOver(waiting),
  })
}

type Content = Pick<DispatchRow, 'versionId' | 'mergedVersionId' | 'sha256'>

/** The version of a supplier's file, or of a merged one, that was sent. */
export const sentVersionOf = ({ versionId, mergedVersionId }: Omit<Content, 'sha256'>) =>
  versionId ?? mergedVersionId

const isSame = ({ onlyIfChanged }: DestinationRow, file: FileToSend, sent: Content) =>
  sent.sha256 === file.sha256 && (onlyIfChanged || sentVersionOf(sent) === file.version.id)

/** Whether the destination got this file last, and does not get it again at each of its times. */
function isWithoutNeed(destination: DestinationRow, file: FileToSend): boolean {
  const { sentSha256: sha256, sentVersionId: versionId, onlyIfChanged, times } = destination
  if (sha256 === null || (times.length > 0 && !onlyIfChanged)) return false
  return isSame(destination, file, { sha256, versionId, mergedVersionId: null })
}

/** A newer file does not begin the tries of a destination anew, nor shorten a pause. */
function takeOver(waiting: readonly DispatchRow[]) {
  const tried = waiting.findLast(({ attempts }) => attempts > 0)
  if (!tried) return {}
  const { attempts, nextAttemptAt, answer } = tried
  return { attempts, nextAttemptAt, answer }
}

/** The same for the same file of a version at the same destination, however often it is sent. */
function toKey({ id }: DestinationRow, { version, sha256 }: FileToSend): string {
  return createHash('sha256').update(`${id} ${version.id} ${sha256}`).digest('base64url')
}
