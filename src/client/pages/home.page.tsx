import { Navigate } from '@tanstack/react-router'

import { useSignedInUser } from '../session/current-user'
import { homePath } from '../session/role-paths'
import { SuperAdminDashboardPage } from './super-admin-dashboard.page'

/** `/` is the administrator's dashboard; other roles are sent to their own. */
export function HomePage() {
  const { role } = useSignedInUser()
  return role === 'SUPER_ADMIN' ? (
    <SuperAdminDashboardPage />
  ) : (
    <Navigate to={homePath(role)} replace />
  )
}
