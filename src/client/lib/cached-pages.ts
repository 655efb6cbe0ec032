import type { QueryClient, QueryKey } from '@tanstack/react-query'

interface CachedPage<Row> {
  rows: Row[]
  matchCount: number
  totalCount: number
}

/**
 * Shows an edit of a list at once, on every page of it that was fetched. `change` gives the new
 * row, or null when the row goes. Gives back what puts the pages as they were.
 */
export async function editCachedPages<Row extends { id: number }>(
  client: QueryClient,
  queryKey: QueryKey,
  id: number,
  change: (row: Row) => Row | null,
): Promise<() => void> {
  await client.cancelQueries({ queryKey })
  const before = client.getQueriesData<CachedPage<Row>>({ queryKey })
  client.setQueriesData<CachedPage<Row>>({ queryKey }, (page) => page && editPage(page, id, change))
  return () => {
    for (const [key, page] of before) client.setQueryData(key, page)
  }
}

function editPage<Row extends { id: number }>(
  page: CachedPage<Row>,
  id: number,
  change: (row: Row) => Row | null,
): CachedPage<Row> {
  const rows = page.rows
    .map((row) => (row.id === id ? change(row) : row))
    .filter((row) => row !== null)
  const gone = page.rows.length - rows.length
  return {
    ...page,
    rows,
    matchCount: page.matchCount - gone,
    totalCount: page.totalCount - gone,
  }
}
