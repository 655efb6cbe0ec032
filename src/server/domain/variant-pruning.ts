import { categorySetKey } from '../../shared/categories'
import { inTransaction } from '../db/open'
import { listRetailers } from '../db/retailers.queries'
import type { ConnectionRow } from '../db/schema'
import { deleteVariants, listConnectionVariants } from '../db/variants.queries'
import type { Deps } from './deps'
import { readVisibility } from './retailers'
import { deleteUnneededFile } from './storage-cleaning'

/** One that was asked for just now, for an older version, is kept until it has been read. */
const MIN_AGE_MS = 60 * 60_000

/**
 * Removes a connection's filtered files that no retailer reads: those of categories that nobody has
 * any more, and those of versions that everybody has left. Who asks for one again gets it rebuilt.
 * @returns how many
 */
export async function pruneVariants(
  deps: Deps,
  { id, supplierId, publishedVersionId }: ConnectionRow,
): Promise<number> {
  const surplus = await inTransaction(deps.db, async (trx) => {
    const oldest = deps.clock.now() - MIN_AGE_MS
    const variants = await listConnectionVariants(trx, id, oldest)
    if (variants.length === 0) return []
    const needed = new Set<string>()
    for (const retailer of await listRetailers(trx, { supplierId })) {
      const { allProducts, categories } = readVisibility(retailer)
      if (allProducts) continue
      const key = categorySetKey(categories)
      needed.add(`${publishedVersionId} ${key}`).add(`${retailer.currentVersionId} ${key}`)
    }
    const unneeded = variants.filter(
      ({ versionId, categorySetKey: key }) => !needed.has(`${versionId} ${key}`),
    )
    const ids = unneeded.map((variant) => variant.id)
    await deleteVariants(trx, ids)
    return unneeded
  })
  const files = new Set(surplus.flatMap(({ sha256 }) => sha256 ?? []))
  for (const sha256 of files) await deleteUnneededFile(deps, sha256)
  return surplus.length
}
