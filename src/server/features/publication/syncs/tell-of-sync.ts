import { MINUTE_MS } from '../../../../shared/durations'
import type { WriteTransaction } from '../../../db/open'
import type { ConnectionChanges, ConnectionRow } from '../../../db/schema'
import { aboutConnection } from '../../alerting/alerts/events'
import { openProblem } from '../../alerting/alerts/problems'

/** A source that fails once and works a minute later is told to nobody. */
const FAILURES_TOLD = 3
/** A source that is asked again only after this is told at once. */
const LONG_PAUSE_MS = 10 * MINUTE_MS

type Failure = {
  now: number
  changes: ConnectionChanges
  reason: string
  /** Whether the file was sent by hand. */
  isByHand: boolean
  /** Whether nothing is tried again. */
  isFinal: boolean
}

/** Tells of a source that has failed a few times in a row. Failures of our own are not counted. */
export async function tellOfFailure(
  trx: WriteTransaction,
  connection: ConnectionRow,
  { now, changes, reason, isByHand, isFinal }: Failure,
): Promise<void> {
  const { consecutiveFailures: failures = 0, nextSyncAt } = changes
  if (failures <= connection.consecutiveFailures) return
  const isRetriedSoon = !isFinal && (nextSyncAt ?? now) - now < LONG_PAUSE_MS
  if (failures < FAILURES_TOLD && isRetriedSoon) return
  const details = { reason, ...(isByHand && { isByHand }) }
  const problem = { kind: 'feed.failed', now, details } as const
  await openProblem(trx, aboutConnection(connection), problem)
}
