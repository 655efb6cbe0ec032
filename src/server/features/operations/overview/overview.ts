import { HOUR_MS } from '../../../../shared/durations'
import type {
  Overview,
  StorageState,
  TroubledConnection,
} from '../../../../shared/schemas/operations'
import { measureBacklog } from '../../../db/backlog.queries'
import type { Deps } from '../../../domain/deps'
import { findShortage } from '../../../domain/disk'
import { withFetchAllowAdvice } from '../../../domain/fetch-allow-advice'
import { toInstant, toInstantOrNull } from '../../../domain/instant'
import {
  countConnectionsByHealth,
  listTroubledConnections,
} from '../../catalogue/connections/connection-activity.queries'
import { GRACE_MS } from '../../catalogue/connections/freshness'
import { findLastRunStart } from '../../catalogue/connections/sync-runs.queries'
import { countPausedBySupplier } from '../../distribution/destinations/paused-destinations.queries'
import { isBackingUp } from '../../distribution/stored-files/leases.queries'
import { toPlace } from '../../publication/syncs/sync-activity'
import { findLastDailyBackup } from '../backups/backups'
import { findLastCronRunStart } from '../cron-jobs/cron-job-runs.queries'
import { isSchedulerStalled } from '../scheduling/scheduler-ticks'

/** One night without a backup is noticed at noon of the next day. */
const BACKUP_OVERDUE_AFTER_MS = 33 * HOUR_MS
const MAX_TROUBLES = 20

/** The state of all connections, of the queue and of the workers. */
export async function readOverview(deps: Deps): Promise<Overview> {
  const now = deps.clock.now()
  const connections = await countConnectionsByHealth(deps.db, now, GRACE_MS)
  const backlog = await measureBacklog(deps.db, now)
  return {
    connectionCount: connections.total,
    failingCount: connections.failing,
    lateCount: connections.late,
    heldCount: connections.held,
    troubledCount: connections.troubled,
    pausedDestinations: await countPausedBySupplier(deps.db, { limit: MAX_TROUBLES }),
    queue: {
      driver: deps.config.redisUrl ? 'redis' : 'database',
      runningCount: backlog.runningSyncs,
      waitingCount: backlog.waitingSyncs,
      waitingSince: backlog.waitingSyncs > 0 ? toInstant(now - backlog.oldestDueMs) : null,
      waitingFileCount: backlog.waitingVariants,
    },
    workers: await readWorkers(deps),
  }
}

/** The connections that need somebody, as many as a page shows. Only for administrators. */
export async function listTroubles(deps: Deps): Promise<TroubledConnection[]> {
  const rows = await listTroubledConnections(deps.db, deps.clock.now(), GRACE_MS, MAX_TROUBLES)
  return rows.map((row) => ({
    ...toPlace(row),
    trouble: row.consecutiveFailures > 0 ? 'failing' : row.heldVersionId === null ? 'late' : 'held',
    lastSync: toInstantOrNull(row.lastSyncAt),
    reason: withFetchAllowAdvice('SUPER_ADMIN', row.lastError, deps.config),
  }))
}

async function readWorkers(deps: Deps): Promise<Overview['workers']> {
  const starts = [await findLastRunStart(deps.db), await findLastCronRunStart(deps.db)]
  const lastActiveAt = Math.max(...starts.map((start) => start ?? 0))
  return {
    isInline: deps.config.hasInlineWorker,
    processCount: await deps.queue.countProcesses('claim-due-work'),
    lastActiveAt: toInstantOrNull(lastActiveAt || null),
    isSilent: await isSchedulerStalled(deps),
  }
}

/** The disk of the data folder, and the newest verified backup that the job has made. */
export async function readStorageState(deps: Deps): Promise<StorageState> {
  const last = await findLastDailyBackup(deps)
  const ageMs = last ? deps.clock.now() - Date.parse(last.createdAt) : Infinity
  return {
    disk: { ...(await deps.files.measureSpace()), shortage: (await findShortage(deps)) ?? null },
    backup: {
      last: last ? { createdAt: last.createdAt, sizeBytes: last.size } : null,
      isOverdue: ageMs > BACKUP_OVERDUE_AFTER_MS,
      isRunning: await isBackingUp(deps.db, deps.clock.now()),
    },
  }
}
