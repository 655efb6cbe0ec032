import { SEARCH_MAX_LENGTH } from '../../shared/constants'

/** Search, sort and page of a list, kept in the URL so that Back and shared links restore them. */
export interface ListView {
  q?: string | undefined
  /** Column id; a leading `-` means descending. */
  sort?: string | undefined
  page?: number | undefined
}

const MAX_PAGE = 1_000_000

/** Reads a view from URL search parameters, dropping invalid values. */
export function readListView(search: Record<string, unknown>): ListView {
  const { q, sort, page } = search
  const isPage = typeof page === 'number' && Number.isInteger(page) && page > 1 && page <= MAX_PAGE
  return {
    // The router parses a search for digits as a number.
    q:
      typeof q === 'string' || typeof q === 'number'
        ? String(q).slice(0, SEARCH_MAX_LENGTH)
        : undefined,
    sort: typeof sort === 'string' ? sort : undefined,
    page: isPage ? page : undefined,
  }
}

/** The input of the list call; a sort that is not by one of `columns` is dropped. */
export function pageRequest<const Column extends string>(
  view: ListView,
  columns: readonly Column[],
) {
  const sorts = columns.flatMap((column) => [column, `-${column}`] as const)
  return {
    q: view.q ?? '',
    sort: sorts.find((sort) => sort === view.sort),
    page: view.page ?? 1,
  }
}
