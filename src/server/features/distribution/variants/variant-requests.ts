import { DAY_MS } from '../../../../shared/durations'
import { inLossyTransaction, type WriteTransaction } from '../../../db/open'
import type { ConnectionRow } from '../../../db/schema'
import type { VariantSpec } from '../../../db/stored-json'
import { toViewKey } from '../../../db/stored-json'
import type { Deps } from '../../../domain/deps'
import {
  listForms,
  listViewKeys,
  toVariantSpec,
  type AskedForm,
} from '../../../domain/variant-spec'
import {
  findConnection,
  findSupplierConnection,
} from '../../catalogue/connections/connections.queries'
import { listDestinationViews } from '../destinations/destinations.queries'
import {
  hasReaderOf,
  listReaders,
  listRetailerViews,
  type RetailerRecord,
  type RetailerView,
} from '../retailers/retailers.queries'
import { MAX_VARIANTS_PER_VERSION } from '../stored-files/storage-usage'
import { listUsedViewKeys, requestVariant } from './variants.queries'
import {
  deleteOutdatedWaitingVariants,
  hasOutdatedWaitingVariant,
  deleteWaitingVariants,
  hasWaitingVariant,
} from './waiting-variants.queries'

/** A file in another form than its own is built in advance if it was read so recently. */
const USED_MS = 7 * DAY_MS

/**
 * Requests the files of a version that was just published, for the settings of the supplier's retailers, and
 * has them built.
 * Drops waiting requests for older versions that no retailer reads.
 */
export async function requestVariantsInUse(
  deps: Deps,
  { connectionId, versionId }: { connectionId: number; versionId: number },
): Promise<void> {
  const connection = await findConnection(deps.db, connectionId, {})
  if (!connection) return
  const views = await listViewsInUse(deps, connection)
  const replaced = { connectionId, versionId }
  const now = deps.clock.now()
  if (views.size === 0 && !(await hasOutdatedWaitingVariant(deps.db, replaced, now))) return
  await inLossyTransaction(deps.db, async (trx) => {
    await deleteOutdatedWaitingVariants(trx, replaced, now)
    for (const [viewKey, view] of views) {
      await requestVariant(trx, { versionId, viewKey, view, createdAt: now })
    }
  })
  await deps.queue.add({ job: 'build-variants', key: 'waiting', payload: {} })
}

/** The views of a supplier's retailers and their destinations by key: in their own form, and in others where those have been read lately. */
async function listViewsInUse(
  deps: Deps,
  { id, supplierId, columnPolicy }: ConnectionRow,
): Promise<Map<string, VariantSpec>> {
  const limit = MAX_VARIANTS_PER_VERSION + 1
  const settings = await listRetailerViews(deps.db, { supplierId }, limit)
  const sent = await listDestinationViews(deps.db, supplierId, limit)
  const byKey = (views: readonly RetailerView[], formsOf: (view: RetailerView) => AskedForm[]) =>
    new Map(
      views.flatMap((view) =>
        formsOf(view).flatMap((form) => {
          const shown = toVariantSpec({ ...view, columnPolicy }, form)
          return shown ? [[toViewKey(shown), shown] as const] : []
        }),
      ),
    )
  const others = byKey(settings, ({ profile }) =>
    listForms(profile).filter((form) => form !== 'own'),
  )
  const since = deps.clock.now() - USED_MS
  const used = await listUsedViewKeys(deps.db, id, { keys: [...others.keys()], since })
  const inUse = [
    ...byKey([...settings, ...sent], () => ['own']),
    ...[...others].filter(([key]) => used.has(key)),
  ]
  return new Map(inUse.slice(0, MAX_VARIANTS_PER_VERSION))
}

/** Queues the job that builds variants if any is waiting. */
export async function queueWaitingVariants(deps: Deps): Promise<void> {
  if (await hasWaitingVariant(deps.db, deps.clock.now())) {
    await deps.queue.add({ job: 'build-variants', key: 'waiting', payload: {} })
  }
}

