import { useEffect, useMemo, useState } from 'react'

interface PagedQuery<Page> {
  data: { pages: Page[] } | undefined
  hasNextPage: boolean
  isFetching: boolean
  isError: boolean
  fetchNextPage: () => unknown
}

interface FilledPagesOptions<Page, Row> {
  rowsOf: (page: Page) => Row[]
  /** What is listed: another list begins at its first page. */
  list: string
  size: number
}

/**
 * Pages of `size` rows of a query whose responses may have fewer: the next ones are requested until a page
 * is full. Rows of earlier pages are kept, so that going back reads nothing.
 */
export function useFilledPages<Page, Row>(
  { data, hasNextPage, isFetching, isError, fetchNextPage }: PagedQuery<Page>,
  { rowsOf, list, size }: FilledPagesOptions<Page, Row>,
) {
  const [page, setPage] = useKeptFor(list, 0)
  // oxlint-disable-next-line react/exhaustive-deps -- `rowsOf` reads the same of each response
  const found = useMemo(() => data?.pages.flatMap(rowsOf) ?? [], [data])
  const first = page * size
  const isIncomplete = found.length < first + size && hasNextPage
  const pageCount = data?.pages.length ?? 0
  useEffect(() => {
    // Once for each response, because a fast one may arrive before its fetch has been rendered.
    if (pageCount > 0 && isIncomplete && !isFetching && !isError) void fetchNextPage()
  }, [pageCount, isIncomplete, isFetching, isError, fetchNextPage])
  return {
    latest: data?.pages.at(-1),
    /** The rows of this page so far. */
    rows: found.slice(first, first + size),
    /** The index of its first row among those found. */
    first,
    foundCount: found.length,
    /** Whether all rows have been found. */
    isExhausted: data !== undefined && !hasNextPage,
    isReading: isFetching || (isIncomplete && !isError),
    next: found.length > first + size || hasNextPage ? () => setPage(page + 1) : undefined,
    previous: page > 0 ? () => setPage(page - 1) : undefined,
  }
}

/** A state that returns to its initial value when the key changes. */
function useKeptFor<T>(key: string, initial: T): [T, (value: T) => void] {
  const [state, setState] = useState({ key, value: initial })
  return [state.key === key ? state.value : initial, (value: T) => setState({ key, value })]
}
