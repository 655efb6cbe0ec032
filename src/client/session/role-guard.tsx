import { useNavigate, useRouter } from '@tanstack/react-router'
import { useEffect, useState, type ReactNode } from 'react'

import type { Role } from '../../shared/constants'
import { LoadError } from '../components/message-state'
import { PageSpinner } from '../components/page-spinner'
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

/** Shows a spinner while the user loads, and sends to /auth without one. */
export function RoleGuard({ role, forbidden, shell, children }: RoleGuardProps) {
  const session = useSession()
  if (session.isPending) return <PageSpinner />
  if (session.isError) {
    return <LoadError title="Your account could not be loaded" query={session} />
  }
  const user = session.data
  if (!user) return <ToSignIn />
  const isAllowed = role === undefined || user.role === role
  return (
    <SignedInUserContext value={user}>
      {shell(isAllowed ? children : forbidden)}
    </SignedInUserContext>
  )
}

/** Leads to /auth once, with the address that was wanted when this came up. */
function ToSignIn() {
  const router = useRouter()
  const navigate = useNavigate()
  const [next] = useState(() => router.state.location.href)
  useEffect(() => {
    const isOnItsWay = router.history.location.pathname === '/auth'
    if (!isOnItsWay) void navigate({ to: '/auth', search: { next }, replace: true })
  }, [router, navigate, next])
  return <PageSpinner />
}
