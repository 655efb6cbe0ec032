import type { ConnectionRow } from '../../../db/schema'
import type { Deps } from '../../../domain/deps'
import { runLeased } from '../../../domain/run-leased'
import { currentRequestId } from '../../../observability/log-context'
import { inRootSpan, inSpan, type Span } from '../../../observability/spans'
import { afterPublication } from '../publishing/after-publication'
import type { Publication } from '../publishing/publish-file'
import { removeOriginals } from '../received-files/waiting-files'
import { fetchFile, type Fetched } from './fetch-file'
import {
  finishSync,
  toOutcome,
  recordLostLease,
  recordSyncFailure,
  reportSync,
  type SyncResult,
} from './finish-sync'
import { renewLease, startRun, type SyncRun } from './sync-lease'
import { trackProgress } from './sync-progress'
import type { SyncSlot } from './sync-slots'
import { tidySource } from './tidy-source'

/**
 * Fetches a connection's file and has it published. On any failure the last good file stays
 * published and the reason is recorded on the connection.
 * @param lease the lease under which the connection was claimed
 */
export async function syncConnection(
  deps: Deps,
  lease: { connectionId: number; leaseToken: string },
  signal: AbortSignal,
): Promise<void> {
  const slot = deps.slots.begin(lease.leaseToken)
  try {
    const started = await startRun(deps, lease)
    if (started) {
      const { connectionId, runId } = started.run
      const facts = { connectionId, runId, requestId: currentRequestId() ?? '' }
      await inRootSpan('sync', facts, (span) => runSync(deps, { ...started, slot, span }, signal))
    }
  } finally {
    slot.leave()
  }
  // Local, because it is this process that has a free slot now.
  await deps.queue.add({ job: 'claim-due-syncs', key: 'slots', payload: {}, isLocal: true })
}

type Started = { run: SyncRun; connection: ConnectionRow; slot: SyncSlot; span: Span }

async function runSync(
  deps: Deps,
  { run, connection, slot, span }: Started,
  signal: AbortSignal,
): Promise<void> {
  const startedAt = performance.now()
  const { note, flush } = trackProgress(deps, run, slot.pace)
  const result = await runLeased<Fetched, SyncResult>(
    {
      renew: () => renewLease(deps, run),
      isStillLeased: flush,
      async work(workSignal) {
        // What was decided about since, and what has failed before.
        await tidySource(deps, connection, workSignal)
        return fetchFile(deps, run, connection, { note, signal: workSignal })
      },
      async succeed(fetched) {
        slot.pace.end()
        const isSlow = slot.pace.wasSlow()
        const publish = () => finishSync(deps, run, fetched, isSlow)
        return toResult(fetched, await inSpan('publish', publish))
      },
      fail: (error) => recordSyncFailure(deps, { run, connection, slot }, error, signal),
      lose: () => recordLostLease(deps, run),
    },
    AbortSignal.any([signal, slot.signal]),
  )
  if (run.received) await removeOriginals(deps, [run.received.sha256])
  else await tidySource(deps, connection, signal).catch(() => signal.throwIfAborted())
  const { versionId } = result
  if (versionId !== undefined) await afterPublication(deps, { ...run, versionId })
  reportSync(deps, run, result, performance.now() - startedAt)
  span.set({ outcome: result.outcome, ...result.file })
  if (result.errorCode) span.end({ code: result.errorCode })
}

function toResult(fetched: Fetched, { outcome, versionId }: Publication): SyncResult {
  const result: SyncResult = {
    outcome: toOutcome(outcome),
    ...(outcome === 'published' && { versionId }),
  }
  if (fetched.kind !== 'file') return result
  const { file, report } = fetched
  return { ...result, file: { sizeBytes: file.sizeBytes, rowCount: report.rowCount } }
}
