import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useMemo, useState } from 'react'

import { trpc } from '../../trpc'
import type { Places } from './category-nodes'
import type { CategoryFile } from './use-file-categories'

/** Where the chosen categories stand in a file, and how many rows they make visible. */
export function useCategoryChoice({ connectionId, fileName }: CategoryFile, categories: string[]) {
  const { client } = trpc.useUtils()
  const [places, setPlaces] = useState<Places>(new Map())
  const learn = (found: Iterable<readonly [category: string, place: number | null]>) =>
    setPlaces((before) => new Map([...before, ...found]))

  async function ask(signal: AbortSignal) {
    const input = { id: connectionId, fileName, categories }
    const answer = await client.categories.choice.mutate(input, { signal })
    learn(categories.map((category, index) => [category, answer.places[index] ?? null]))
    return answer.visibleRows
  }
  const visibleRows = useQuery({
    queryKey: ['category-choice', connectionId, fileName, categories],
    queryFn: ({ signal }) => ask(signal),
    placeholderData: keepPreviousData,
    // Each choice is another one, and may be thousands of names long.
    gcTime: 0,
  })
  const isKnown = useMemo(() => categories.every((name) => places.has(name)), [categories, places])
  return {
    visibleRows,
    places,
    /** All of them have been looked up. */
    isKnown,
    /** Says where categories stand that were just chosen in the tree. */
    learn,
  }
}
