import { useEffect, useMemo, useState } from 'react'

import { BROWSED_ROWS } from '../../../shared/constants'
import type { RowsPage } from '../../../shared/schemas/file-rows'
import { trpc } from '../../trpc'

/** Whose rows: all of a connection's file, or those that a retailer may see. */
export type RowSource = { connectionId: number } | { retailerId: number }

/** A file and a search in it; an empty `q` finds all rows. */
export interface RowsWanted {
  source: RowSource
  fileName: string
  q: string
}

const OPTIONS = {
  getNextPageParam: ({ nextCursor }: RowsPage) => nextCursor,
  // Typing on abandons a search.
  trpc: { abortOnUnmount: true },
}

/**
 * Pages of the rows of a file. The rows of earlier pages are kept, so that going back reads nothing; a
 * response may have fewer rows than a page, and the next ones are then requested until it is full.
 */
export function useBrowsedRows({ source, fileName, q }: RowsWanted) {
  const isRetailers = 'retailerId' in source
  const id = isRetailers ? source.retailerId : source.connectionId
  const ofRetailer = trpc.retailers.rows.useInfiniteQuery(
    { id, fileName, q },
    { ...OPTIONS, enabled: isRetailers },
  )
  const ofConnection = trpc.connections.rows.useInfiniteQuery(
    { id, fileName, q },
    { ...OPTIONS, enabled: !isRetailers },
  )
  const query = isRetailers ? ofRetailer : ofConnection
  const { data, hasNextPage, isFetching, isError, fetchNextPage } = query
  const [page, setPage] = useKeptFor(`${fileName} ${q}`, 0)
  const found = useMemo(() => data?.pages.flatMap(({ rows }) => rows) ?? [], [data])
  const first = page * BROWSED_ROWS
  const isIncomplete = found.length < first + BROWSED_ROWS && hasNextPage
  const pageCount = data?.pages.length ?? 0
  useEffect(() => {
    // Once for each response, because a fast one may arrive before its fetch has been rendered.
    if (pageCount > 0 && isIncomplete && !isFetching && !isError) void fetchNextPage()
  }, [pageCount, isIncomplete, isFetching, isError, fetchNextPage])
  return {
    query,
    latest: data?.pages.at(-1),
    /** The rows of this page so far. */
    rows: found.slice(first, first + BROWSED_ROWS),
    /** The index of its first row among those found. */
    first,
    foundCount: found.length,
    /** Whether all rows that the search finds have been found. */
    isExhausted: data !== undefined && !hasNextPage,
    isReading: isFetching || (isIncomplete && !isError),
    next: found.length > first + BROWSED_ROWS || hasNextPage ? () => setPage(page + 1) : undefined,
    previous: page > 0 ? () => setPage(page - 1) : undefined,
  }
}

/** A state that returns to its initial value when the key changes. */
function useKeptFor<T>(key: string, initial: T): [T, (value: T) => void] {
  const [state, setState] = useState({ key, value: initial })
  return [state.key === key ? state.value : initial, (value: T) => setState({ key, value })]
}
