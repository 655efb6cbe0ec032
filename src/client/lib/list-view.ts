import {
  DEFAULT_PAGE_SIZE,
  PAGE_SIZES,
  SEARCH_MAX_LENGTH,
  type PageSize,
} from '../../shared/constants'

/**
 * Search, sort, page and page size of a list, kept in the URL so that Back and shared links restore
 * them. Defaults are undefined, and so not in the URL.
 */
export interface ListView {
  q?: string | undefined
  /** Column id; a leading `-` means descending. */
  sort?: string | undefined
  page?: number | undefined
  size?: PageSize | undefined
}

const MAX_PAGE = 1_000_000

/** Reads a view of a list that can be sorted by `columns` from URL parameters, dropping invalid values. */
export function readListView(
  { q, sort, page, size }: Record<string, unknown>,
  columns: readonly string[],
): ListView {
  const isPage = typeof page === 'number' && Number.isInteger(page) && page > 1 && page <= MAX_PAGE
  return {
    q: readQuery(q),
    sort: sortsBy(columns).find((known) => known === sort),
    page: isPage ? page : undefined,
    size: PAGE_SIZES.find((known) => known === size && known !== DEFAULT_PAGE_SIZE),
  }
}

/** The text of a search in the URL. The router parses a search for digits as a number. */
export function readQuery(q: unknown): string | undefined {
  const text = typeof q === 'number' || typeof q === 'boolean' ? String(q) : q
  return typeof text === 'string' && text !== '' ? text.slice(0, SEARCH_MAX_LENGTH) : undefined
}

/** The input of the list call; a sort that is not by one of `columns` is dropped. */
export function pageRequest<const Column extends string>(
  view: ListView,
  columns: readonly Column[],
) {
  return {
    q: view.q ?? '',
    sort: sortsBy(columns).find((sort) => sort === view.sort),
    page: view.page ?? 1,
    size: view.size ?? DEFAULT_PAGE_SIZE,
  }
}

function sortsBy<const Column extends string>(columns: readonly Column[]) {
  return columns.flatMap((column) => [column, `-${column}`] as const)
}
