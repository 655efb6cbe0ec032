import { useQuery } from '@tanstack/react-query'
import { useLocation } from '@tanstack/react-router'

/**
 * What the secret link of this page opens. Its token is in the fragment, which browsers send to no server; undefined
 * for an address that is not complete.
 * @param name of the kind of link
 */
export function useSecretLink<Opened>(name: string, open: (token: string) => Promise<Opened>) {
  const { hash } = useLocation()
  const token = /^token=([\w-]{1,100})$/.exec(hash)?.[1]
  const query = useQuery({
    queryKey: [name, token],
    queryFn: () => open(token ?? ''),
    enabled: token !== undefined,
    retry: false,
    staleTime: Infinity,
  })
  return { token, query }
}
