import { trpc } from '../trpc'

/** How long a new password has to be at least in this installation; undefined until that is known. */
export function usePasswordMinLength(): number | undefined {
  return trpc.app.info.useQuery().data?.passwordMinLength
}
