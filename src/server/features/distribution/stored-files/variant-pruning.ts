import { HOUR_MS } from '../../../../shared/durations'
import { inTransaction, type Db } from '../../../db/open'
import type { ConnectionRow } from '../../../db/schema'
import { toViewKey } from '../../../db/stored-json'
import type { Deps } from '../../../domain/deps'
import { toVariantSpec } from '../../../domain/variant-spec'
import { listDestinationViews } from '../destinations/destinations.queries'
import { listReaders } from '../retailers/retailers.queries'
import {
  deleteVariants,
  listConnectionVariants,
  type VariantRecord,
} from '../variants/variants.queries'
import { deleteUnneededFiles } from './storage-cleaning'

/**
 * Keeps a filtered file that was just requested for an older version until it can be downloaded.
 */
const MIN_AGE_MS = HOUR_MS

/**
 * Removes filtered files of these connections that no retailer reads any more, because their settings or
 * versions are in no retailer's use. They are rebuilt on demand.
 * @returns how many were removed
 * @throws the signal's reason; files whose rows are removed then stay for `cleanStorage`
 */
export async function pruneVariants(
  deps: Deps,
  connections: readonly ConnectionRow[],
  signal: AbortSignal,
): Promise<number> {
  const removed: VariantRecord[] = []
  for (const connection of connections) {
    signal.throwIfAborted()
    removed.push(...(await deleteUnneededVariants(deps, connection)))
  }
  const files = removed.flatMap(({ sha256 }) => sha256 ?? [])
  await deleteUnneededFiles(deps, files, { signal })
  return removed.length
}

async function deleteUnneededVariants(
  deps: Deps,
  connection: ConnectionRow,
): Promise<VariantRecord[]> {
  const oldest = deps.clock.now() - MIN_AGE_MS
  const select = async (db: Db) => {
    const variants = await listConnectionVariants(db, connection.id, oldest)
    if (variants.length === 0) return []
    const needed = await findNeededVariants(db, connection)
    return variants.filter((variant) => !needed.has(toVariantKey(variant)))
  }
  // Nearly always, there are none.
  if ((await select(deps.db)).length === 0) return []
  return inTransaction(deps.db, async (trx) => {
    const unneeded = await select(trx)
    const ids = unneeded.map((variant) => variant.id)
    if (ids.length > 0) await deleteVariants(trx, ids)
    return unneeded
  })
}

/** Who reads a filtered file, as their settings are. */
export type Readers = { retailerIds: number[]; isNdjson: boolean }

/** Returns who of the supplier's retailers reads which variants now or will read them next. */
export async function findNeededVariants(
  db: Db,
  { supplierId, publishedVersionId, columnPolicy }: ConnectionRow,
): Promise<Map<string, Readers>> {
  const needed = new Map<string, Readers>()
  const add = (
    { id, currentVersionId, ...settings }: Awaited<ReturnType<typeof listReaders>>[number],
    isNdjson: boolean,
  ) => {
    const view = toVariantSpec({ ...settings, columnPolicy }, isNdjson)
    if (!view) return
    const viewKey = toViewKey(view)
    for (const versionId of new Set([publishedVersionId, currentVersionId])) {
      if (versionId === null) continue
      const key = toVariantKey({ versionId, viewKey })
      const readers = needed.get(key) ?? { retailerIds: [], isNdjson }
      readers.retailerIds.push(id)
      needed.set(key, readers)
    }
  }
  for (const reader of await listReaders(db, supplierId)) {
    add(reader, false)
    add(reader, true)
  }
  for (const sent of await listDestinationViews(db, supplierId)) add(sent, false)
  return needed
}

/** The key of a variant in the result of `findNeededVariants`. */
export function toVariantKey(variant: { versionId: number; viewKey: string }): string {
  return `${variant.versionId} ${variant.viewKey}`
}
