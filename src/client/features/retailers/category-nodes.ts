import { PATH_JOINT } from '../../../shared/categories'
import type { CategoryNode } from '../../../shared/schemas/category'

/** The loaded part of a file's category tree; the server returns it level by level. */
export interface KnownTree {
  nodes: ReadonlyMap<number, CategoryNode>
  /** Loaded children by the parent's `place` (null: top level), in order. */
  levels: ReadonlyMap<number | null, readonly CategoryNode[]>
}

export function toKnownTree(nodes: Iterable<CategoryNode>): KnownTree {
  const byPlace = new Map([...nodes].map((node) => [node.place, node]))
  const levels = new Map<number | null, CategoryNode[]>()
  for (const node of [...byPlace.values()].toSorted((a, b) => a.place - b.place)) {
    const level = levels.get(node.parent)
    if (level) level.push(node)
    else levels.set(node.parent, [node])
  }
  return { nodes: byPlace, levels }
}

export const hasChildren = ({ place, end }: CategoryNode) => end > place + 1

/** The category's full path, as stored in a retailer's settings: `Clothing > Shirts`. */
export function pathOf({ nodes }: KnownTree, node: CategoryNode): string {
  const labels: string[] = []
  for (let at: CategoryNode | undefined = node; at; at = nodes.get(at.parent ?? -1)) {
    labels.unshift(at.label)
  }
  return labels.join(PATH_JOINT)
}

/** The `place` of each chosen category in the file; null when the file does not have it. */
export type Places = ReadonlyMap<string, number | null>

/** Adds a category, which replaces its chosen subcategories, or removes it. */
export function toggleCategory(
  categories: readonly string[],
  places: Places,
  { place, end }: CategoryNode,
  path: string,
): string[] {
  const isChosen = categories.some((category) => places.get(category) === place)
  const others = categories.filter((category) => {
    const other = places.get(category) ?? -1
    return other < place || other >= end
  })
  return isChosen ? others : [...others, path]
}

/** Lookup of the chosen categories by node. */
export interface ChosenPlaces {
  has(node: CategoryNode): boolean
  /** A descendant is chosen. */
  isMixed(node: CategoryNode): boolean
  count: number
}

export function toChosenPlaces(categories: readonly string[], places: Places): ChosenPlaces {
  const known = new Set(categories.flatMap((category) => places.get(category) ?? []))
  const sorted = [...known].toSorted((a, b) => a - b)
  return {
    count: known.size,
    has: ({ place }) => known.has(place),
    isMixed: ({ place, end }) => (sorted[findAfter(sorted, place)] ?? end) < end,
  }
}

/** Binary search: the index of the first number above `limit`. */
function findAfter(sorted: readonly number[], limit: number): number {
  let [low, high] = [0, sorted.length]
  while (low < high) {
    const middle = (low + high) >> 1
    if ((sorted[middle] ?? 0) > limit) high = middle
    else low = middle + 1
  }
  return low
}

/** A line of the tree: a category, or a placeholder for the rest of a level. */
export type TreeLine =
  | { kind: 'category'; node: CategoryNode; cover: CategoryNode | undefined; isOpen: boolean }
  | {
      kind: 'rest'
      under: number | null
      level: number
      known: number
      siblingCount: number | null
    }

interface TreeView {
  chosen: ChosenPlaces
  isOpen: (node: CategoryNode) => boolean
  /** Adds placeholders for levels that are not fully loaded; false for search results. */
  hasRest: boolean
}

/** The categories whose ancestors are all open, each with the chosen ancestor that covers it. */
export function listLines(tree: KnownTree, topCount: number, view: TreeView): TreeLine[] {
  const lines: TreeLine[] = []
  function add(under: CategoryNode | null, cover: CategoryNode | undefined) {
    const known = tree.levels.get(under?.place ?? null) ?? []
    for (const node of known) {
      const isOpen = hasChildren(node) && view.isOpen(node)
      lines.push({ kind: 'category', node, cover, isOpen })
      if (isOpen) add(node, cover ?? (view.chosen.has(node) ? node : undefined))
    }
    const siblingCount = known[0]?.siblingCount ?? (under ? null : topCount)
    if (!view.hasRest || known.length === siblingCount) return
    const level = (under?.level ?? 0) + 1
    lines.push({
      kind: 'rest',
      under: under?.place ?? null,
      level,
      known: known.length,
      siblingCount,
    })
  }
  add(null, undefined)
  return lines
}
