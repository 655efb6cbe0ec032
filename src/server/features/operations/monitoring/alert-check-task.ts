import { MINUTE_MS } from '../../../../shared/durations'
import { formatCountOf } from '../../../../shared/format'
import { inTransaction, type Db } from '../../../db/open'
import type { CronTask, Deps } from '../../../domain/deps'
import { hasAddress } from '../../../domain/source-host'
import { aboutConnection, aboutRetailer } from '../../alerting/alerts/events'
import { closeProblems, openProblem, settleProblems } from '../../alerting/alerts/problems'
import { listOpenProblems, listOpenProblemsOf } from '../../alerting/alerts/problems.queries'
import { GRACE_MS } from '../../catalogue/connections/freshness'
import { toDay } from '../../distribution/downloads/pull-days'
import { readPulls } from '../../distribution/downloads/pull-records'
import { countReadDays } from '../../distribution/downloads/retailer-pulls'
import { tellExpiringFeedAddresses } from './expiring-feed-addresses'
import { tellExpiringKeys } from './expiring-keys'
import { listLateConnections, listPausedConnections, listPausedRetailers } from './watched.queries'

/** A shop that has read on three of fourteen days reads regularly; after a week without, it is silent. */
const REGULAR_DAYS = 3
const SILENT_AFTER_DAYS = 7
/** One that was silent for so long when this began is not told. */
const FORGOTTEN_AFTER_DAYS = 30
const BATCH = 100

/** Finds what no change brings about: that something has not happened in time. */
export const alertCheckTask: CronTask = {
  name: 'alert-check',
  description:
    'Finds feeds whose data are late, retailers that no longer read their file, and API keys and feed addresses that expire soon',
  schedule: '*/5 * * * *',
  timeoutMs: 5 * MINUTE_MS,
  async run(deps, { signal }) {
    await closePaused(deps)
    const late = await openLate(deps, signal)
    const silent = await openSilent(deps)
    await settleProblems(deps)
    await tellExpiringKeys(deps)
    await tellExpiringFeedAddresses(deps)
    return `${formatCountOf(late, 'feed')} found late, ${formatCountOf(silent, 'retailer')} silent`
  },
}

/** Nobody waits for the data of a paused connection. */
async function closePaused(deps: Deps): Promise<void> {
  const kinds = ['feed.failed', 'feed.late'] as const
  for (const connection of await listPausedConnections(deps.db)) {
    await inTransaction(deps.db, (trx) =>
      closeProblems(trx, aboutConnection(connection), {
        kinds,
        now: deps.clock.now(),
        isTold: false,
      }),
    )
  }
}

async function openLate(deps: Deps, signal: AbortSignal): Promise<number> {
  let count = 0
  for (let isFull = true; isFull && !signal.aborted;) {
    const found = await inTransaction(deps.db, async (trx) => {
      const now = deps.clock.now()
      const late = await listLateConnections(trx, { now, graceMs: GRACE_MS, limit: BATCH })
      for (const connection of late) {
        const about = aboutConnection(connection)
        const causes = await listOpenProblems(trx, about.key, ['feed.failed', 'feed.held'])
        const { lastSyncAt } = connection
        const details = {
          ...(lastSyncAt !== null && { since: lastSyncAt }),
          ...(!hasAddress(connection) && { isByHand: true }),
          // The others have been told why.
          ...(causes.length > 0 && { isForRetailersOnly: true }),
        }
        await openProblem(trx, about, { kind: 'feed.late', now, details })
      }
      return late.length
    })
    count += found
    isFull = found === BATCH
  }
  return count
}

async function openSilent(deps: Deps): Promise<number> {
  const now = deps.clock.now()
  const today = toDay(now)
  const range = { from: today - FORGOTTEN_AFTER_DAYS, to: today - SILENT_AFTER_DAYS }
  const silent = await listSilentRetailers(deps.db, range)
  const open = await listOpenProblemsOf(deps.db, 'retailer.silent')
  const known = new Set(open.map(({ retailerId }) => retailerId))
  for (const retailer of silent.filter(({ id }) => !known.has(id))) {
    const problem = {
      kind: 'retailer.silent',
      now,
      details: { since: retailer.lastPulledAt },
    } as const
    await inTransaction(deps.db, (trx) => openProblem(trx, aboutRetailer(retailer), problem))
  }
  await closeSilent(deps, open, new Set(silent.map(({ id }) => id)))
  return silent.length
}

/** Retailers of active suppliers that read regularly until a day from `from` to `to`. */
async function listSilentRetailers(db: Db, { from, to }: { from: number; to: number }) {
  const paused = await listPausedRetailers(db, { from, to })
  const silent: ((typeof paused)[number] & { lastPulledAt: number })[] = []
  for (let start = 0; start < paused.length; start += BATCH) {
    const part = paused.slice(start, start + BATCH)
    const ids = part.map(({ id }) => id)
    const pulls = await readPulls(db, ids)
    for (const retailer of part) {
      const last = pulls.get(retailer.id)
      if (!last || last.lastDay > to || countReadDays(last) < REGULAR_DAYS) continue
      silent.push({ ...retailer, lastPulledAt: last.lastPulledAt })
    }
  }
  return silent
}

/** Those that read again, or are forgotten by now. */
async function closeSilent(
  deps: Deps,
  open: Awaited<ReturnType<typeof listOpenProblemsOf>>,
  silent: ReadonlySet<number>,
): Promise<void> {
  for (const { subject: key, supplierId, connectionId, retailerId } of open) {
    if (retailerId !== null && silent.has(retailerId)) continue
    const about = { key, supplierId, connectionId, retailerId, names: {} }
    const closing = { kinds: ['retailer.silent'], now: deps.clock.now() } as const
    await inTransaction(deps.db, (trx) => closeProblems(trx, about, closing))
  }
}
