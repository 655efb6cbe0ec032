import { z } from 'zod'

import { DEFAULT_PAGE_SIZE, PAGE_SIZES, SEARCH_MAX_LENGTH } from '../constants'

/** The view of a list: search text, column to sort by (`-` for descending), page, from 1, and its size. */
export function pageInput<const Column extends string>(columns: readonly Column[]) {
  const sorts = columns.flatMap((column) => [column, `-${column}`] as const)
  return z.object({
    q: z.string().max(SEARCH_MAX_LENGTH).default(''),
    sort: z.enum(sorts).optional(),
    page: z.number().int().min(1).max(1_000_000).default(1),
    size: z.literal(PAGE_SIZES).default(DEFAULT_PAGE_SIZE),
  })
}

/** A page of a list. */
export function pageSchema<Row extends z.ZodType>(row: Row) {
  return z.object({
    rows: z.array(row),
    /** Rows that match the search, on all pages. */
    matchCount: z.number().int(),
    /** Rows without the search. */
    totalCount: z.number().int(),
    /** The returned page: the last one when the requested page does not exist. */
    page: z.number().int(),
    pageCount: z.number().int(),
  })
}
