import { useMemo, useState } from 'react'

import type { CategoryNode } from '../../../shared/schemas/category'
import { trpc } from '../../trpc'
import { toKnownTree, type KnownTree } from './category-nodes'
import type { CategoryFile } from './use-file-categories'

export interface CategoryLevels {
  tree: KnownTree
  /** Asks for the next categories of a level, of which `known` are known; once at a time. */
  load: (under: number | null, known: number) => void
  /** The levels whose last answer was an error. */
  failed: ReadonlySet<number | null>
}

/** The categories of a file as they come, level by level. */
export function useCategoryLevels({ connectionId, fileName, nodes }: CategoryFile): CategoryLevels {
  const utils = trpc.useUtils()
  const [loaded, setLoaded] = useState<readonly CategoryNode[]>(nodes)
  const [failed, setFailed] = useState<ReadonlySet<number | null>>(new Set())
  const [underWay] = useState(() => new Set<number | null>())
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
      underWay.delete(under)
    }
  }
  function load(under: number | null, known: number) {
    if (underWay.has(under)) return
    underWay.add(under)
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
