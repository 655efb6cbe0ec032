import type { FileCategories } from '../../../shared/schemas/category'
import { trpc } from '../../trpc'

/** A published file with a category column. */
export interface CategoryFile extends FileCategories {
  connectionId: number
}

/** The categories of the supplier's published file, or why there are none. */
export type FileCategoriesState =
  | { kind: 'loading' }
  | { kind: 'error'; query: { error: unknown; isFetching: boolean; refetch: () => unknown } }
  | { kind: 'no-file'; message: string }
  /** The file has no category column. */
  | { kind: 'no-column' }
  | { kind: 'ready'; file: CategoryFile }

export function useFileCategories(): FileCategoriesState {
  const connections = trpc.connections.list.useQuery()
  // A supplier has one connection: docs/rules.md#connections.
  const id = connections.data?.[0]?.id
  const overview = trpc.categories.overview.useQuery({ id: id ?? 0 }, { enabled: id !== undefined })
  if (connections.isError) return { kind: 'error', query: connections }
  if (overview.isError) return { kind: 'error', query: overview }
  if (connections.data?.length === 0) return { kind: 'no-file', message: 'No connection yet' }
  if (!overview.data || id === undefined) return { kind: 'loading' }
  if ('message' in overview.data) return { kind: 'no-file', message: overview.data.message }
  if (!overview.data.reading) return { kind: 'no-column' }
  return { kind: 'ready', file: { ...overview.data, connectionId: id } }
}
