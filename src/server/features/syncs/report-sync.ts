import type { SyncOutcome } from '../../../shared/constants'
import type { Deps } from '../../domain/deps'
import type { SyncRun } from './sync-lease'

/** How a run ended. */
export type SyncResult = {
  outcome: SyncOutcome
  /** The code of the fault, where there is one. */
  errorCode?: string | null
  /** What was read, where there was anything new. */
  file?: { sizeBytes: number; rowCount: number }
  /** The version that was published, where one was. */
  versionId?: number
}

/** One line and one measurement per run. */
export function reportSync(deps: Deps, run: SyncRun, result: SyncResult, ms: number): void {
  const { outcome, errorCode, file = { sizeBytes: 0, rowCount: 0 } } = result
  deps.metrics.syncFinished({ outcome, seconds: ms / 1_000, ...file })
  const { connectionId, runId } = run
  const line = { connectionId, runId, outcome, errorCode, ms: Math.round(ms), ...file }
  deps.logger.info(line, 'Sync finished')
}
