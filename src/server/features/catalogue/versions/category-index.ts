import { categoryKey, type CategorySeparators } from '../../../../shared/categories'
import type { CategoryNode } from '../../../../shared/schemas/category'
import type { CategoryCount, CategoryReading } from '../../../../shared/schemas/file'
import { createYielder } from '../../../files/yield-to-event-loop'
import { createCategoryCollector, type CategoryDraft } from './category-drafts'
import { sortInSlices } from './sort-in-slices'

/** The cost of one character of a cell, in the unit of `createYielder`: bytes of plain reading. */
const COST_PER_CHARACTER = 16
/** Rough estimates of memory. */
const BYTES_PER_NODE = 300
const BYTES_PER_CELL = 200

/** A category of the tree. `key` is its folded path, which is searched. */
export type IndexedCategory = CategoryNode & { key: string }

/** The categories of a file in tree order: each is followed by its descendants. */
export interface CategoryIndex {
  nodes: readonly IndexedCategory[]
  topCount: number
  /** True when the file has more categories than are listed. */
  isCut: boolean
  /** Returns a category's place; undefined when the file does not have it. */
  find(category: string): number | undefined
  /** Counts the rows with a category at or below one of these places, as the filter would write. */
  countRows(places: Iterable<number>): number
  /** An estimate of the memory it takes. */
  sizeBytes: number
}

type YieldToEventLoop = (bytes: number) => Promise<void>

/**
 * Builds the index of a file's category cells, yielding to the event loop. Spellings that differ
 * only in case share a node, labelled with the first one. A row in two branches counts in both, and
 * once in a common ancestor.
 */
export async function buildCategoryIndex(
  counts: readonly CategoryCount[],
  reading: CategoryReading,
): Promise<CategoryIndex> {
  const yieldToEventLoop = createYielder(new AbortController().signal)
  const collector = createCategoryCollector(reading)
  const touched: CategoryDraft[][] = []
  for (const { cell, rows } of counts) {
    await yieldToEventLoop(COST_PER_CHARACTER * cell.length)
    touched.push(collector.add(cell, rows))
  }
  const nodes: IndexedCategory[] = []
  await addNodes(nodes, collector.roots, null, yieldToEventLoop)
  const cells = touched.map((drafts, cell) => ({
    places: Int32Array.from(drafts, ({ place }) => place),
    rows: counts[cell]?.rows ?? 0,
  }))
  return toIndex(nodes, cells, reading, collector.isCut())
}

/**
 * A distinct cell of the category column: the places of its categories and ancestors, and its rows.
 */
type Cell = { places: Int32Array; rows: number }

/** Does not retain the drafts, so that they can be garbage-collected. */
function toIndex(
  nodes: readonly IndexedCategory[],
  cells: readonly Cell[],
  reading: CategorySeparators,
  isCut: boolean,
): CategoryIndex {
  const places = new Map(nodes.map(({ key, place }) => [key, place]))
  const texts = nodes.reduce((sum, { key, label }) => sum + key.length + label.length, 0)
  const touches = cells.reduce((sum, cell) => sum + cell.places.length, 0)
  return {
    nodes,
    topCount: nodes[0]?.siblingCount ?? 0,
    isCut,
    find: (category) => places.get(categoryKey(category, reading)),
    countRows: (chosen) => countRows(cells, chosen, nodes.length),
    sizeBytes:
      nodes.length * BYTES_PER_NODE + cells.length * BYTES_PER_CELL + 4 * touches + 2 * texts,
  }
}

function countRows(cells: readonly Cell[], chosen: Iterable<number>, nodeCount: number): number {
  const isChosen = new Uint8Array(nodeCount)
  for (const place of chosen) isChosen[place] = 1
  let visible = 0
  for (const { places, rows } of cells) {
    if (places.some((place) => isChosen[place] === 1)) visible += rows
  }
  return visible
}

const byLabel = new Intl.Collator('en', { numeric: true })
const compare = (a: CategoryDraft, b: CategoryDraft) => byLabel.compare(a.label, b.label)

/** Appends siblings in order, each followed by its descendants. */
async function addNodes(
  nodes: IndexedCategory[],
  drafts: CategoryDraft[],
  parent: IndexedCategory | null,
  yieldToEventLoop: YieldToEventLoop,
): Promise<void> {
  const siblings = await sortInSlices(drafts, compare, yieldToEventLoop)
  for (const [index, draft] of siblings.entries()) {
    draft.place = nodes.length
    const { place, label, key, rows } = draft
    const node: IndexedCategory = {
      place,
      end: place + 1,
      parent: parent?.place ?? null,
      level: (parent?.level ?? 0) + 1,
      label,
      key,
      rows,
      position: index + 1,
      siblingCount: siblings.length,
    }
    nodes.push(node)
    if (draft.children.length > 0) await addNodes(nodes, draft.children, node, yieldToEventLoop)
    node.end = nodes.length
  }
}
