import type { CategoryCount, CategoryReading } from '../../../shared/schemas/file'
import { trpc } from '../../trpc'

/** What the supplier's published file offers to choose a retailer's rows by. */
export type FileCategoriesState =
  | { kind: 'loading' }
  | { kind: 'error'; query: { error: unknown; isFetching: boolean; refetch: () => unknown } }
  | { kind: 'no-file'; message: string }
  /** Rows cannot be told apart. */
  | { kind: 'no-column' }
  | { kind: 'ready'; counts: CategoryCount[]; reading: CategoryReading; rowCount: number }

export function useFileCategories(): FileCategoriesState {
  const connections = trpc.connections.list.useQuery()
  // §9: one connection per supplier.
  const id = connections.data?.[0]?.id
  const categories = trpc.connections.categories.useQuery(
    { id: id ?? 0 },
    { enabled: id !== undefined },
  )
  if (connections.isError) return { kind: 'error', query: connections }
  if (categories.isError) return { kind: 'error', query: categories }
  if (connections.data?.length === 0) return { kind: 'no-file', message: 'No connection yet' }
  if (!categories.data) return { kind: 'loading' }
  if ('message' in categories.data) return { kind: 'no-file', message: categories.data.message }
  const { reading, counts, rowCount } = categories.data
  return reading ? { kind: 'ready', counts, reading, rowCount } : { kind: 'no-column' }
}
