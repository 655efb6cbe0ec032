import { z } from 'zod'

import { SEARCH_MAX_LENGTH } from '../constants'

export const PAGE_SIZE = 50

/** How a list is looked at: what is searched, a column to sort by (`-` for downwards), the page. */
export function pageInput<const Column extends string>(columns: readonly Column[]) {
  const sorts = columns.flatMap((column) => [column, `-${column}`] as const)
  return z.object({
    q: z.string().max(SEARCH_MAX_LENGTH).default(''),
    sort: z.enum(sorts).optional(),
    page: z.number().int().min(1).max(1_000_000).default(1),
  })
}

/** A page of a list, cut out by the server. */
export function pageSchema<Row extends z.ZodType>(row: Row) {
  return z.object({
    rows: z.array(row),
    /** Rows that match the search, on all pages. */
    matchCount: z.number().int(),
    /** Rows without any search. */
    totalCount: z.number().int(),
    /** The page that was cut out: the last one, when the one asked for lies beyond. */
    page: z.number().int(),
    pageCount: z.number().int(),
  })
}
