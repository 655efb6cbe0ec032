import { trpc } from '../trpc'

/**
 * What a field for a new password has to know: how long it has to be at least in this installation, as soon as that is
 * known, and which names make it weak.
 * @param names those of the person and the company, as far as they are known
 */
export function usePasswordRules(...names: (string | null | undefined)[]) {
  const { data } = trpc.app.info.useQuery()
  return { minLength: data?.passwordMinLength, names: [data?.appName, ...names] }
}
