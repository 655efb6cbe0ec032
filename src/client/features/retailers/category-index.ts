import {
  buildCategoryTree,
  categoryKey,
  foldName,
  type CategoryNode,
} from '../../../shared/categories'
import type { CategoryCount, CategoryReading } from '../../../shared/schemas/file'

/** A category of the file with its place in the tree; categories go by their place in `nodes`. */
export interface IndexedCategory {
  path: string
  label: string
  rows: number
  /** What is searched: its own name and those of its ancestors. */
  key: string
  /** 1 for the top. */
  level: number
  parent: number | null
  /** The place behind its last descendant. */
  end: number
  position: number
  siblingCount: number
}

/** A file's categories in the order of the tree: each is followed by its descendants. */
export interface CategoryIndex {
  nodes: IndexedCategory[]
  /** Its place; undefined for one that is not in the file. */
  find: (category: string) => number | undefined
}

export function indexCategories(
  counts: readonly CategoryCount[],
  reading: CategoryReading,
): CategoryIndex {
  const nodes: IndexedCategory[] = []
  const places = new Map<string, number>()
  function add(siblings: CategoryNode[], level: number, parent: number | null) {
    for (const [index, { path, label, rows, children }] of siblings.entries()) {
      const key = foldName(path)
      const place = nodes.length
      const [position, siblingCount] = [index + 1, siblings.length]
      const node = { path, label, rows, key, level, parent, end: 0, position, siblingCount }
      nodes.push(node)
      places.set(key, place)
      add(children, level + 1, place)
      node.end = nodes.length
    }
  }
  add(buildCategoryTree(counts, reading), 1, null)
  return { nodes, find: (category) => places.get(categoryKey(category, reading)) }
}

/** Ancestors of a category, the nearest first. */
function ancestorsOf({ nodes }: CategoryIndex, place: number): number[] {
  const ancestors: number[] = []
  let parent = nodes[place]?.parent ?? null
  while (parent !== null) {
    ancestors.push(parent)
    parent = nodes[parent]?.parent ?? null
  }
  return ancestors
}

/** How the chosen categories stand in the file. */
export interface CategoryChoice {
  chosen: Set<number>
  /** Not chosen, with something chosen below. */
  mixed: Set<number>
  /** Chosen, and not in the file. */
  missing: string[]
}

export function readChoice(index: CategoryIndex, categories: readonly string[]): CategoryChoice {
  const chosen = new Set<number>()
  const missing: string[] = []
  for (const category of categories) {
    const place = index.find(category)
    if (place === undefined) missing.push(category)
    else chosen.add(place)
  }
  const mixed = new Set([...chosen].flatMap((place) => ancestorsOf(index, place)))
  return { chosen, mixed, missing }
}

/** The nearest chosen ancestor, which makes the category visible anyway. */
export function findCover(
  index: CategoryIndex,
  choice: CategoryChoice,
  place: number,
): IndexedCategory | undefined {
  const cover = ancestorsOf(index, place).find((ancestor) => choice.chosen.has(ancestor))
  return cover === undefined ? undefined : index.nodes[cover]
}

/** Chooses a category, which then stands for all below it, or takes it out. */
export function toggleCategory(
  index: CategoryIndex,
  categories: readonly string[],
  place: number,
): string[] {
  const node = index.nodes[place]
  if (!node) return [...categories]
  const isChosen = categories.some((category) => index.find(category) === place)
  const others = categories.filter((category) => {
    const other = index.find(category)
    return other === undefined || other < place || other >= node.end
  })
  return isChosen ? others : [...others, node.path]
}

interface TreeView {
  query: string
  isOpen: (place: number) => boolean
}

/** The categories on show: those that hold every word of the search, under their open ancestors. */
export function listCategoriesInView(index: CategoryIndex, { query, isOpen }: TreeView): number[] {
  const { nodes } = index
  const words = query.split(/\s+/).map(foldName).filter(Boolean)
  const isFound = findMatches(nodes, words)
  const shown: number[] = []
  for (let place = 0; place < nodes.length; place++) {
    const node = nodes[place]
    if (!node || !isFound(place)) continue
    shown.push(place)
    if (!isOpen(place)) place = node.end - 1
  }
  return shown
}

function findMatches(nodes: IndexedCategory[], words: string[]): (place: number) => boolean {
  if (words.length === 0) return () => true
  const found = new Set<number>()
  for (const [place, { key, parent }] of nodes.entries()) {
    if (!words.every((word) => key.includes(word))) continue
    found.add(place)
    for (let above = parent; above !== null && !found.has(above);) {
      found.add(above)
      above = nodes[above]?.parent ?? null
    }
  }
  return (place) => found.has(place)
}

const MAX_TOP_LEVEL = 12
const MAX_NODES = 40

/** More than one can take in at a glance: a search helps, and the tree starts closed. */
export function isLargeTree({ nodes }: CategoryIndex): boolean {
  return nodes.length > MAX_NODES || (nodes[0]?.siblingCount ?? 0) > MAX_TOP_LEVEL
}

/** What is open at the start: everything in a small tree, the way to what is chosen in a large one. */
export function listOpenAtStart(index: CategoryIndex, categories: readonly string[]): Set<number> {
  return isLargeTree(index) ? readChoice(index, categories).mixed : new Set(index.nodes.keys())
}
