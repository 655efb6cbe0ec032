import { trpc } from '../trpc'

/** Makes the whole address of a page, for people who are not in the product. */
export function useProductUrl(): (path: string) => string {
  const info = trpc.app.info.useQuery()
  return (path) => new URL(path, info.data?.publicUrl ?? window.location.origin).href
}
