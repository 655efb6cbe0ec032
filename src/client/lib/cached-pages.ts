import type { QueryClient, QueryKey } from '@tanstack/react-query'

interface CachedPage<Row> {
  rows: Row[]
  matchCount: number
  totalCount: number
}

/**
 * Applies an optimistic edit to every cached page of a list. `change` returns the new row, or null
 * to remove it.
 * @returns a function that restores the pages
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
  const removedCount = page.rows.length - rows.length
  return {
    ...page,
    rows,
    matchCount: page.matchCount - removedCount,
    totalCount: page.totalCount - removedCount,
  }
}
