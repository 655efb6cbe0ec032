/** How a list is looked at. It lives in the address, so that Back and a shared link keep it. */
export interface ListView {
  q?: string | undefined
  /** A column's id; a leading `-` sorts downwards. */
  sort?: string | undefined
  page?: number | undefined
}

/** Reads a view from an address; whatever is not one is left out. */
export function readListView(search: Record<string, unknown>): ListView {
  const { q, sort, page } = search
  return {
    // A search for digits comes back from the address as a number.
    q: typeof q === 'string' || typeof q === 'number' ? String(q) : undefined,
    sort: typeof sort === 'string' ? sort : undefined,
    page: typeof page === 'number' && Number.isInteger(page) && page > 1 ? page : undefined,
  }
}

export const PAGE_SIZE = 50

type SortValue = string | number | boolean | null

interface ListReading<Row> {
  searchText: (row: Row) => string
  sortValues: Record<string, (row: Row) => SortValue>
}

export interface ListPage<Row> {
  rows: Row[]
  /** Rows that match the search, on all pages. */
  matchCount: number
  page: number
  pageCount: number
}

const collator = new Intl.Collator('en', { numeric: true, sensitivity: 'base' })

function compare(a: SortValue, b: SortValue): number {
  if (a === null || b === null) return (a === null ? 1 : 0) - (b === null ? 1 : 0)
  if (typeof a === 'string' && typeof b === 'string') return collator.compare(a, b)
  return Number(a) - Number(b)
}

/** Searches, sorts and cuts out one page; empty cells stay at the end in both directions. */
export function applyListView<Row>(
  all: readonly Row[],
  view: ListView,
  reading: ListReading<Row>,
): ListPage<Row> {
  const words = (view.q ?? '').toLowerCase().split(/\s+/).filter(Boolean)
  const matches = all.filter((row) => {
    const text = reading.searchText(row).toLowerCase()
    return words.every((word) => text.includes(word))
  })
  const sortId = view.sort?.replace(/^-/, '') ?? ''
  const valueOf = reading.sortValues[sortId]
  const direction = view.sort?.startsWith('-') ? -1 : 1
  if (valueOf) {
    matches.sort((a, b) => {
      const [x, y] = [valueOf(a), valueOf(b)]
      return compare(x, y) * (x === null || y === null ? 1 : direction)
    })
  }
  const pageCount = Math.max(1, Math.ceil(matches.length / PAGE_SIZE))
  const page = Math.min(view.page ?? 1, pageCount)
  const rows = matches.slice((page - 1) * PAGE_SIZE, page * PAGE_SIZE)
  return { rows, matchCount: matches.length, page, pageCount }
}
