import type { SyncProgress } from '../../../shared/schemas/sync-run'
import { inTransaction } from '../../db/open'
import type { Deps } from '../../domain/deps'
import type { SourcePace } from './source-pace'
import { isRunHeld, type SyncRun } from './sync-lease'
import { updateOpenSyncRun } from './sync-runs.queries'

/** How far a run has come; `isReceived` once its source has sent everything. */
export type NoteProgress = (progress: Partial<SyncProgress> & { isReceived?: boolean }) => void

/**
 * Remembers how far a run has come, and how fast. `note` may be called for every chunk; `look`,
 * called once a second, writes down what is new and tells whether the run still holds its connection.
 */
export function trackProgress(deps: Deps, run: SyncRun, pace: SourcePace) {
  let noted: SyncProgress = { bytes: 0, rows: 0, expectedBytes: null }
  let written = noted
  const note: NoteProgress = ({ isReceived, ...progress }) => {
    noted = { ...noted, ...progress }
    if (progress.bytes !== undefined) pace.note(progress.bytes)
    if (isReceived) pace.end()
  }
  return {
    note,
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
