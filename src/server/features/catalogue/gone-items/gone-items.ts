import { isDeepStrictEqual } from 'node:util'

import { foldName } from '../../../../shared/categories'
import { hasPathNames } from '../../../../shared/file-source'
import type { ColumnRoles } from '../../../../shared/schemas/column-policy'
import { hasQuantities } from '../../../../shared/shop-formats'
import type { VersionRow } from '../../../db/schema'
import type { VariantSpec } from '../../../db/stored-json'
import type { Deps } from '../../../domain/deps'
import { logFailure } from '../../../domain/log-failure'
import type { FileChanges, FilteredView, PublishedFile } from '../../../files/file-readers'
import { toGoneItems, toGoneItemsTask } from '../../../files/gone-items'
import type { FileDraft } from '../../../storage/file-store'
import { locateKeys } from '../versions/locate-keys'
import type { VersionFacts } from '../versions/version-history.queries'
import { hasFilteredRetailer } from './filtered-retailers.queries'

/** The list of the items that have left a version's file; all null without any. */
export type GoneColumns = Pick<VersionRow, 'goneSha256' | 'goneBytes' | 'goneCount' | 'goneDropped'>

export const NO_GONE_ITEMS: GoneColumns = {
  goneSha256: null,
  goneBytes: null,
  goneCount: null,
  goneDropped: null,
}

/** A file that is about to be published by hand. */
type NewFile = Pick<
  VersionRow,
  'sha256' | 'keysSha256' | 'keysBytes' | 'keyColumn' | 'categoryReading'
>

type KnownItems = PublishedFile['gone']

/** Finds what is known of the items that had left the published file before. */
export async function findKnownItems(
  { db, files, clock }: Deps,
  supplierId: number,
  { goneSha256 }: GoneColumns,
): Promise<KnownItems> {
  const isKept = goneSha256 !== null && (await files.has(goneSha256))
  return {
    list: isKept ? await files.locate(goneSha256) : null,
    tracksCategories: await hasFilteredRetailer(db, supplierId),
    now: clock.now(),
  }
}

/**
 * Stores the list of the items that leave with a file which takes the place of the published one. That they
 * could not be found is no reason not to publish it: the list stays as it was.
 * @param draft what was written of it
 */
export async function storeGoneItems(
  { logger }: Deps,
  { older, known, draft }: { older: VersionFacts; known: KnownItems; draft: FileDraft },
  found: FileChanges['gone'],
): Promise<GoneColumns> {
  switch (found.kind) {
    case 'none':
      return NO_GONE_ITEMS
    case 'kept': {
      const { failure: reason } = found
      if (reason !== null) logger.warn({ versionId: older.id, reason }, NOT_FOUND)
      const { goneSha256, goneBytes, goneCount, goneDropped } = older
      return known.list === null ? NO_GONE_ITEMS : { goneSha256, goneBytes, goneCount, goneDropped }
    }
    case 'written': {
      const { content, count: goneCount, dropped: goneDropped } = found
      await draft.commit(content)
      return { goneSha256: content.sha256, goneBytes: content.sizeBytes, goneCount, goneDropped }
    }
  }
}

/**
 * Finds and stores the list of the items that leave with a stored file which is published by hand.
 * @param publication.token owns the scratch files
 */
export async function rememberGoneItems(
  deps: Deps,
  { supplierId, older, ...publication }: Publication,
  signal: AbortSignal,
): Promise<GoneColumns> {
  if (!older) return NO_GONE_ITEMS
  const known = await findKnownItems(deps, supplierId, older)
  const draft = deps.files.createDraft(publication.token)
  try {
    const found = await findGoneItems(deps, { older, known, draft, ...publication }, signal)
    return await storeGoneItems(deps, { older, known, draft }, found)
  } finally {
    await draft.discard()
  }
}

type Publication = {
  supplierId: number
  /** The published file, if there is one. */
  older: VersionFacts | undefined
  file: NewFile
  roles: ColumnRoles
  token: string
}

async function findGoneItems(
  deps: Deps,
  {
    older,
    file: newer,
    known: gone,
    roles,
    draft,
  }: Pick<Publication, 'file' | 'roles'> & {
    older: VersionFacts
    known: KnownItems
    draft: FileDraft
  },
  signal: AbortSignal,
): Promise<FileChanges['gone']> {
  const { keyColumn, categoryReading } = newer
  const isSameReading = isDeepStrictEqual(older.categoryReading, categoryReading)
  if (older.sha256 === newer.sha256 && isSameReading) return { kind: 'kept', failure: null }
  if (keyColumn === null || foldName(older.keyColumn ?? '') !== foldName(keyColumn)) {
    return { kind: 'none' }
  }
  try {
    const [before, after] = [await locateKeys(deps, older), await locateKeys(deps, newer)]
    if (!before || !after) return { kind: 'none' }
    const arePaths = hasPathNames(older.dialect)
    const task = toGoneItemsTask(
      { paths: before, arePaths, categoryReading: older.categoryReading, gone },
      { ...after, categoryReading },
      { keyColumn, roles, draft: draft.path },
    )
    return toGoneItems(await deps.readers.run('goneItems', task, { signal }))
  } catch (error) {
    logFailure(deps.logger, error, NOT_FOUND, { versionId: older.id })
    return { kind: 'kept', failure: null }
  }
}

const NOT_FOUND = 'Gone items could not be found'

/** The list that a variant is written with; undefined when it is written without one. */
export async function locateGoneItems(
  deps: Deps,
  view: VariantSpec,
  { goneSha256, keyColumn }: Pick<VersionRow, 'goneSha256' | 'keyColumn'>,
): Promise<FilteredView['gone']> {
  const { profile, omitsGoneItems } = view
  if (goneSha256 === null || keyColumn === null) return undefined
  if (!profile || omitsGoneItems || !hasQuantities(profile)) return undefined
  return { keyColumn, file: await deps.files.locate(goneSha256) }
}
