import { z } from 'zod'

import { SEARCH_MAX_LENGTH } from '../constants'
import { idSchema } from './primitives'

/** A request for the next rows of a file: of a connection, or those that a retailer may see. */
export const browseRowsInput = z.object({
  id: idSchema,
  /** The file, so that all pages belong to the same one. */
  fileName: z.string().max(200),
  /** Only rows with a cell that contains this text, in any case. */
  q: z.string().max(SEARCH_MAX_LENGTH).default(''),
  /** `nextCursor` of the page before; without it, from the first row. */
  cursor: z.string().max(500).nullish(),
})
export type BrowseRowsInput = z.infer<typeof browseRowsInput>

/**
 * Some rows of a file. A page has fewer rows than the maximum when they are long, or when a search has
 * read its share of a large file: it goes on with the next page.
 */
export const rowsPageSchema = z.object({
  /** The names of the first columns, as many as previews show. */
  columns: z.array(z.string()),
  /** The number of columns in the file. */
  columnCount: z.number().int(),
  rows: z.array(
    z.object({
      /** Its number in the file, from 1. */
      number: z.number().int(),
      /** The cells of those columns, trimmed and cut to a maximum length. */
      cells: z.array(z.string()),
    }),
  ),
  /** The rows of the file up to the end of this page, whether they match or not. */
  rowsRead: z.number().int(),
  /** The rows of the file. */
  rowCount: z.number().int(),
  /** null on the last page. */
  nextCursor: z.string().nullable(),
})
export type RowsPage = z.infer<typeof rowsPageSchema>
