import { SEARCH_MAX_LENGTH } from '../../shared/constants'

/** How a list is looked at. It lives in the address, so that Back and a shared link keep it. */
export interface ListView {
  q?: string | undefined
  /** A column's id; a leading `-` sorts downwards. */
  sort?: string | undefined
  page?: number | undefined
}

const MAX_PAGE = 1_000_000

/** Reads a view from an address; whatever is not one is left out. */
export function readListView(search: Record<string, unknown>): ListView {
  const { q, sort, page } = search
  const isPage = typeof page === 'number' && Number.isInteger(page) && page > 1 && page <= MAX_PAGE
  return {
    // A search for digits comes back from the address as a number.
    q:
      typeof q === 'string' || typeof q === 'number'
        ? String(q).slice(0, SEARCH_MAX_LENGTH)
        : undefined,
    sort: typeof sort === 'string' ? sort : undefined,
    page: isPage ? page : undefined,
  }
}

/** What the server is asked for; a sort by anything but one of `columns` is left out. */
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
