import type { ConnectionRow } from '../../db/schema'
import type { Deps } from '../../domain/deps'
import { runLeased } from '../../domain/run-leased'
import { wakeScheduler } from '../../domain/wake-scheduler'
import { enforceStorageLimits } from '../stored-files/storage-quota'
import { requestVariantsInUse } from '../variants/variant-requests'
import { fetchFile } from './fetch-file'
import { publish, type Fetched } from './publish-version'
import { recordLostLease, recordSyncFailure } from './record-sync-failure'
import { reportSync, type SyncResult } from './report-sync'
import { renewLease, startRun, type SyncRun } from './sync-lease'
import { trackProgress } from './sync-progress'
import type { SyncSlot } from './sync-slots'

/**
 * Fetches a connection's file, stores it and publishes it. On any failure the last good file stays
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
    if (started) await runSync(deps, { ...started, slot }, signal)
  } finally {
    slot.leave()
  }
  // Local, because it is this process that has a free slot now.
  await wakeScheduler(deps, { isLocal: true })
}

async function runSync(
  deps: Deps,
  { run, connection, slot }: { run: SyncRun; connection: ConnectionRow; slot: SyncSlot },
  signal: AbortSignal,
): Promise<void> {
  const startedAt = performance.now()
  const { note, flush } = trackProgress(deps, run, slot.pace)
  const result = await runLeased<Fetched, SyncResult>(
    {
      renew: () => renewLease(deps, run),
      isHeld: flush,
      work: (workSignal) => fetchFile(deps, run, connection, { note, signal: workSignal }),
      async succeed(fetched) {
        slot.pace.end()
        return toResult(fetched, await publish(deps, run, fetched, slot.pace.wasSlow()))
      },
      fail: (error) => recordSyncFailure(deps, { run, connection, slot }, error, signal),
      lose: () => recordLostLease(deps, run),
    },
    AbortSignal.any([signal, slot.signal]),
  )
  if (result.versionId !== undefined) await afterPublication(deps, run, result.versionId)
  reportSync(deps, run, result, performance.now() - startedAt)
}

function toResult(fetched: Fetched, versionId: number | null): SyncResult {
  const result: SyncResult =
    versionId === null ? { outcome: 'unchanged' } : { outcome: 'published', versionId }
  if (fetched.kind === 'unchanged') return result
  const { file, report } = fetched
  return { ...result, file: { sizeBytes: file.sizeBytes, rowCount: report.rowCount } }
}

/**
 * Errors are only logged: the version stays published, and filtered files are also built on demand.
 */
async function afterPublication(
  deps: Deps,
  { connectionId }: SyncRun,
  versionId: number,
): Promise<void> {
  try {
    await requestVariantsInUse(deps, versionId)
    await enforceStorageLimits(deps, connectionId)
    await deps.queue.add({ job: 'build-variants', key: 'waiting', payload: {} })
  } catch (error) {
    deps.logger.error({ err: error, connectionId }, 'A step after a publication failed')
  }
}
