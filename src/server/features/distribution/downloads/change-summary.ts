import { foldName, PATH_JOINT } from '../../../../shared/categories'
import type { CategoryChanges, ChangeSummary } from '../../../../shared/schemas/file'
import type { VisibilitySettings } from '../../../../shared/schemas/retailer'
import type { Actor } from '../../../domain/actor'
import type { Deps } from '../../../domain/deps'
import { findSupplierConnection } from '../../catalogue/connections/connections.queries'
import type { CategoryIndex, IndexedCategory } from '../../catalogue/versions/category-index'
import { findDataTime } from '../../catalogue/versions/data-time'
import { findVersion, type VersionRecord } from '../../catalogue/versions/versions.queries'
import { loadRetailer, readVisibility } from '../retailers/retailers'
import { findDownloadBefore } from './downloads.queries'
import { findAndRecordLatestFile } from './latest-file'

const MAX_NAMES = 10

/**
 * Compares the retailer's file with the one it had before, by their counted categories: no file is
 * read. Both are compared as the retailer may see them now. null when there was no file before.
 */
export async function readChangeSummary(
  deps: Deps,
  actor: Actor,
  retailerId: number,
): Promise<ChangeSummary | null> {
  const retailer = await loadRetailer(deps.db, actor, retailerId)
  const version = (await findAndRecordLatestFile(deps, actor, retailer))?.version
  const download = version && (await findDownloadBefore(deps.db, retailer.id, version.id))
  const before = download && (await findVersion(deps.db, download.versionId))
  const connection = await findSupplierConnection(deps.db, retailer.supplierId)
  if (!version || !before || !connection) return null
  const visibility = readVisibility(retailer)
  const { hidden } = connection.columnPolicy
  const [seen, seenBefore] = [
    await summarize(deps, version, visibility, hidden),
    await summarize(deps, before, visibility, hidden),
  ]
  return {
    rowCount: seen.rowCount,
    previousRowCount: seenBefore.rowCount,
    previousDataAsOf: new Date(await findDataTime(deps.db, connection, before)).toISOString(),
    appeared: compare(seen.categories, seenBefore.categories),
    vanished: compare(seenBefore.categories, seen.categories),
  }
}

/** The categories that a retailer sees, by key; null when the file has none, too many to list, or hides them. */
type SeenCategories = { index: CategoryIndex; byKey: ReadonlyMap<string, IndexedCategory> } | null

async function summarize(
  deps: Deps,
  { id, connectionId, rowCount, categoryReading: reading }: VersionRecord,
  { allProducts, categories }: VisibilitySettings,
  hidden: readonly string[],
): Promise<{ rowCount: number; categories: SeenCategories }> {
  if (!reading) return { rowCount: allProducts ? rowCount : 0, categories: null }
  const index = await deps.categoryIndexes.of({ id, connectionId, reading })
  const chosen = allProducts ? undefined : categories.flatMap((name) => index.find(name) ?? [])
  const isHidden = hidden.some((name) => foldName(name) === foldName(reading.column))
  return {
    rowCount: chosen ? index.countRows(chosen) : rowCount,
    categories: index.isCut || isHidden ? null : { index, byKey: listSeen(index, chosen) },
  }
}

/** @param chosen the places whose categories and subcategories are seen; undefined for all */
function listSeen({ nodes }: CategoryIndex, chosen: number[] | undefined) {
  const seen = chosen?.flatMap((place) => nodes.slice(place, nodes[place]?.end)) ?? nodes
  return new Map(seen.map((node) => [node.key, node]))
}

/** The categories of `these` that are not among `others`, without those below another of them. */
function compare(these: SeenCategories, others: SeenCategories): CategoryChanges | null {
  if (!these || !others) return null
  const { nodes } = these.index
  const missing = [...these.byKey.values()].filter(({ key }) => !others.byKey.has(key))
  const places = new Set(missing.map(({ place }) => place))
  const top = missing.filter(({ parent }) => parent === null || !places.has(parent))
  return { count: top.length, names: top.slice(0, MAX_NAMES).map((node) => pathOf(nodes, node)) }
}

function pathOf(nodes: CategoryIndex['nodes'], { label, parent }: IndexedCategory): string {
  const above = parent === null ? undefined : nodes[parent]
  return above ? `${pathOf(nodes, above)}${PATH_JOINT}${label}` : label
}
