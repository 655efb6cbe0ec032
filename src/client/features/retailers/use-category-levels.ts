import { useMemo, useState } from 'react'

import type { CategoryNode } from '../../../shared/schemas/category'
import { trpc } from '../../trpc'
import { toKnownTree, type KnownTree } from './category-nodes'
import type { CategoryFile } from './use-file-categories'

export interface CategoryLevels {
  tree: KnownTree
  /** Loads the categories of a level after the first `known`; one request per level at a time. */
  load: (under: number | null, known: number) => void
  /** Levels whose last request failed. */
  failed: ReadonlySet<number | null>
}

/** The categories of a file, loaded level by level. */
export function useCategoryLevels({ connectionId, fileName, nodes }: CategoryFile): CategoryLevels {
  const utils = trpc.useUtils()
  const [loaded, setLoaded] = useState<readonly CategoryNode[]>(nodes)
  const [failed, setFailed] = useState<ReadonlySet<number | null>>(new Set())
  const [inFlight] = useState(() => new Set<number | null>())
  const tree = useMemo(() => toKnownTree(loaded), [loaded])

  async function fetchNext(under: number | null, offset: number) {
    const input = { id: connectionId, fileName, under, offset }
    try {
      const page = await utils.categories.level.fetch(input)
      setLoaded((before) => [...before, ...page.nodes])
      setFailed((before) => without(before, under))
    } catch {
      setFailed((before) => new Set(before).add(under))
    } finally {
      inFlight.delete(under)
    }
  }
  function load(under: number | null, known: number) {
    if (inFlight.has(under)) return
    inFlight.add(under)
    void fetchNext(under, known)
  }
  return { tree, load, failed }
}

function without<T>(set: ReadonlySet<T>, member: T): ReadonlySet<T> {
  if (!set.has(member)) return set
  const next = new Set(set)
  next.delete(member)
  return next
}
