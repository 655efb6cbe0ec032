import type { SyncOutcome } from '../../../../shared/constants'
import type { Deps } from '../../../domain/deps'
import type { SyncRun } from './sync-lease'

/** The result of a run. */
export type SyncResult = {
  outcome: SyncOutcome
  /** The error code of a failed run; null or undefined otherwise. */
  errorCode?: string | null
  /** The file that was read; undefined when the source reported no change, or the run failed. */
  file?: { sizeBytes: number; rowCount: number }
  /** The published version, if any. */
  versionId?: number
}

/** Writes one log line and one measurement per run. */
export function reportSync(deps: Deps, run: SyncRun, result: SyncResult, ms: number): void {
  const { outcome, errorCode, file = { sizeBytes: 0, rowCount: 0 } } = result
  deps.metrics.syncFinished({ outcome, seconds: ms / 1_000, ...file })
  const { connectionId, runId } = run
  const line = { connectionId, runId, outcome, errorCode, ms: Math.round(ms), ...file }
  deps.logger.info(line, 'Sync finished')
}
