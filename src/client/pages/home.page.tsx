import { Navigate } from '@tanstack/react-router'

import { useSignedInUser } from '../session/current-user'
import { homePath } from '../session/role-paths'
import { SuperAdminDashboardPage } from './super-admin-dashboard.page'

/** The administrator's dashboard; redirects other roles to their own. */
export function HomePage() {
  const { role } = useSignedInUser()
  return role === 'SUPER_ADMIN' ? (
    <SuperAdminDashboardPage />
  ) : (
    <Navigate to={homePath(role)} replace />
  )
}
