import { categorySetKey } from '../../../shared/categories'
import { inTransaction, type Db } from '../../db/open'
import type { ConnectionRow } from '../../db/schema'
import type { Deps } from '../../domain/deps'
import { listRestrictedReaders } from '../retailers/retailers.queries'
import { deleteVariants, listConnectionVariants } from '../variants/variants.queries'
import { deleteUnneededFile } from './storage-cleaning'

/** One that was asked for just now, for an older version, is kept until it has been read. */
const MIN_AGE_MS = 60 * 60_000

/**
 * Removes a connection's filtered files that no retailer reads: those of categories that nobody has
 * any more, and those of versions that everybody has left. Who asks for one again gets it rebuilt.
 * @returns how many
 */
export async function pruneVariants(deps: Deps, connection: ConnectionRow): Promise<number> {
  const surplus = await inTransaction(deps.db, async (trx) => {
    const oldest = deps.clock.now() - MIN_AGE_MS
    const variants = await listConnectionVariants(trx, connection.id, oldest)
    if (variants.length === 0) return []
    const needed = await findNeededVariants(trx, connection)
    const unneeded = variants.filter((variant) => !needed.has(toVariantKey(variant)))
    const ids = unneeded.map((variant) => variant.id)
    await deleteVariants(trx, ids)
    return unneeded
  })
  const files = new Set(surplus.flatMap(({ sha256 }) => sha256 ?? []))
  for (const sha256 of files) await deleteUnneededFile(deps, sha256)
  return surplus.length
}

/** What the retailers of a connection's supplier read now, or will read next. */
export async function findNeededVariants(
  db: Db,
  { supplierId, publishedVersionId }: ConnectionRow,
): Promise<Set<string>> {
  const needed = new Set<string>()
  for (const { categories, currentVersionId } of await listRestrictedReaders(db, supplierId)) {
    const key = categorySetKey(categories)
    for (const versionId of [publishedVersionId, currentVersionId]) {
      if (versionId !== null) needed.add(toVariantKey({ versionId, categorySetKey: key }))
    }
  }
  return needed
}

/** What a variant is known by among those that are needed. */
export function toVariantKey(variant: { versionId: number; categorySetKey: string }): string {
  return `${variant.versionId} ${variant.categorySetKey}`
}
