import {
  createRootRoute,
  createRoute,
  createRouter,
  lazyRouteComponent,
  Outlet,
  retainSearchParams,
  type RouterHistory,
} from '@tanstack/react-router'
import { Suspense, useEffect, useState, type ReactNode } from 'react'

import {
  READING_STATES,
  RETAILER_SORT_COLUMNS,
  SUPPLIER_SORT_COLUMNS,
  type ReadingState,
  type Role,
} from '../shared/constants'
import { PageSpinner } from './components/feedback/page-spinner'
import { readAuditView } from './lib/audit-view'
import { readComparisonView } from './lib/comparison-view'
import { readItemView } from './lib/item-view'
import { readListView, readQuery, type ListView } from './lib/list-view'
import { loadCode } from './lib/load-code'
import { readRowsView, type RowsView } from './lib/rows-view'
import { readShopView } from './lib/shop-view'
import { CrashPage } from './pages/crash.page'
import { ForbiddenPage } from './pages/forbidden.page'
import { NotFoundPage } from './pages/not-found.page'
import { SignedInUserContext, useSession } from './session/current-user'
import { readRelation } from './session/relation'
import { RoleGuard } from './session/role-guard'

/** A component of a module that is loaded when it is first shown. */
function lazyPage<Module extends Record<string, unknown>, Name extends keyof Module>(
  load: () => Promise<Module>,
  name: Name,
) {
  return lazyRouteComponent(() => loadCode(load), name)
}

/** Loaded with the first signed-in page; /auth does not need it. */
const AppShell = lazyPage(() => import('./layout/app-shell'), 'AppShell')

/**
 * Fetches the shell in parallel with the page. If it were first requested while rendering, React
 * would delay the page by 300 ms, the time it throttles replacing a Suspense fallback.
 */
const loadShell = async () => {
  await AppShell.preload?.()
}

function inShell(page: ReactNode) {
  return (
    <Suspense fallback={<PageSpinner />}>
      <AppShell>{page}</AppShell>
    </Suspense>
  )
}

/** The not-found page, in the shell for users who are signed in. */
function UnknownPath() {
  const session = useSession()
  const isSignedIn = Boolean(session.data)
  const [hasShell, setHasShell] = useState(false)
  useEffect(() => {
    // Never rejects: a shell that cannot be loaded says so in its place.
    if (isSignedIn) void loadShell().then(() => setHasShell(true))
  }, [isSignedIn])
  if (session.isPending || (isSignedIn && !hasShell)) return <PageSpinner />
  if (!session.data) return <NotFoundPage />
  return <SignedInUserContext value={session.data}>{inShell(<NotFoundPage />)}</SignedInUserContext>
}

type Search = Record<string, unknown>

const root = createRootRoute({ component: Outlet })

const auth = createRoute({
  getParentRoute: () => root,
  path: '/auth',
  validateSearch: ({ next, mode }: Search): { next?: string; mode?: 'register' } => ({
    ...(typeof next === 'string' && { next }),
    ...(mode === 'register' && { mode }),
  }),
  component: lazyPage(() => import('./pages/auth.page'), 'AuthPage'),
})

const upload = createRoute({
  getParentRoute: () => root,
  path: '/upload/$token',
  component: lazyPage(() => import('./pages/upload.page'), 'UploadPage'),
})

const invitation = createRoute({
  getParentRoute: () => root,
  path: '/invitation',
  component: lazyPage(() => import('./pages/invitation.page'), 'InvitationPage'),
})

const setUp = createRoute({
  getParentRoute: () => root,
  path: '/setup',
  component: lazyPage(() => import('./pages/setup.page'), 'SetupPage'),
})

const forgottenPassword = createRoute({
  getParentRoute: () => root,
  path: '/forgotten-password',
  component: lazyPage(() => import('./pages/forgotten-password.page'), 'ForgottenPasswordPage'),
})

const newPassword = createRoute({
  getParentRoute: () => root,
  path: '/new-password',
  component: lazyPage(() => import('./pages/new-password.page'), 'NewPasswordPage'),
})

/** What admits only one role. */
const guarded = (role: Role) => ({
  loader: loadShell,
  component: () => (
    <RoleGuard role={role} forbidden={<ForbiddenPage />} shell={inShell}>
      <Outlet />
    </RoleGuard>
  ),
})

/** A pathless route that only admits one role. */
const guard = (role: Role) =>
  createRoute({ getParentRoute: () => root, id: role.toLowerCase(), ...guarded(role) })

const anyRole = createRoute({
  getParentRoute: () => root,
  id: 'any-role',
  loader: loadShell,
  component: () => (
    <RoleGuard forbidden={<ForbiddenPage />} shell={inShell}>
      <Outlet />
    </RoleGuard>
  ),
})
const superAdmin = guard('SUPER_ADMIN')
const supplier = guard('SUPPLIER')
/** Its links lead to the supplier that is shown. */
const retailer = createRoute({
  getParentRoute: () => root,
  id: 'retailer',
  ...guarded('RETAILER'),
  validateSearch: readRelation,
  search: { middlewares: [retainSearchParams(['relation'])] },
})

