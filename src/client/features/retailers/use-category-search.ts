import { useDebouncedValue } from '@mantine/hooks'
import { keepPreviousData } from '@tanstack/react-query'
import { useMemo, useState } from 'react'

import { trpc } from '../../trpc'
import { toKnownTree } from './category-nodes'
import type { CategoryFile } from './use-file-categories'
import type { OpenCategories } from './use-open-categories'

const DELAY_MS = 150

/** A server-side search in a file's categories. */
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
  /** Search results start fully open; closing a category lasts until the text changes. */
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
    /** The results belong to the current text. */
    isSettled: q === wanted && query.isSuccess && !query.isPlaceholderData,
    hiddenCount: (query.data?.count ?? 0) - (query.data?.nodes.length ?? 0),
  }
}
