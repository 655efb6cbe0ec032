import type { SyncProgress } from '../../shared/schemas/sync-run'
import { inTransaction } from '../db/open'
import { updateOpenSyncRun } from '../db/sync-runs.queries'
import type { Deps } from './deps'
import { isRunHeld, type SyncRun } from './sync-run'

/**
 * Remembers how far a run has come. `note` may be called for every chunk; `look`, called once a
 * second, writes down what is new and tells whether the run still holds its connection.
 */
export function trackProgress(deps: Deps, run: SyncRun) {
  let noted: SyncProgress = { bytes: 0, rows: 0, expectedBytes: null }
  let written = noted
  return {
    note(progress: Partial<SyncProgress>): void {
      noted = { ...noted, ...progress }
    },
    async look(): Promise<boolean> {
      if (!(await isRunHeld(deps, run))) return false
      if (noted === written) return true
      written = noted
      const { bytes: sizeBytes, rows: rowCount, expectedBytes } = written
      await inTransaction(deps.db, (trx) =>
        updateOpenSyncRun(trx, run.runId, { sizeBytes, rowCount, expectedBytes }),
      )
      return true
    },
  }
}
