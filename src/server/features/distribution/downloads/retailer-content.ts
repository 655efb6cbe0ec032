import { inLossyTransaction } from '../../../db/open'
import { toViewKey, type VariantSpec } from '../../../db/stored-json'
import type { Deps } from '../../../domain/deps'
import type { VersionRecord } from '../../catalogue/versions/versions.queries'
import { findVariant, isReady, requestVariant } from '../variants/variants.queries'

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
export type RetailerContent = Missing | ReadyContent

/** `refusal`: why it could not be written, if that is known to people; it is tried again in any case. */
type Missing = { status: 'processing' | 'failed'; refusal?: string | null }

/**
 * Finds the whole version or a variant of it, which is requested if missing.
 * @param view null for the whole version
 * @param retailerId whose file it is
 */
export async function findOrRequestContent(
  deps: Deps,
  view: VariantSpec | null,
  version: VersionRecord,
  retailerId: number,
): Promise<RetailerContent> {
  const { content, status, refusal } = await findContent(deps, view, version)
  if (content) return content
  if (view && status !== 'processing') await requestBuild(deps, version.id, view, retailerId)
  return status === 'failed' ? { status, refusal: refusal ?? null } : { status: 'processing' }
}

/** Finds the file if it is ready; does not request it otherwise. */
export async function findReadyContent(
  deps: Deps,
  view: VariantSpec | null,
  version: VersionRecord,
): Promise<ReadyContent | undefined> {
  return (await findContent(deps, view, version)).content
}

async function findContent(
  deps: Deps,
  view: VariantSpec | null,
  { id: versionId, ...version }: VersionRecord,
) {
  if (!view) return { content: toContent(version, null) }
  const variant = await findVariant(deps.db, versionId, toViewKey(view))
  if (variant && isReady(variant)) return { content: toContent(variant, variant.id) }
  return { status: variant?.status, refusal: variant?.refusal }
}

function toContent(
  { sha256, sizeBytes, rowCount }: Pick<ReadyContent, 'sha256' | 'sizeBytes' | 'rowCount'>,
  variantId: number | null,
): ReadyContent {
  return { status: 'ready', sha256, sizeBytes, rowCount, variantId }
}

async function requestBuild(
  deps: Deps,
  versionId: number,
  view: VariantSpec,
  requestedBy: number,
): Promise<void> {
  const createdAt = deps.clock.now()
  const viewKey = toViewKey(view)
  await inLossyTransaction(deps.db, (trx) =>
    requestVariant(trx, { versionId, viewKey, view, createdAt, requestedBy }),
  )
  await deps.queue.add({ job: 'build-variants', key: 'waiting', payload: {} })
}
