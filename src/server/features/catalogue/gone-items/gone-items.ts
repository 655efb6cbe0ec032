import { isDeepStrictEqual } from 'node:util'

import { foldName } from '../../../../shared/categories'
import { hasPathNames } from '../../../../shared/file-source'
import type { ColumnRoles } from '../../../../shared/schemas/column-policy'
import { hasQuantities } from '../../../../shared/shop-formats'
import type { VersionRow } from '../../../db/schema'
import type { VariantSpec } from '../../../db/stored-json'
import type { Deps } from '../../../domain/deps'
import { logFailure } from '../../../domain/log-failure'
import type { FilterTask, GoneItemsTask } from '../../../files/file-readers'
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

/** A file that is about to be published. */
type NewFile = Pick<
  VersionRow,
  'sha256' | 'keysSha256' | 'keysBytes' | 'keyColumn' | 'categoryReading'
>

type OldFile = NewFile & GoneColumns & Pick<VersionRow, 'dialect'>

type Publication = {
  supplierId: number
  /** The published file, if there is one. */
  older: VersionFacts | undefined
  file: NewFile
  roles: ColumnRoles
  /** Keys that the file no longer has; null if that is not known. */
  removed: number | null
  /** Owns the scratch files. */
  token: string
}

/**
 * Stores the list of the items that leave with a file which is about to replace the published one. A
 * failure does not stop the publication: the list stays as it was.
 */
export async function rememberGoneItems(
  deps: Deps,
  { supplierId, older, file, roles, removed, token }: Publication,
  signal: AbortSignal,
): Promise<GoneColumns> {
  if (!older) return NO_GONE_ITEMS
  const { goneSha256, goneBytes, goneCount, goneDropped } = older
  const tracksCategories = await hasFilteredRetailer(deps.db, supplierId)
  if (removed === 0 && goneSha256 === null && !tracksCategories) return NO_GONE_ITEMS
  const isKept = goneSha256 !== null && (await deps.files.has(goneSha256))
  const known = isKept ? { goneSha256, goneBytes, goneCount, goneDropped } : NO_GONE_ITEMS
  if (isSameFile(older, file)) return known
  try {
    const task = await toTask(deps, older, file, tracksCategories)
    const found = task && (await writeList(deps, { ...task, roles }, { token, signal }))
    return found ?? NO_GONE_ITEMS
  } catch (error) {
    const details = { versionId: older.id }
    logFailure(deps.logger, error, 'Gone items could not be found', details)
    return known
  }
}

const isSameFile = (older: NewFile, newer: NewFile) =>
  older.sha256 === newer.sha256 && isDeepStrictEqual(older.categoryReading, newer.categoryReading)

/** What is compared; undefined for files that do not have the same column of keys. */
async function toTask(deps: Deps, older: OldFile, newer: NewFile, tracksCategories: boolean) {
  const { keyColumn } = newer
  if (keyColumn === null || foldName(older.keyColumn ?? '') !== foldName(keyColumn))
    return undefined
  if (older.keysSha256 === null || older.keysBytes === null) return undefined
  if (newer.keysSha256 === null || newer.keysBytes === null) return undefined
  const { locate } = deps.files
  const { categoryReading } = newer
  const hasCategories = categoryReading !== null || older.categoryReading !== null
  const rows =
    tracksCategories && hasCategories ? { file: await locate(newer.sha256), categoryReading } : null
  return {
    older: {
      file: await locate(older.sha256),
      keys: await locate(older.keysSha256),
      keysBytes: older.keysBytes,
      gone: older.goneSha256 === null ? null : await locate(older.goneSha256),
    },
    newer: { keys: await locate(newer.keysSha256), keysBytes: newer.keysBytes, rows },
    keyColumn,
    arePaths: hasPathNames(older.dialect),
    categoryReading: older.categoryReading,
  }
}

/** @returns undefined for an empty list */
async function writeList(
  deps: Deps,
  task: Omit<GoneItemsTask, 'now' | 'draft'>,
  { token, signal }: { token: string; signal: AbortSignal },
): Promise<GoneColumns | undefined> {
  const draft = deps.files.createDraft(token)
  try {
    const goneItems = { ...task, now: deps.clock.now(), draft: draft.path }
    const { content, count, dropped } = await deps.readers.run('goneItems', goneItems, { signal })
    if (!content) return undefined
    await draft.commit(content)
    const { sha256, sizeBytes } = content
    return { goneSha256: sha256, goneBytes: sizeBytes, goneCount: count, goneDropped: dropped }
  } finally {
    await draft.discard()
  }
}

/** The list that a variant is written with; undefined when it is written without one. */
export async function locateGoneItems(
  deps: Deps,
  view: VariantSpec,
  { goneSha256, keyColumn }: Pick<VersionRow, 'goneSha256' | 'keyColumn'>,
): Promise<FilterTask['gone']> {
  const { profile, omitsGoneItems } = view
  if (goneSha256 === null || keyColumn === null) return undefined
  if (!profile || omitsGoneItems || !hasQuantities(profile)) return undefined
  return { keyColumn, file: await deps.files.locate(goneSha256) }
}
