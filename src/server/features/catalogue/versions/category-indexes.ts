import { LRUCache } from 'lru-cache'

import type { CategoryCount, CategoryReading } from '../../../../shared/schemas/file'
import { buildCategoryIndex, type CategoryIndex } from './category-index'

/** The estimated memory that cached indexes may take. The newest is kept whatever its size. */
const MAX_CACHED_BYTES = 48 * 1024 * 1024

/** A version whose categories are requested. */
type Version = { id: number; connectionId: number; reading: CategoryReading }

export type CategoryIndexes = ReturnType<typeof createCategoryIndexes>

/** Builds the category index of a version once for concurrent requests, and caches it. */
export function createCategoryIndexes(readCounts: (versionId: number) => Promise<CategoryCount[]>) {
  const cached = new LRUCache<number, CategoryIndex>({
    maxSize: MAX_CACHED_BYTES,
    // An empty one takes a place too, and the newest has one whatever its size.
    sizeCalculation: ({ sizeBytes }) => Math.min(sizeBytes + 1, MAX_CACHED_BYTES),
  })
  const building = new Map<number, Promise<CategoryIndex>>()
  const inTurn = createTurns()

  function build({ id, connectionId, reading }: Version): Promise<CategoryIndex> {
    const index = inTurn(connectionId, async () => {
      const built = await buildCategoryIndex(await readCounts(id), reading)
      cached.set(id, built)
      return built
    }).finally(() => building.delete(id))
    building.set(id, index)
    return index
  }

  return {
    async of(version: Version): Promise<CategoryIndex> {
      return cached.get(version.id) ?? building.get(version.id) ?? build(version)
    },
  }
}

/**
 * Runs one piece of work at a time, because each takes much memory. Each group has at most one in
 * the queue, so that a connection with many versions delays others no more than one with a single
 * version.
 */
function createTurns() {
  const lastOfGroup = new Map<number, Promise<unknown>>()
  let last: Promise<unknown> = Promise.resolve()

  function queue<T>(work: () => Promise<T>): Promise<T> {
    const result = last.then(work)
    last = result.catch(() => undefined)
    return result
  }
  return <T>(group: number, work: () => Promise<T>): Promise<T> => {
    const before = lastOfGroup.get(group)
    const result = before ? before.then(() => queue(work)) : queue(work)
    const settled: Promise<unknown> = result
      .catch(() => undefined)
      .then(() => lastOfGroup.get(group) === settled && lastOfGroup.delete(group))
    lastOfGroup.set(group, settled)
    return result
  }
}
