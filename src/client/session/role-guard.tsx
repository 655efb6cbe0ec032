import { useNavigate, useRouter } from '@tanstack/react-router'
import { useEffect, useState, type ReactNode } from 'react'

import type { Role } from '../../shared/constants'
import { LoadError } from '../components/feedback/message-state'
import { PageSpinner } from '../components/feedback/page-spinner'
import { SignedInUserContext, useSession } from './current-user'

interface RoleGuardProps {
  /** undefined admits every signed-in user. */
  role?: Role
  /** Shown to users of another role. */
  forbidden: ReactNode
  /** Wraps the page, or `forbidden`, in the shell. */
  shell: (page: ReactNode) => ReactNode
  children: ReactNode
}

/** Shows a spinner while the user loads, and redirects to /auth when nobody is signed in. */
export function RoleGuard({ role, forbidden, shell, children }: RoleGuardProps) {
  const session = useSession()
  if (session.isPending) return <PageSpinner />
  // A user who is known stays, with the frame of the page, when only a later fetch has failed.
  if (session.isError && session.data === undefined) {
    return <LoadError title="Your account could not be loaded" query={session} />
  }
  const user = session.data
  if (!user) return <RedirectToSignIn />
  const isAllowed = role === undefined || user.role === role
  return (
    <SignedInUserContext value={user}>
      {shell(isAllowed ? children : forbidden)}
    </SignedInUserContext>
  )
}

/** Redirects to /auth once, passing the requested URL as `next`. */
function RedirectToSignIn() {
  const router = useRouter()
  const navigate = useNavigate()
  const [next] = useState(() => router.state.location.href)
  useEffect(() => {
    const isRedirecting = router.history.location.pathname === '/auth'
    if (!isRedirecting) void navigate({ to: '/auth', search: { next }, replace: true })
  }, [router, navigate, next])
  return <PageSpinner />
}
