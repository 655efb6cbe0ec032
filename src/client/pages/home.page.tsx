import { Navigate } from '@tanstack/react-router'

import { useSignedInUser } from '../session/current-user'
import { homePath } from '../session/role-paths'
import { SuperAdminDashboardPage } from './super-admin-dashboard.page'

/** `/` is the super-admin dashboard; the others are sent to their own (reading 14). */
export function HomePage() {
  const { role } = useSignedInUser()
  return role === 'SUPER_ADMIN' ? (
    <SuperAdminDashboardPage />
  ) : (
    <Navigate to={homePath(role)} replace />
  )
}