/**
 * Drops the waiting requests for a retailer's former settings, unless another retailer of the supplier
 * has the same ones.
 */
export async function dropVariantRequests(
  trx: WriteTransaction,
  retailer: RetailerView & Pick<RetailerRecord, 'supplierId'>,
  now: number,
): Promise<void> {
  const { supplierId } = retailer
  const connection = await findSupplierConnection(trx, supplierId)
  if (!connection || (await hasReaderOf(trx, retailer))) return
  const viewKeys = listViewKeys({ ...retailer, columnPolicy: connection.columnPolicy })
  await deleteWaitingVariants(trx, { supplierId, viewKeys }, now)
}

/** Requests the file of a retailer's settings, so that it is ready when the retailer reads it. */
export async function requestRetailerVariant(
  trx: WriteTransaction,
  retailer: RetailerView & Pick<RetailerRecord, 'id' | 'supplierId'>,
  createdAt: number,
): Promise<void> {
  const connection = await findSupplierConnection(trx, retailer.supplierId)
  const versionId = connection?.publishedVersionId
  if (!connection || !versionId) return
  const view = toVariantSpec({ ...retailer, columnPolicy: connection.columnPolicy })
  if (!view) return
  const requestedBy = retailer.id
  await requestVariant(trx, { versionId, viewKey: toViewKey(view), view, createdAt, requestedBy })
}

/**
 * Replaces the requests for what members of a group saw before by those for what they see after a change of it, once for
 * each of their views, however many members have it.
 * @param change the change of the group
 */
export async function replaceGroupRequests(
  trx: WriteTransaction,
  group: { id: number; supplierId: number },
  now: number,
  change: () => Promise<void>,
): Promise<void> {
  const { supplierId, id: groupId } = group
  const connection = await findSupplierConnection(trx, supplierId)
  const versionId = connection?.publishedVersionId
  if (!connection || !versionId) return change()
  const { columnPolicy } = connection
  const limit = MAX_VARIANTS_PER_VERSION + 1
  const before = await listRetailerViews(trx, { supplierId, groupId }, limit)
  await change()
  const after = await listRetailerViews(trx, { supplierId, groupId }, limit)
  const keysOf = (views: RetailerView[]) =>
    views.flatMap((settings) => listViewKeys({ ...settings, columnPolicy }))
  const kept = new Set(keysOf(await listRetailerViews(trx, { supplierId }, limit)))
  const viewKeys = keysOf(before).filter((key) => !kept.has(key))
  await deleteWaitingVariants(trx, { supplierId, viewKeys }, now)
  for (const settings of after.slice(0, MAX_VARIANTS_PER_VERSION)) {
    const view = toVariantSpec({ ...settings, columnPolicy })
    if (!view) continue
    await requestVariant(trx, { versionId, viewKey: toViewKey(view), view, createdAt: now })
  }
}

/** Replaces the requests for a supplier's former column policy with those for the present one. */
export async function requestForPolicy(
  trx: WriteTransaction,
  { before, after }: { before: ConnectionRow; after: ConnectionRow },
  now: number,
): Promise<void> {
  const { supplierId, publishedVersionId, columnPolicy } = after
  const readers = await listReaders(trx, supplierId)
  const viewKeys = readers.flatMap((settings) =>
    listViewKeys({ ...settings, columnPolicy: before.columnPolicy }),
  )
  await deleteWaitingVariants(trx, { supplierId, viewKeys }, now)
  for (const { currentVersionId, ...settings } of readers) {
    const view = toVariantSpec({ ...settings, columnPolicy })
    if (!view) continue
    for (const versionId of new Set([publishedVersionId, currentVersionId])) {
      if (versionId === null) continue
      await requestVariant(trx, { versionId, viewKey: toViewKey(view), view, createdAt: now })
    }
  }
}
