import { randomUUID } from 'node:crypto'

import { inClaim, inLossyTransaction } from '../../../db/open'
import type { VariantChanges } from '../../../db/schema'
import type { Deps } from '../../../domain/deps'
import { findShortage } from '../../../domain/disk'
import { LeaseLostError, LEASE_MS } from '../../../domain/lease'
import { logFailure } from '../../../domain/log-failure'
import { runLeased } from '../../../domain/run-leased'
import { toSelection } from '../../../domain/variant-spec'
import { FileError, type FileErrorCode } from '../../../files/file-error'
import { locateGoneItems } from '../../catalogue/gone-items/gone-items'
import { findVersion } from '../../catalogue/versions/versions.queries'
import { deleteUnneededFiles, requireStored } from '../stored-files/storage-cleaning'
import { enforceStorageLimits } from '../stored-files/storage-quota'
import {
  findVariantView,
  leaseVariant,
  updateLeasedVariant,
  type VariantRecord,
} from './variants.queries'
import { findNextWaitingVariant } from './waiting-variants.queries'
import { writeDelta } from './write-delta'

/** What a retailer's settings can mend; it is told of it. */
const REFUSALS = new Set<FileErrorCode>(['missing-column', 'too-large'])

const UNLEASED = { leaseToken: null, leaseUntil: null } as const

/**
 * Builds waiting variants, one of each supplier in turn. Skips those for which there is no room, and
 * stops while the disk is short of space.
 */
export async function buildWaitingVariants(deps: Deps, signal: AbortSignal): Promise<void> {
  const built = new Set<number>()
  await buildThem(deps, built, signal)
  // Those that wait for these files belong above this folder.
  if (built.size > 0) {
    const payload = { connectionIds: [...built] }
    await deps.queue.add({ job: 'check-waiting-destinations', payload })
  }
}

/** @param built gets the connections of those that were built */
async function buildThem(deps: Deps, built: Set<number>, signal: AbortSignal): Promise<void> {
  const withoutRoom: number[] = []
  let lastSupplierId = 0
  while (!signal.aborted) {
    const turn = { lastSupplierId, except: withoutRoom }
    const waiting = await findNextWaitingVariant(deps.db, deps.clock.now(), turn)
    if (!waiting || (await findShortage(deps))) return
    lastSupplierId = waiting.supplierId
    if ((await enforceStorageLimits(deps, waiting.connectionId, waiting)).isFull) {
      withoutRoom.push(waiting.id)
      continue
    }
    await buildVariant(deps, waiting.id, signal)
    built.add(waiting.connectionId)
    await enforceStorageLimits(deps, waiting.connectionId)
  }
}

async function buildVariant(deps: Deps, variantId: number, signal: AbortSignal): Promise<void> {
  const leaseToken = randomUUID()
  const lease = { variantId, token: leaseToken }
  const leaseUntil = () => deps.clock.now() + LEASE_MS
  const variant = await inClaim(deps.db, (trx) =>
    leaseVariant(trx, variantId, deps.clock.now(), { leaseToken, leaseUntil: leaseUntil() }),
  )
  if (!variant) return
  await runLeased<BuiltVariant, void>(
    {
      renew: () => changeVariant(deps, lease, { leaseUntil: leaseUntil() }),
      work: (workSignal) => writeVariant(deps, variant, leaseToken, workSignal),
      succeed: (built) => finishVariant(deps, lease, built),
      fail: (error) => recordFailure(deps, lease, error, signal),
      lose: async () => undefined,
    },
    signal,
  )
}

type VariantLease = { variantId: number; token: string }
type BuiltVariant = Awaited<ReturnType<typeof writeVariant>>

/** Updates a leased variant. Returns false when the lease was lost. */
function changeVariant(deps: Deps, lease: VariantLease, changes: VariantChanges): Promise<boolean> {
  return inLossyTransaction(deps.db, (trx) =>
    updateLeasedVariant(trx, lease, deps.clock.now(), changes),
  )
}

async function finishVariant(deps: Deps, lease: VariantLease, built: BuiltVariant): Promise<void> {
  const hasLease = await inLossyTransaction(deps.db, async (trx) => {
    await requireStored(trx, deps, built.sha256)
    const now = deps.clock.now()
    const changes = {
      ...built,
      ...UNLEASED,
      status: 'ready',
      usedAt: now,
      refusal: null,
      refusedAt: null,
    } as const
    return updateLeasedVariant(trx, lease, now, changes)
  })
  if (hasLease) return
  // The request was dropped during the build, so the file is not needed.
  await deleteUnneededFiles(deps, [built.sha256])
  throw new LeaseLostError('The filtered file is no longer requested')
}

/**
 * Marks the variant as failed, unless the build was aborted: then it stays waiting. Another fault than
 * a refusal replaces an earlier refusal, which would be shown for it.
 */
async function recordFailure(
  deps: Deps,
  lease: VariantLease,
  error: unknown,
  signal: AbortSignal,
): Promise<void> {
  if (!signal.aborted) {
    const { variantId } = lease
    logFailure(deps.logger, error, 'A filtered file could not be built', { variantId })
  }
  const isRefused = error instanceof FileError && REFUSALS.has(error.code)
  const refusal = isRefused
    ? { refusal: error.message, refusedAt: deps.clock.now() }
    : { refusal: null, refusedAt: null }
  const failure = { status: 'failed', ...refusal } as const
  const changes = { ...UNLEASED, ...(!signal.aborted && failure) }
  if (!(await changeVariant(deps, lease, changes)))
    throw new LeaseLostError('Another run has taken over')
}

async function writeVariant(
  deps: Deps,
  variant: VariantRecord,
  leaseToken: string,
  signal: AbortSignal,
) {
  const version = await findVersion(deps.db, variant.versionId)
  const view = await findVariantView(deps.db, variant.id)
  if (!version || !view) throw new LeaseLostError('The version is gone')
  if (view.since) {
    const { since } = view
    return writeDelta(deps, { version, view, since }, { leaseToken, signal })
  }
  const draft = deps.files.createDraft(leaseToken)
  try {
    const task = {
      file: await deps.files.locate(version.sha256),
      draft: draft.path,
      ...toSelection(view, version),
      gone: await locateGoneItems(deps, view, version),
    }
    const { content, ...rows } = await deps.readers.run('filter', task, { signal })
    await draft.commit(content)
    return { ...content, ...rows }
  } finally {
    await draft.discard()
  }
}
