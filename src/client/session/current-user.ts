import { useQueryClient } from '@tanstack/react-query'
import { createContext, useCallback, useContext } from 'react'

import type { User } from '../../shared/schemas/user'
import { dismissToast } from '../lib/toast'
import { trpc } from '../trpc'
import { adoptIdentity, announceIdentity } from './identity'

/** The current user, null when signed out, undefined while loading. */
export function useSession() {
  return trpc.session.current.useQuery()
}

export const SignedInUserContext = createContext<User | null>(null)

/** The user of a guarded page. */
export function useSignedInUser(): User {
  const user = useContext(SignedInUserContext)
  if (!user) throw new Error('useSignedInUser is only for pages behind a role guard')
  return user
}

/** Sets who is signed in (null: nobody), here and in the other tabs. */
export function useAdoptIdentity(): (user: User | null) => void {
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
