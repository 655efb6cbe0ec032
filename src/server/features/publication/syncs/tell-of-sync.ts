import type { WriteTransaction } from '../../../db/open'
import type { ConnectionChanges, ConnectionRow } from '../../../db/schema'
import { aboutConnection, recordEvent } from '../../alerting/alerts/events'
import { closeProblems, openProblem } from '../../alerting/alerts/problems'

/** A source that fails once and works a minute later is told to nobody. */
const FAILURES_TOLD = 3
/** A source that is asked again only after this is told at once. */
const LONG_PAUSE_MS = 10 * 60_000

/** Tells of a source that has failed a few times in a row. Failures of our own are not counted. */
export async function tellOfFailure(
  trx: WriteTransaction,
  connection: ConnectionRow,
  { now, changes, reason }: { now: number; changes: ConnectionChanges; reason: string },
): Promise<void> {
  const { consecutiveFailures: failures = 0, nextSyncAt } = changes
  if (failures <= connection.consecutiveFailures) return
  if (failures < FAILURES_TOLD && (nextSyncAt ?? now) - now < LONG_PAUSE_MS) return
  const problem = { kind: 'feed.failed', now, details: { reason } } as const
  await openProblem(trx, aboutConnection(connection), problem)
}

/** The source works: it has what is published. */
export async function tellOfSuccess(
  trx: WriteTransaction,
  connection: ConnectionRow,
  { now, published }: { now: number; published?: { rowCount: number } },
): Promise<void> {
  const about = aboutConnection(connection)
  if (published) {
    await recordEvent(trx, about, { kind: 'feed.published', now, details: published })
  }
  const kinds = ['feed.failed', 'feed.held', 'feed.late'] as const
  const reason = published ? 'A new file is published.' : 'The source has what is published.'
  await closeProblems(trx, about, { kinds, now, details: { reason } })
}

/** Tells of the first of several held files; a source that can be read no longer fails. */
export async function tellOfHold(
  trx: WriteTransaction,
  connection: ConnectionRow,
  { now, reason }: { now: number; reason: string },
): Promise<void> {
  const about = aboutConnection(connection)
  await openProblem(trx, about, { kind: 'feed.held', now, details: { reason } })
  await closeProblems(trx, about, { kinds: ['feed.failed'], now, isTold: false })
}

/** The source sends what somebody has decided not to publish. */
export async function tellOfDiscarded(
  trx: WriteTransaction,
  connection: ConnectionRow,
  now: number,
): Promise<void> {
  const kinds = ['feed.failed', 'feed.held'] as const
  await closeProblems(trx, aboutConnection(connection), { kinds, now, isTold: false })
}
