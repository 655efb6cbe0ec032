import { foldName, PATH_JOINT } from '../../../../shared/categories'
import type { CategoryNode } from '../../../../shared/schemas/category'
import { jsonBytes } from '../../../files/read/table/json-bytes'
import { createYielder } from '../../../files/yield-to-event-loop'
import type { CategoryIndex, IndexedCategory } from './category-index'

const PAGE_NODES = 200
const PAGE_BYTES = 256 * 1024
/** The cost of searching one character, in the unit of `createYielder`: bytes of plain reading. */
const COST_PER_CHARACTER = 8
const MAX_WORDS = 10

/** Takes as many of the first categories as fit into one response: 200, and 256 KB as JSON. */
export function takePage(nodes: readonly IndexedCategory[]): CategoryNode[] {
  const page: CategoryNode[] = []
  let bytes = 0
  for (const { key: _, ...node } of nodes.slice(0, PAGE_NODES)) {
    bytes += jsonBytes(node) + 1
    if (bytes > PAGE_BYTES) break
    page.push(node)
  }
  return page
}

/** Returns the children of the category at a place; null for the top level. */
export function listLevel({ nodes }: CategoryIndex, under: number | null): IndexedCategory[] {
  const end = under === null ? nodes.length : (nodes[under]?.end ?? 0)
  const level: IndexedCategory[] = []
  let node = nodes[under === null ? 0 : under + 1]
  while (node && node.place < end) {
    level.push(node)
    node = nodes[node.end]
  }
  return level
}

/**
 * Returns the categories whose folded paths contain every word of `q`, and their ancestors. Yields
 * to the event loop during a long search.
 */
export async function listMatches(index: CategoryIndex, q: string): Promise<IndexedCategory[]> {
  const words = q.split(/\s+/).map(foldName).filter(isWord).slice(0, MAX_WORDS)
  const yieldToEventLoop = createYielder(new AbortController().signal)
  const found = new Uint8Array(index.nodes.length)
  for (const { place, key } of index.nodes) {
    await yieldToEventLoop(key.length * COST_PER_CHARACTER)
    if (!words.every((word) => key.includes(word))) continue
    for (let at: number | null = place; at !== null && found[at] === 0;) {
      found[at] = 1
      at = index.nodes[at]?.parent ?? null
    }
  }
  return index.nodes.filter(({ place }) => found[place] === 1)
}

/**
 * Ignores the `>` of `Clothing > Shirts`, so that a path can be searched whatever the separator.
 */
const isWord = (word: string) => word !== '' && word !== PATH_JOINT.trim()
