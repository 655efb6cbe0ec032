import { Navigate, useLocation } from '@tanstack/react-router'
import type { ReactNode } from 'react'

import type { Role } from '../../shared/constants'
import { ErrorState } from '../components/message-state'
import { PageSpinner } from '../components/page-spinner'
import { errorMessage } from '../lib/error-message'
import { SignedInUserContext, useSession } from './current-user'

interface RoleGuardProps {
  /** undefined: everybody who is signed in. */
  role?: Role
  /** What another role sees instead. */
  forbidden: ReactNode
  /** The shell around both. */
  shell: (page: ReactNode) => ReactNode
  children: ReactNode
}

/** §2: a spinner while the user loads, the way to /auth without one. */
export function RoleGuard({ role, forbidden, shell, children }: RoleGuardProps) {
  const session = useSession()
  const wanted = useLocation({ select: (location) => location.href })
  if (session.isPending) return <PageSpinner />
  if (session.isError) {
    return (
      <ErrorState
        title="Your account could not be loaded"
        message={errorMessage(session.error)}
        onRetry={() => void session.refetch()}
        isRetrying={session.isFetching}
      />
    )
  }
  const user = session.data
  if (!user) return <Navigate to="/auth" search={{ next: wanted }} replace />
  const isAllowed = role === undefined || user.role === role
  return (
    <SignedInUserContext value={user}>
      {shell(isAllowed ? children : forbidden)}
    </SignedInUserContext>
  )
}
