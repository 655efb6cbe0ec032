import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useMemo, useState } from 'react'

import { trpc } from '../../trpc'
import type { Places } from './category-nodes'
import type { CategoryFile } from './use-file-categories'

/** Places of the chosen categories in a file, and the number of rows they make visible. */
export function useCategoryChoice({ connectionId, fileName }: CategoryFile, categories: string[]) {
  const { client } = trpc.useUtils()
  const [places, setPlaces] = useState<Places>(new Map())
  const addPlaces = (found: Iterable<readonly [category: string, place: number | null]>) =>
    setPlaces((before) => new Map([...before, ...found]))

  async function fetchChoice(signal: AbortSignal) {
    const input = { id: connectionId, fileName, categories }
    const result = await client.categories.choice.mutate(input, { signal })
    addPlaces(categories.map((category, index) => [category, result.places[index] ?? null]))
    return result.visibleRows
  }
  const visibleRows = useQuery({
    queryKey: ['category-choice', connectionId, fileName, categories],
    queryFn: ({ signal }) => fetchChoice(signal),
    placeholderData: keepPreviousData,
    // Not cached: every choice is a key of its own that can be thousands of names long.
    gcTime: 0,
  })
  const isKnown = useMemo(() => categories.every((name) => places.has(name)), [categories, places])
  return {
    visibleRows,
    places,
    /** Every chosen category has been looked up. */
    isKnown,
    /** Adds known places, so that a category chosen in the tree needs no lookup. */
    addPlaces,
  }
}
