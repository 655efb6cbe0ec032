import type { SyncActivity } from '../../../../shared/schemas/operations'
import type { Deps } from '../../../domain/deps'
import { toInstant } from '../../../domain/instant'
import {
  countRunningConnections,
  countWaitingConnections,
  listWaitingConnections,
} from '../../catalogue/connections/connection-activity.queries'
import { listLiveRuns } from '../../catalogue/connections/sync-runs.queries'

const MAX_RUNNING = 100
const MAX_WAITING = 25

/** The syncs of all suppliers that run or wait now. Only for administrators: see operations.router.ts. */
export async function readSyncActivity(deps: Deps): Promise<SyncActivity> {
  const { db } = deps
  const now = deps.clock.now()
  const running = await listLiveRuns(db, now, MAX_RUNNING)
  const waiting = await listWaitingConnections(db, now, MAX_WAITING)
  return {
    running: running.map((run) => ({
      ...toPlace(run),
      startedAt: toInstant(run.startedAt),
      progress: {
        bytes: run.sizeBytes ?? 0,
        rows: run.rowCount ?? 0,
        expectedBytes: run.expectedBytes,
      },
    })),
    runningCount: await countRunningConnections(db, now),
    waiting: waiting.map((row) => ({ ...toPlace(row), dueAt: toInstant(row.dueAt ?? now) })),
    waitingCount: await countWaitingConnections(db, now),
  }
}

/** Of which connection of which supplier a row tells. */
export function toPlace(row: {
  connectionId: number
  connectionName: string
  supplierId: number
  companyName: string | null
  username: string
}) {
  const { connectionId, connectionName, supplierId } = row
  return {
    connectionId,
    connectionName,
    supplierId,
    supplierName: row.companyName ?? row.username,
  }
}
