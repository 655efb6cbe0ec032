import { useQueryClient } from '@tanstack/react-query'
import { createContext, useCallback, useContext } from 'react'

import type { CurrentUser } from '../../shared/schemas/user'
import { dismissToast } from '../lib/toast'
import { trpc } from '../trpc'
import { adoptIdentity, announceIdentity } from './identity'

/** Query of the current user; its data is null when signed out. */
export function useSession() {
  return trpc.session.current.useQuery()
}

export const SignedInUserContext = createContext<CurrentUser | null>(null)

/** The signed-in user. @throws Error outside a `RoleGuard` */
export function useSignedInUser(): CurrentUser {
  const user = useContext(SignedInUserContext)
  if (!user) throw new Error('useSignedInUser is only for pages behind a role guard')
  return user
}

/** Sets the signed-in user (null: signed out), here and in the other tabs. */
export function useAdoptIdentity(): (user: CurrentUser | null) => void {
  const queryClient = useQueryClient()
  return useCallback(
    (user) => {
      dismissToast()
      adoptIdentity(queryClient, user)
      announceIdentity()
    },
    [queryClient],
  )
}

/** The same for who has just signed in: the answer of that call does not have all that there is to know. */
export function useAdoptSignIn(): (user: CurrentUser) => Promise<void> {
  const adopt = useAdoptIdentity()
  const { client } = trpc.useUtils()
  return async (user) => adopt(await client.session.current.query().catch(() => user))
}
