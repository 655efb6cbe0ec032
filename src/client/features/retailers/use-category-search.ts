import { useDebouncedValue } from '@mantine/hooks'
import { keepPreviousData } from '@tanstack/react-query'
import { useMemo, useState } from 'react'

import { trpc } from '../../trpc'
import { toKnownTree } from './category-nodes'
import type { CategoryFile } from './use-file-categories'
import type { OpenCategories } from './use-open-categories'

const DELAY_MS = 150

/** A search of a file's categories: what was typed, and what the server has found. */
export function useCategorySearch({ connectionId, fileName }: CategoryFile) {
  const [text, setText] = useState('')
  const [closed, setClosed] = useState<ReadonlySet<number>>(new Set())
  const wanted = text.trim()
  const [q] = useDebouncedValue(wanted, DELAY_MS)
  const query = trpc.categories.search.useQuery(
    { id: connectionId, fileName, q },
    { enabled: wanted !== '' && q !== '', placeholderData: keepPreviousData },
  )
  const tree = useMemo(() => toKnownTree(query.data?.nodes ?? []), [query.data])
  /** A search opens everything that it found; what is closed then is closed for this search. */
  const open: OpenCategories = {
    isOpen: ({ place }) => !closed.has(place),
    setOpen: (place, isOpen) =>
      setClosed((before) => {
        const next = new Set(before)
        if (isOpen) next.delete(place)
        else next.add(place)
        return next
      }),
  }
  return {
    text,
    setText(next: string) {
      setText(next)
      setClosed(new Set())
    },
    isSearching: wanted !== '',
    query,
    tree,
    open,
    /** The answer to what stands in the field now. */
    isSettled: q === wanted && query.isSuccess && !query.isPlaceholderData,
    hiddenCount: (query.data?.count ?? 0) - (query.data?.nodes.length ?? 0),
  }
}
