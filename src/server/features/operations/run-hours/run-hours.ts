import { MAX_FINISHED_RUNS, type SyncOutcome } from '../../../../shared/constants'
import { DAY_MS, HOUR_MS } from '../../../../shared/durations'
import type { FinishedRun, RunHour } from '../../../../shared/schemas/operations'
import { type Db, inTransaction } from '../../../db/open'
import type { RunHourRow } from '../../../db/schema'
import type { Deps } from '../../../domain/deps'
import { withFetchAllowAdvice } from '../../../domain/fetch-allow-advice'
import { toInstant } from '../../../domain/instant'
import { listFinishedRuns, tallyRuns } from '../../catalogue/connections/sync-runs.queries'
import { toPlace } from '../../publication/syncs/sync-activity'
import {
  deleteRunHoursBefore,
  findLastRunHour,
  insertRunHours,
  listRunHours,
} from './run-hours.queries'

const hourOf = (time: number) => time - (time % HOUR_MS)

/**
 * Counts the runs of each hour that is over and has not been counted, so that reading 30 days reads no run.
 * @param oldest earlier hours are forgotten
 * @throws the signal's reason; hours that were counted before stay so
 */
export async function countRunHours(
  deps: Deps,
  oldest: number,
  signal: AbortSignal,
): Promise<void> {
  const current = hourOf(deps.clock.now())
  for (let from = await findUncounted(deps.db, oldest); from < current; from += DAY_MS) {
    signal.throwIfAborted()
    const until = Math.min(from + DAY_MS, current)
    // The last one tells how far it has come.
    const last = emptyHour(until - HOUR_MS)
    const hours = [...(await tallyHours(deps.db, from, until)), last]
    await inTransaction(deps.db, (trx) => insertRunHours(trx, hours))
  }
  await inTransaction(deps.db, (trx) => deleteRunHoursBefore(trx, hourOf(oldest)))
}

/** What came of the runs of all suppliers in each of the last `hours` hours that has any; the last one is not over. */
export async function readRunHours(deps: Deps, hours: number): Promise<RunHour[]> {
  const now = deps.clock.now()
  const from = hourOf(now) - (hours - 1) * HOUR_MS
  const uncounted = await findUncounted(deps.db, from)
  const rows = [
    ...(await listRunHours(deps.db, from)),
    ...(await tallyHours(deps.db, uncounted, now + 1)),
  ]
  return rows.filter((row) => countRuns(row) > 0).map(toRunHour)
}

/** Lists the last runs of all suppliers that finished within a time. Only for administrators. */
export async function readFinishedRuns(
  deps: Deps,
  { from, until, outcome }: { from: string; until: string; outcome?: SyncOutcome | undefined },
): Promise<FinishedRun[]> {
  const range = {
    from: Date.parse(from),
    until: Date.parse(until),
    outcome,
    limit: MAX_FINISHED_RUNS,
  }
  const rows = await listFinishedRuns(deps.db, range)
  return rows.map((row) => ({
    ...toPlace(row),
    id: row.id,
    finishedAt: toInstant(row.finishedAt as number),
    outcome: row.outcome as SyncOutcome,
    reason: withFetchAllowAdvice('SUPER_ADMIN', row.error, deps.config),
  }))
}

/** The first hour from `from` on that has not been counted. */
async function findUncounted(db: Db, from: number): Promise<number> {
  const last = await findLastRunHour(db)
  return Math.max(hourOf(from), last === null ? 0 : last + HOUR_MS)
}

const emptyHour = (startedAt: number): RunHourRow => ({
  startedAt,
  published: 0,
  unchanged: 0,
  held: 0,
  failed: 0,
  postponed: 0,
  cancelled: 0,
  waitCount: 0,
  waitedMs: 0,
  longestWaitMs: 0,
})

/** Oldest first, without hours that have no runs. */
async function tallyHours(db: Db, from: number, until: number): Promise<RunHourRow[]> {
  const hours = new Map<number, RunHourRow>()
  for (const row of await tallyRuns(db, { from, until })) {
    const hour = hours.get(row.hour) ?? emptyHour(row.hour)
    hours.set(row.hour, hour)
    if (row.outcome) hour[row.outcome] += row.runs
    hour.waitCount += row.waitCount
    hour.waitedMs += row.waitedMs ?? 0
    hour.longestWaitMs = Math.max(hour.longestWaitMs, row.longestWaitMs ?? 0)
  }
  return [...hours.values()].toSorted((a, b) => a.startedAt - b.startedAt)
}

function outcomesOf(row: RunHourRow): RunHour['outcomes'] {
  const { published, unchanged, held, failed, postponed, cancelled } = row
  return { published, unchanged, held, failed, postponed, cancelled }
}

const countRuns = (row: RunHourRow) =>
  Object.values(outcomesOf(row)).reduce((sum, count) => sum + count, 0)

function toRunHour(row: RunHourRow): RunHour {
  const { waitCount, waitedMs, longestWaitMs } = row
  return {
    startedAt: toInstant(row.startedAt),
    outcomes: outcomesOf(row),
    wait:
      waitCount > 0 ? { meanMs: Math.round(waitedMs / waitCount), longestMs: longestWaitMs } : null,
  }
}
