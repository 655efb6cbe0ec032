import { BROWSED_ROWS } from '../../../shared/constants'
import type { RowsPage } from '../../../shared/schemas/file-rows'
import { useFilledPages } from '../../lib/use-filled-pages'
import { trpc } from '../../trpc'

/** Whose rows: all of a connection's file, or those that a retailer may see. */
export type RowSource = { connectionId: number } | { retailerId: number }

/** A file and a search in it; an empty `q` finds all rows. */
export interface RowsWanted {
  source: RowSource
  fileName: string
  q: string
}

const OPTIONS = {
  getNextPageParam: ({ nextCursor }: RowsPage) => nextCursor,
  // Typing on abandons a search.
  trpc: { abortOnUnmount: true },
}

/** Pages of the rows of a file. */
export function useBrowsedRows({ source, fileName, q }: RowsWanted) {
  const isRetailers = 'retailerId' in source
  const id = isRetailers ? source.retailerId : source.connectionId
  const ofRetailer = trpc.retailers.rows.useInfiniteQuery(
    { id, fileName, q },
    { ...OPTIONS, enabled: isRetailers },
  )
  const ofConnection = trpc.connections.rows.useInfiniteQuery(
    { id, fileName, q },
    { ...OPTIONS, enabled: !isRetailers },
  )
  const query = isRetailers ? ofRetailer : ofConnection
  const pages = useFilledPages(query, {
    rowsOf: ({ rows }: RowsPage) => rows,
    list: `${fileName} ${q}`,
    size: BROWSED_ROWS,
  })
  return { query, ...pages }
}
