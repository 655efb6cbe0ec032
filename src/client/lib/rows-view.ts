import { readQuery } from './list-view'

/** Whether all rows of a file are shown, and the search in them, kept in the URL. */
export interface RowsView {
  rows?: 'all' | undefined
  q?: string | undefined
}

/** Reads a view from URL search parameters, dropping invalid values. */
export function readRowsView(search: Record<string, unknown>): RowsView {
  return search.rows === 'all' ? { rows: 'all', q: readQuery(search.q) } : {}
}