const superAdminDashboard = lazyPage(
  () => import('./pages/super-admin-dashboard.page'),
  'SuperAdminDashboardPage',
)
const settingsPage = lazyPage(() => import('./pages/settings.page'), 'SettingsPage')

const readSuppliersView = (search: Search): ListView & { add?: true } => ({
  ...readListView(search, SUPPLIER_SORT_COLUMNS),
  ...(search.add === true && { add: true }),
})

const routeTree = root.addChildren([
  auth,
  upload,
  invitation,
  setUp,
  forgottenPassword,
  newPassword,
  anyRole.addChildren([
    createRoute({
      getParentRoute: () => anyRole,
      path: '/',
      validateSearch: readSuppliersView,
      component: lazyPage(() => import('./pages/home.page'), 'HomePage'),
    }),
    createRoute({
      getParentRoute: () => anyRole,
      path: '/api-docs',
      validateSearch: ({ q, all }: Search): ListView & { all?: true } => ({
        q: readQuery(q),
        ...(all === true && { all }),
      }),
      component: lazyPage(() => import('./pages/api-docs.page'), 'ApiDocsPage'),
    }),
    createRoute({
      getParentRoute: () => anyRole,
      path: '/alerts',
      component: lazyPage(() => import('./pages/alerts.page'), 'AlertsPage'),
    }),
    createRoute({
      getParentRoute: () => anyRole,
      path: '/people',
      component: lazyPage(() => import('./pages/people.page'), 'PeoplePage'),
    }),
    createRoute({
      getParentRoute: () => anyRole,
      path: '/sessions',
      component: lazyPage(() => import('./pages/sessions.page'), 'SessionsPage'),
    }),
    createRoute({
      getParentRoute: () => anyRole,
      path: '/api-keys',
      component: lazyPage(() => import('./pages/api-keys.page'), 'ApiKeysPage'),
    }),
    createRoute({
      getParentRoute: () => anyRole,
      path: '/help',
      component: lazyPage(() => import('./pages/help.page'), 'HelpPage'),
    }),
  ]),
  superAdmin.addChildren([
    createRoute({
      getParentRoute: () => superAdmin,
      path: '/dashboard/super-admin',
      validateSearch: readSuppliersView,
      component: superAdminDashboard,
    }),
    createRoute({
      getParentRoute: () => superAdmin,
      path: '/dashboard/super-admin/cron-jobs',
      component: lazyPage(() => import('./pages/cron-jobs.page'), 'CronJobsPage'),
    }),
    createRoute({
      getParentRoute: () => superAdmin,
      path: '/dashboard/super-admin/suppliers/$supplierId',
      validateSearch: (search: Search) => readListView(search, RETAILER_SORT_COLUMNS),
      component: lazyPage(() => import('./pages/supplier.page'), 'SupplierPage'),
    }),
    createRoute({
      getParentRoute: () => superAdmin,
      path: '/dashboard/super-admin/suppliers/$supplierId/retailers/$userId/people',
      component: lazyPage(() => import('./pages/retailer-people.page'), 'RetailerPeoplePage'),
    }),
    createRoute({
      getParentRoute: () => superAdmin,
      path: '/dashboard/super-admin/operations',
      component: lazyPage(() => import('./pages/operations.page'), 'OperationsPage'),
    }),
    createRoute({
      getParentRoute: () => superAdmin,
      path: '/dashboard/super-admin/system',
      component: lazyPage(() => import('./pages/system.page'), 'SystemPage'),
    }),
    createRoute({
      getParentRoute: () => superAdmin,
      path: '/audit',
      validateSearch: readAuditView,
      component: lazyPage(() => import('./pages/audit.page'), 'AuditPage'),
    }),
    createRoute({
      getParentRoute: () => superAdmin,
      path: '/dashboard/super-admin/settings',
      component: settingsPage,
    }),
  ]),
  supplier.addChildren([
    createRoute({
      getParentRoute: () => supplier,
      path: '/supplier',
      component: lazyPage(() => import('./pages/supplier-dashboard.page'), 'SupplierDashboardPage'),
    }),
    createRoute({
      getParentRoute: () => supplier,
      path: '/supplier/retailers',
      validateSearch: (
        search: Search,
      ): ListView & { reading?: ReadingState | undefined; add?: true } => ({
        ...readListView(search, RETAILER_SORT_COLUMNS),
        reading: READING_STATES.find((state) => state === search.reading),
        ...(search.add === true && { add: true }),
      }),
      component: lazyPage(() => import('./pages/retailers.page'), 'RetailersPage'),
    }),
    createRoute({
      getParentRoute: () => supplier,
      path: '/supplier/card',
      component: lazyPage(() => import('./pages/card.page'), 'CardPage'),
    }),
    createRoute({
      getParentRoute: () => supplier,
      path: '/supplier/groups',
      component: lazyPage(() => import('./pages/groups.page'), 'GroupsPage'),
    }),
    createRoute({
      getParentRoute: () => supplier,
      path: '/supplier/retailers/$retailerId',
      component: lazyPage(() => import('./pages/retailer-settings.page'), 'RetailerSettingsPage'),
    }),
    createRoute({
      getParentRoute: () => supplier,
      path: '/supplier/retailers/$retailerId/preview',
      validateSearch: readRowsView,
      component: lazyPage(() => import('./pages/retailer-preview.page'), 'RetailerPreviewPage'),
    }),
    createRoute({
      getParentRoute: () => supplier,
      path: '/supplier/retailers/$retailerId/shop',
      validateSearch: readShopView,
      component: lazyPage(() => import('./pages/retailer-shop.page'), 'RetailerShopPage'),
    }),
    createRoute({
      getParentRoute: () => supplier,
      path: '/supplier/connections',
      validateSearch: ({ add, sample }: Search): { add?: true; sample?: true } => ({
        ...(add === true && { add }),
        ...(add === true && sample === true && { sample }),
      }),
      component: lazyPage(() => import('./pages/connections.page'), 'ConnectionsPage'),
    }),
    createRoute({
      getParentRoute: () => supplier,
      path: '/supplier/connections/$connectionId/history',
      component: lazyPage(() => import('./pages/connection-history.page'), 'ConnectionHistoryPage'),
    }),
    createRoute({
      getParentRoute: () => supplier,
      path: '/supplier/connections/$connectionId/comparison',
      validateSearch: readComparisonView,
      component: lazyPage(() => import('./pages/comparison.page'), 'ComparisonPage'),
    }),
    createRoute({
      getParentRoute: () => supplier,
      path: '/supplier/connections/$connectionId/items',
      validateSearch: readItemView,
      component: lazyPage(() => import('./pages/connection-item.page'), 'ConnectionItemPage'),
    }),
    createRoute({
      getParentRoute: () => supplier,
      path: '/supplier/inventory',
      validateSearch: (search: Search): RowsView & { connection?: number } => ({
        ...readRowsView(search),
        ...(typeof search.connection === 'number' && { connection: search.connection }),
      }),
      component: lazyPage(() => import('./pages/supplier-inventory.page'), 'SupplierInventoryPage'),
    }),
    createRoute({
      getParentRoute: () => supplier,
      path: '/supplier/activity',
      validateSearch: readAuditView,
      component: lazyPage(() => import('./pages/activity.page'), 'ActivityPage'),
    }),
    createRoute({
      getParentRoute: () => supplier,
      path: '/supplier/settings',
      component: settingsPage,
    }),
  ]),
  retailer.addChildren([
    createRoute({
      getParentRoute: () => retailer,
      path: '/retailer',
      component: lazyPage(() => import('./pages/retailer-dashboard.page'), 'RetailerDashboardPage'),
    }),
    createRoute({
      getParentRoute: () => retailer,
      path: '/retailer/inventory',
      validateSearch: readRowsView,
      component: lazyPage(() => import('./pages/retailer-inventory.page'), 'RetailerInventoryPage'),
    }),
    createRoute({
      getParentRoute: () => retailer,
      path: '/retailer/items',
      validateSearch: readItemView,
      component: lazyPage(() => import('./pages/retailer-item.page'), 'RetailerItemPage'),
    }),
    createRoute({
      getParentRoute: () => retailer,
      path: '/retailer/settings',
      component: settingsPage,
    }),
    createRoute({
      getParentRoute: () => retailer,
      path: '/retailer/directory',
      validateSearch: (search: Search) => readListView(search, []),
      component: lazyPage(() => import('./pages/directory.page'), 'DirectoryPage'),
    }),
    createRoute({
      getParentRoute: () => retailer,
      path: '/retailer/merged-file',
      component: lazyPage(() => import('./pages/merged-file.page'), 'MergedFilePage'),
    }),
    createRoute({
      getParentRoute: () => retailer,
      path: '/retailer/shop',
      validateSearch: readShopView,
      component: lazyPage(() => import('./pages/connect-shop.page'), 'ConnectShopPage'),
    }),
  ]),
])

/** Uses the browser's history unless another one is given. */
export function createAppRouter(history?: RouterHistory) {
  return createRouter({
    routeTree,
    ...(history && { history }),
    defaultPreload: 'intent',
    scrollRestoration: history === undefined,
    defaultPendingComponent: PageSpinner,
    // An unknown path belongs to no role: whoever is signed in gets the shell of their own.
    notFoundMode: 'root',
    defaultNotFoundComponent: UnknownPath,
    defaultErrorComponent: CrashPage,
  })
}

declare module '@tanstack/react-router' {
  interface Register {
    router: ReturnType<typeof createAppRouter>
  }
}
