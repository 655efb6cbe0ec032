import { randomUUID } from 'node:crypto'

import { categorySetKey } from '../../shared/categories'
import { findConnection } from '../db/connections.queries'
import { inTransaction } from '../db/open'
import { listCategorySets } from '../db/retailers.queries'
import {
  leaseVariant,
  listWaitingVariants,
  requestVariant,
  updateLeasedVariant,
  type VariantRecord,
} from '../db/variants.queries'
import { findVersion } from '../db/versions.queries'
import { readCategoryReading } from './connections'
import type { Deps } from './deps'
import { keepLease, LeaseLostError, LEASE_MS } from './lease'

/**
 * Writes the filtered files that wait to be built. Given the version that was just published, it
 * first records those for the category sets that the supplier's retailers have.
 */
export async function buildWaitingVariants(
  deps: Deps,
  { versionId }: { versionId?: number | undefined },
  signal: AbortSignal,
): Promise<void> {
  if (versionId !== undefined) await requestVariantsInUse(deps, versionId)
  for (;;) {
    const [waiting] = await listWaitingVariants(deps.db, deps.clock.now(), 1)
    if (!waiting || signal.aborted) return
    await buildVariant(deps, waiting.id, signal)
  }
}

async function requestVariantsInUse(deps: Deps, versionId: number): Promise<void> {
  const version = await findVersion(deps.db, versionId)
  const connection = version && (await findConnection(deps.db, version.connectionId, {}))
  if (!connection) return
  const sets = await listCategorySets(deps.db, connection.supplierId)
  const keys = new Set(sets.map((categories) => categorySetKey(categories)))
  await inTransaction(deps.db, async (trx) => {
    const createdAt = deps.clock.now()
    for (const key of keys) await requestVariant(trx, { versionId, categorySetKey: key, createdAt })
  })
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
    await change({ ...built, status: 'ready', error: null, leaseToken: null, leaseUntil: null })
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
