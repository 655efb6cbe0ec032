import type { CategoryCount, CategoryReading } from '../../../shared/schemas/file'
import { buildCategoryIndex, type CategoryIndex } from './category-index'

/** What the kept indexes may take in memory, roughly; the newest is kept whatever it takes. */
const MAX_KEPT_BYTES = 48 * 1024 * 1024

/** A version whose categories are asked for. */
type Version = { id: number; connectionId: number; reading: CategoryReading }

/** The categories of versions: worked out once, however many ask, and kept while there is room. */
export interface CategoryIndexes {
  of(version: Version): Promise<CategoryIndex>
}

export function createCategoryIndexes(
  readCounts: (versionId: number) => Promise<CategoryCount[]>,
): CategoryIndexes {
  /** The one used longest ago comes first. */
  const kept = new Map<number, CategoryIndex>()
  const building = new Map<number, Promise<CategoryIndex>>()
  const inTurn = createTurns()

  function keep(id: number, index: CategoryIndex): CategoryIndex {
    kept.delete(id)
    kept.set(id, index)
    let bytes = [...kept.values()].reduce((sum, { sizeBytes }) => sum + sizeBytes, 0)
    for (const [other, { sizeBytes }] of kept) {
      if (bytes <= MAX_KEPT_BYTES || other === id) break
      kept.delete(other)
      bytes -= sizeBytes
    }
    return index
  }

  function build({ id, connectionId, reading }: Version): Promise<CategoryIndex> {
    const index = inTurn(connectionId, async () =>
      keep(id, await buildCategoryIndex(await readCounts(id), reading)),
    ).finally(() => building.delete(id))
    building.set(id, index)
    return index
  }

  return {
    async of(version) {
      const known = kept.get(version.id)
      if (known) return keep(version.id, known)
      return building.get(version.id) ?? build(version)
    },
  }
}

/**
 * Runs one piece of work at a time, each holding much in memory. Each group has one in the queue, so
 * that a connection with many versions keeps others waiting no longer than one with a single version.
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
