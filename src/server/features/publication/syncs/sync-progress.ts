import type { SyncProgress } from '../../../../shared/schemas/sync-run'
import { inLossyTransaction } from '../../../db/open'
import type { Deps } from '../../../domain/deps'
import { updateOpenSyncRun } from '../../catalogue/connections/sync-runs.queries'
import { leaveHost } from './run-host'
import type { SourcePace } from './source-pace'
import { isRunLeased, type SyncRun } from './sync-lease'

/** Records the progress of a run; `isReceived` is set once the source has sent everything. */
export type NoteProgress = (progress: Partial<SyncProgress> & { isReceived?: boolean }) => void

/**
 * Tracks the progress and the pace of a run. `note` may be called for every chunk. `flush`, called
 * once a second, writes new progress to the database and returns false when the lease was lost.
 */
export function trackProgress(deps: Deps, run: SyncRun, pace: SourcePace) {
  let noted: SyncProgress = { bytes: 0, rows: 0, expectedBytes: null }
  let written = noted
  let hasReceived = false
  const note: NoteProgress = ({ isReceived, ...progress }) => {
    noted = { ...noted, ...progress }
    if (progress.bytes !== undefined) pace.note(progress.bytes)
    if (!isReceived) return
    pace.end()
    hasReceived = true
  }
  return {
    note,
    async flush(): Promise<boolean> {
      if (!(await isRunLeased(deps, run))) return false
      if (noted === written) return true
      written = noted
      const { bytes: sizeBytes, rows: rowCount, expectedBytes } = written
      await inLossyTransaction(deps.db, async (trx) => {
        await updateOpenSyncRun(trx, run.runId, { sizeBytes, rowCount, expectedBytes })
        if (hasReceived) await leaveHost(trx, run.host)
      })
      return true
    },
  }
}
