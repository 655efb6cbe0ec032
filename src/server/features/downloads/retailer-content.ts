import { categorySetKey } from '../../../shared/categories'
import { inTransaction } from '../../db/open'
import type { Deps } from '../../domain/deps'
import { readVisibility } from '../retailers/retailers'
import type { RetailerRecord } from '../retailers/retailers.queries'
import { findVariant, isReady, requestVariant } from '../variants/variants.queries'
import type { VersionRecord } from '../versions/versions.queries'

/** The stored file with all the rows that a retailer may see of a version. */
export type ReadyContent = {
  status: 'ready'
  sha256: string
  sizeBytes: number
  rowCount: number
  /** null for the whole version. */
  variantId: number | null
}

/** The same, once it is ready. */
export type RetailerContent = { status: 'processing' | 'failed' } | ReadyContent

/** Returns the whole version or the retailer's filtered file, which is requested if missing. */
export async function resolveContent(
  deps: Deps,
  retailer: RetailerRecord,
  version: VersionRecord,
): Promise<RetailerContent> {
  const { content, status, key } = await findContent(deps, retailer, version)
  if (content) return content
  if (status !== 'processing') await requestBuild(deps, version.id, key)
  return { status: status === 'failed' ? 'failed' : 'processing' }
}

/** Returns the file if it is ready; does not request it otherwise. */
export async function findReadyContent(
  deps: Deps,
  retailer: RetailerRecord,
  version: VersionRecord,
): Promise<ReadyContent | undefined> {
  return (await findContent(deps, retailer, version)).content
}

async function findContent(
  deps: Deps,
  retailer: RetailerRecord,
  { id: versionId, ...version }: VersionRecord,
) {
  const visibility = readVisibility(retailer)
  const key = categorySetKey(visibility.categories)
  if (visibility.allProducts) return { content: toContent(version, null), key }
  const variant = await findVariant(deps.db, versionId, key)
  if (variant && isReady(variant)) return { content: toContent(variant, variant.id), key }
  return { status: variant?.status, key }
}

function toContent(
  { sha256, sizeBytes, rowCount }: Omit<ReadyContent, 'status' | 'variantId'>,
  variantId: number | null,
): ReadyContent {
  return { status: 'ready', sha256, sizeBytes, rowCount, variantId }
}

async function requestBuild(deps: Deps, versionId: number, key: string): Promise<void> {
  const createdAt = deps.clock.now()
  await inTransaction(deps.db, (trx) =>
    requestVariant(trx, { versionId, categorySetKey: key, createdAt }),
  )
  await deps.queue.add({ job: 'build-variants', key: 'waiting', payload: {} })
}
