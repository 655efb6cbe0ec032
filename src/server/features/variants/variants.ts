import { randomUUID } from 'node:crypto'

import { inTransaction } from '../../db/open'
import type { Deps } from '../../domain/deps'
import { findShortage } from '../../domain/disk'
import { keepLease, LeaseLostError, LEASE_MS } from '../../domain/lease'
import { readCategoryReading } from '../connections/connections'
import { deleteUnneededFile, requireStored } from '../stored-files/storage-cleaning'
import { fitStorage } from '../stored-files/storage-quota'
import { findVersion } from '../versions/versions.queries'
import { leaseVariant, updateLeasedVariant, type VariantRecord } from './variants.queries'
import { findNextWaitingVariant } from './waiting-variants.queries'

/**
 * Writes the filtered files that wait to be built, one of each supplier in turn. Those of a supplier
 * that has no room left wait, and all do while the disk is short of room.
 */
export async function buildWaitingVariants(deps: Deps, signal: AbortSignal): Promise<void> {
  const full: number[] = []
  let lastSupplierId = 0
  while (!signal.aborted) {
    const turn = { lastSupplierId, except: full }
    const waiting = await findNextWaitingVariant(deps.db, deps.clock.now(), turn)
    if (!waiting || (await findShortage(deps))) return
    lastSupplierId = waiting.supplierId
    if ((await fitStorage(deps, waiting.connectionId)).isFull) {
      full.push(waiting.supplierId)
      continue
    }
    await buildVariant(deps, waiting.id, signal)
    await fitStorage(deps, waiting.connectionId)
  }
}

async function buildVariant(deps: Deps, variantId: number, signal: AbortSignal): Promise<void> {
  const leaseToken = randomUUID()
  const lease = { variantId, token: leaseToken }
  const change = (changes: Parameters<typeof updateLeasedVariant>[3]) =>
    inTransaction(deps.db, (trx) => updateLeasedVariant(trx, lease, deps.clock.now(), changes))
  const leaseUntil = () => deps.clock.now() + LEASE_MS
  const variant = await inTransaction(deps.db, (trx) =>
    leaseVariant(trx, variantId, deps.clock.now(), { leaseToken, leaseUntil: leaseUntil() }),
  )
  if (!variant) return
  const held = keepLease(() => change({ leaseUntil: leaseUntil() }), signal)
  try {
    const built = await writeVariant(deps, variant, leaseToken, held.signal)
    await finishVariant(deps, lease, built)
  } catch (error) {
    if (error instanceof LeaseLostError) return
    if (signal.aborted) {
      await change({ leaseToken: null, leaseUntil: null })
      return
    }
    deps.logger.error({ err: error, variantId }, 'A filtered file could not be built')
    const reason = 'The file could not be prepared'
    await change({ status: 'failed', error: reason, leaseToken: null, leaseUntil: null })
  } finally {
    held.release()
  }
}

type BuiltVariant = Awaited<ReturnType<typeof writeVariant>>

async function finishVariant(
  deps: Deps,
  lease: { variantId: number; token: string },
  built: BuiltVariant,
): Promise<void> {
  const isNamed = await inTransaction(deps.db, async (trx) => {
    await requireStored(deps, built.sha256)
    const now = deps.clock.now()
    const released = { leaseToken: null, leaseUntil: null }
    const changes = { ...built, ...released, status: 'ready', error: null, usedAt: now } as const
    return updateLeasedVariant(trx, lease, now, changes)
  })
  // Nobody needs it any more: its request was dropped while it was being built.
  if (!isNamed) await deleteUnneededFile(deps, built.sha256)
}

async function writeVariant(
  deps: Deps,
  variant: VariantRecord,
  leaseToken: string,
  signal: AbortSignal,
) {
  const version = await findVersion(deps.db, variant.versionId)
  if (!version) throw new LeaseLostError('The version is gone')
  const draft = deps.files.createDraft(leaseToken)
  try {
    const task = {
      file: await deps.files.locate(version.sha256),
      draft: draft.path,
      reading: readCategoryReading(version),
      categories: JSON.parse(variant.categorySetKey) as string[],
    }
    const { content, rowCount, headRows } = await deps.feeds.run('filter', task, { signal })
    await draft.commit(content)
    return { ...content, rowCount, headRowsJson: JSON.stringify(headRows) }
  } finally {
    await draft.discard()
  }
}
