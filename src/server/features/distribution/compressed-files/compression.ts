import { randomUUID } from 'node:crypto'

import { CODINGS, type Coding } from '../../../../shared/content-codings'
import { inClaim, inLossyTransaction } from '../../../db/open'
import type { CompressedFileChanges, CompressedFileRow } from '../../../db/schema'
import type { Deps } from '../../../domain/deps'
import { findShortage } from '../../../domain/disk'
import { LeaseLostError, LEASE_MS } from '../../../domain/lease'
import { runLeased } from '../../../domain/run-leased'
import type { StoredFile } from '../../../storage/file-store'
import { isFileReferenced } from '../../catalogue/versions/versions.queries'
import { deleteUnneededFiles } from '../stored-files/storage-cleaning'
import { enforceStorageLimits } from '../stored-files/storage-quota'
import {
  findWaitingCompression,
  leaseCompression,
  listConnectionsWith,
  updateLeasedCompression,
} from './compressed-files.queries'

const UNLEASED = { leaseToken: null, leaseUntil: null } as const

/** Queues the job that compresses files if any is waiting. */
export async function queueWaitingCompressions(deps: Deps): Promise<void> {
  if (await findWaitingCompression(deps.db, deps.clock.now())) {
    await deps.queue.add({ job: 'compress-files', key: 'waiting', payload: {} })
  }
}

/** Compresses the waiting files, in the order of their requests; stops while the disk is short of space. */
export async function compressWaitingFiles(deps: Deps, signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    const waiting = await findWaitingCompression(deps.db, deps.clock.now())
    if (!waiting || (await findShortage(deps))) return
    await compressFile(deps, waiting, signal)
    // Copies that exceed a supplier's quota are deleted at once.
    for (const connectionId of await listConnectionsWith(deps.db, waiting.sha256)) {
      await enforceStorageLimits(deps, connectionId)
    }
  }
}

type CompressionLease = { sha256: string; token: string }
type Copy = { coding: Coding; content: StoredFile }

async function compressFile(
  deps: Deps,
  { sha256, asked }: Pick<CompressedFileRow, 'sha256' | 'asked'>,
  signal: AbortSignal,
): Promise<void> {
  const lease = { sha256, token: randomUUID() }
  const leaseUntil = () => deps.clock.now() + LEASE_MS
  const isLeased = await inClaim(deps.db, (trx) =>
    leaseCompression(trx, sha256, deps.clock.now(), {
      leaseToken: lease.token,
      leaseUntil: leaseUntil(),
    }),
  )
  if (!isLeased) return
  const codings = asked === null ? CODINGS : [asked]
  await runLeased<Copy[], void>(
    {
      renew: () => change(deps, lease, { leaseUntil: leaseUntil() }),
      work: async (workSignal) => {
        const copies: Copy[] = []
        for (const coding of codings) {
          copies.push({ coding, content: await writeCopy(deps, lease, coding, workSignal) })
        }
        return copies
      },
      succeed: (copies) => finish(deps, lease, copies),
      fail: (error) => recordFailure(deps, lease, error, signal),
      lose: async () => undefined,
    },
    signal,
  )
}

/** Updates a leased file. Returns false when the lease was lost. */
function change(deps: Deps, lease: CompressionLease, changes: CompressedFileChanges) {
  return inLossyTransaction(deps.db, (trx) =>
    updateLeasedCompression(trx, lease, deps.clock.now(), changes),
  )
}

async function writeCopy(
  deps: Deps,
  { sha256, token }: CompressionLease,
  coding: Coding,
  signal: AbortSignal,
): Promise<StoredFile> {
  const draft = deps.files.createDraft(token)
  try {
    const task = { file: await deps.files.locate(sha256), draft: draft.path, coding }
    const { content } = await deps.readers.run('compress', task, { signal })
    await draft.commit(content)
    return content
  } finally {
    await draft.discard()
  }
}

/** Names the copies. One that was deleted meanwhile is noticed by its reader, who has it forgotten. */
async function finish(deps: Deps, lease: CompressionLease, copies: Copy[]): Promise<void> {
  const hashes = copies.map(({ content }) => content.sha256)
  const hasLease = await inLossyTransaction(deps.db, async (trx) => {
    if (!(await isFileReferenced(trx, lease.sha256))) return false
    return updateLeasedCompression(trx, lease, deps.clock.now(), {
      ...UNLEASED,
      status: 'ready',
      ...Object.assign({}, ...copies.map(toColumns)),
    })
  })
  if (hasLease) return
  await deleteUnneededFiles(deps, hashes)
  throw new LeaseLostError('The file is no longer needed')
}

function toColumns({ coding, content: { sha256, sizeBytes } }: Copy): CompressedFileChanges {
  return coding === 'gzip'
    ? { gzipSha256: sha256, gzipBytes: sizeBytes }
    : { brSha256: sha256, brBytes: sizeBytes }
}

/** Marks the file as failed, unless the run was aborted: then it stays waiting. */
async function recordFailure(
  deps: Deps,
  lease: CompressionLease,
  error: unknown,
  signal: AbortSignal,
): Promise<void> {
  const { sha256 } = lease
  if (!signal.aborted) deps.logger.warn({ err: error, sha256 }, 'A file could not be compressed')
  const failure = { status: 'failed', requestedAt: deps.clock.now() } as const
  const changes = { ...UNLEASED, ...(!signal.aborted && failure) }
  if (!(await change(deps, lease, changes))) {
    throw new LeaseLostError('Another run has taken over')
  }
}
