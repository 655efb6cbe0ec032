import type {
  CategoryChoice,
  CategoryChoiceInput,
  CategoryLevelInput,
  CategoryPage,
  CategorySearchInput,
  FileCategories,
} from '../../../../shared/schemas/category'
import type { Actor } from '../../../domain/actor'
import type { Deps } from '../../../domain/deps'
import { notFound } from '../../../domain/errors'
import { loadConnection } from '../connections/connections'
import { findSupplierConnection } from '../connections/connections.queries'
import type { CategoryIndex } from './category-index'
import { listLevel, listMatches, takePage } from './category-pages'
import { NOTHING_PUBLISHED, type NoFile } from './connection-files'
import { findPublishedVersion, findVersionByFileName, type VersionRecord } from './versions.queries'

/** Above these numbers a file `isLarge`: screens show its categories level by level. */
const MANY_CATEGORIES = 40
const MANY_AT_THE_TOP = 12

/** Describes the categories of a connection's published file, for choosing a retailer's rows. */
export async function describeCategories(
  deps: Deps,
  actor: Actor,
  id: number,
): Promise<FileCategories | NoFile> {
  const version = await findPublishedVersion(deps.db, await loadConnection(deps.db, actor, id))
  if (!version) return NOTHING_PUBLISHED
  const index = await findIndex(deps, version)
  const nodes = index?.nodes ?? []
  const topCount = index?.topCount ?? 0
  const isLarge = nodes.length > MANY_CATEGORIES || topCount > MANY_AT_THE_TOP
  const shown = isLarge && index ? listLevel(index, null) : nodes
  return {
    fileName: version.fileName,
    reading: version.categoryReading,
    rowCount: version.rowCount,
    categoryCount: nodes.length,
    isCut: index?.isCut ?? false,
    isLarge,
    nodes: takePage(shown),
    topCount,
  }
}

/** Returns a page of the children of one category, or of the top level, from `offset` on. */
export async function listCategoryLevel(
  deps: Deps,
  actor: Actor,
  { under, offset, ...file }: CategoryLevelInput,
): Promise<CategoryPage> {
  const index = await loadIndex(deps, actor, file)
  const level = listLevel(index, under)
  return { nodes: takePage(level.slice(offset)), count: level.length }
}

/** Returns the first categories that contain every word of the search, with their ancestors. */
export async function searchCategories(
  deps: Deps,
  actor: Actor,
  { q, ...file }: CategorySearchInput,
): Promise<CategoryPage> {
  const matches = await listMatches(await loadIndex(deps, actor, file), q)
  return { nodes: takePage(matches), count: matches.length }
}

/** Returns the places of chosen categories in the file, and how many of its rows they show. */
export async function readCategoryChoice(
  deps: Deps,
  actor: Actor,
  { categories, ...file }: CategoryChoiceInput,
): Promise<CategoryChoice> {
  const index = await loadIndex(deps, actor, file)
  const places = findPlaces(index, categories)
  return { places, visibleRows: index.countRows(places.filter((place) => place !== null)) }
}

/** How many rows of a version these categories show: without a category column, none. */
export async function countVisibleRows(
  deps: Deps,
  version: VersionRecord,
  categories: readonly string[],
): Promise<number> {
  const index = await findIndex(deps, version)
  return index?.countRows(findPlaces(index, categories).filter((place) => place !== null)) ?? 0
}

/**
 * Returns which of these categories no row of a supplier's published file has; undefined when the
 * file has no category column, or nothing is published.
 */
export async function findUnknownCategories(
  deps: Deps,
  supplierId: number,
  categories: readonly string[],
): Promise<Set<string> | undefined> {
  const connection = await findSupplierConnection(deps.db, supplierId)
  const version = await findPublishedVersion(deps.db, connection)
  const index = version && (await findIndex(deps, version))
  if (!index) return undefined
  return new Set(categories.filter((category) => index.find(category) === undefined))
}

/** @throws DomainError NOT_FOUND when the actor may not see the file, or it has no categories */
async function loadIndex(
  deps: Deps,
  actor: Actor,
  { id, fileName }: { id: number; fileName: string },
): Promise<CategoryIndex> {
  const connection = await loadConnection(deps.db, actor, id)
  const version = await findVersionByFileName(deps.db, connection.id, fileName)
  const index = version && (await findIndex(deps, version))
  if (!index) throw notFound('File')
  return index
}

const findPlaces = (index: CategoryIndex, categories: readonly string[]) =>
  categories.map((category) => index.find(category) ?? null)

async function findIndex(deps: Deps, version: VersionRecord): Promise<CategoryIndex | undefined> {
  const { id, connectionId, categoryReading: reading } = version
  return reading ? deps.categoryIndexes.of({ id, connectionId, reading }) : undefined
}
