import { foldName } from '../../../../shared/categories'
import { delimiterOf } from '../../../../shared/shop-formats'
import type { VariantSpec } from '../../../db/stored-json'
import { toViewKey } from '../../../db/stored-json'
import type { Deps } from '../../../domain/deps'
import { toBaseSpec, toSelection } from '../../../domain/variant-spec'
import { locateGoneItems } from '../../catalogue/gone-items/gone-items'
import { findVersion, type VersionRecord } from '../../catalogue/versions/versions.queries'
import { findVariant, isReady } from './variants.queries'

type Since = NonNullable<VariantSpec['since']>
type Content = { sha256: string; sizeBytes: number; rowCount: number }

/**
 * Writes the rows of a variant that differ from those of an older version. Where they cannot
 * be told by their keys, the result is the whole variant.
 * @throws Error when the variant is not ready
 */
export async function writeDelta(
  deps: Deps,
  { version, view, since }: { version: VersionRecord; view: VariantSpec; since: Since },
  { leaseToken, signal }: { leaseToken: string; signal: AbortSignal },
): Promise<Content> {
  const newer = await findContent(deps, version, toBaseSpec(view))
  if (!newer) throw new Error('The file that is to be compared is not ready')
  const older = await findOlder(deps, version, view, since)
  if (!older) return newer
  const draft = deps.files.createDraft(leaseToken)
  try {
    const { keyColumn, sha256, selection } = older
    const { format, pricing } = toSelection(view, version)
    const task = {
      older: { file: await deps.files.locate(sha256), selection },
      newer: await deps.files.locate(newer.sha256),
      version: { file: await deps.files.locate(version.sha256), keyColumn, format, pricing },
      delimiter: view.profile ? delimiterOf(view.profile) : (',' as const),
      draft: draft.path,
    }
    const { content, rowCount } = await deps.readers.run('delta', task, { signal })
    if (rowCount === null) return newer
    await draft.commit(content)
    return { ...content, rowCount }
  } finally {
    await draft.discard()
  }
}

/** The stored file of a variant, if it is ready. */
async function findContent(
  deps: Deps,
  { id, sha256, sizeBytes, rowCount }: VersionRecord,
  view: VariantSpec | null,
): Promise<Content | undefined> {
  if (!view) return { sha256, sizeBytes, rowCount }
  const variant = await findVariant(deps.db, id, toViewKey(view))
  if (!variant || !isReady(variant)) return undefined
  return { sha256: variant.sha256, sizeBytes: variant.sizeBytes, rowCount: variant.rowCount }
}

/** What the older file is read from; undefined when it is gone, or has its keys in another column. */
async function findOlder(deps: Deps, version: VersionRecord, view: VariantSpec, since: Since) {
  const before = await findVersion(deps.db, since.versionId)
  const { keyColumn } = version
  if (before?.connectionId !== version.connectionId || keyColumn === null) return undefined
  if (foldName(before.keyColumn ?? '') !== foldName(keyColumn)) return undefined
  const olderView = toBaseSpec({ ...view, categories: since.categories })
  const known = await findContent(deps, before, olderView)
  if (known) return { keyColumn, sha256: known.sha256, selection: null }
  const selection = olderView && {
    ...toSelection(olderView, before),
    gone: await locateGoneItems(deps, olderView, before),
  }
  return { keyColumn, sha256: before.sha256, selection }
}
