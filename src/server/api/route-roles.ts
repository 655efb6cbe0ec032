import type { FastifyInstance } from 'fastify'

import { ROLES, type Role } from '../../shared/constants'
import type { ApiAddress } from './api-routes'
import type { FeedAddressPath } from './feed-routes'
import { procedurePaths, type ProcedurePath } from './procedures'

/**
 * Who may make a call: anyone, even without a session, or users with one of the roles. The rules
 * check which objects a user may access.
 */
export type Access = 'anyone' | readonly Role[]

const ANYONE = 'anyone'
const SIGNED_IN = ROLES
const ADMINISTRATORS = ['SUPER_ADMIN'] as const
const SUPPLIERS = ['SUPPLIER', 'SUPER_ADMIN'] as const
const RETAILERS = ['RETAILER'] as const

/** The roles of every procedure, enforced by its middleware; `testing/suites/access-matrix` tests it. */
export const procedureRoles: Readonly<Record<ProcedurePath, Access>> = {
  'app.info': ANYONE,
  'session.current': ANYONE,
  'session.login': ANYONE,
  'session.google': ANYONE,
  'session.register': ANYONE,
  'session.logout': ANYONE,
  'session.hasPassword': SIGNED_IN,
  'session.changePassword': SIGNED_IN,
  'users.username': SIGNED_IN,
  'users.resetPassword': SUPPLIERS,
  'suppliers.page': ADMINISTRATORS,
  'suppliers.get': ADMINISTRATORS,
  'suppliers.retailers': ADMINISTRATORS,
  'suppliers.create': ADMINISTRATORS,
  'suppliers.update': ADMINISTRATORS,
  'suppliers.profile': ['SUPPLIER'],
  'suppliers.updateProfile': ['SUPPLIER'],
  'retailers.own': RETAILERS,
  'retailers.supplier': RETAILERS,
  'retailers.page': SUPPLIERS,
  'retailers.get': SUPPLIERS,
  'retailers.create': SUPPLIERS,
  'suppliers.checkRetailers': ['SUPPLIER'],
  'suppliers.addRetailers': ['SUPPLIER'],
  'retailers.update': SUPPLIERS,
  'retailers.updateSeveral': SUPPLIERS,
  'retailers.usage': SUPPLIERS,
  'retailers.updateBasicInfo': SUPPLIERS,
  'retailers.updateStoreInfo': RETAILERS,
  'retailers.updateDeliveryPreferences': RETAILERS,
  'retailers.latestFile': SIGNED_IN,
  'retailers.inventory': SIGNED_IN,
  'retailers.rows': SIGNED_IN,
  'retailers.downloads': SIGNED_IN,
  'retailers.changes': SIGNED_IN,
  'retailers.delete': SUPPLIERS,
  'feedAddresses.list': SIGNED_IN,
  'feedAddresses.create': SIGNED_IN,
  'feedAddresses.revoke': SIGNED_IN,
  'profiles.get': SIGNED_IN,
  'profiles.save': SIGNED_IN,
  'profiles.preview': SIGNED_IN,
  'columnPolicy.get': SUPPLIERS,
  'columnPolicy.save': SUPPLIERS,
  'columnPolicy.stockTexts': SUPPLIERS,
  'publishing.versions': SUPPLIERS,
  'publishing.publish': SUPPLIERS,
  'publishing.discard': SUPPLIERS,
  'publishing.pin': SUPPLIERS,
  'publishing.guard': SUPPLIERS,
  'publishing.tryGuard': SUPPLIERS,
  'publishing.saveGuard': SUPPLIERS,
  'differences.compare': SUPPLIERS,
  'timeline.page': SUPPLIERS,
  'timeline.figures': SUPPLIERS,
  'connections.list': ['SUPPLIER'],
  'connections.create': SUPPLIERS,
  'connections.update': SUPPLIERS,
  'connections.sync': SUPPLIERS,
  'connections.cancelSync': SUPPLIERS,
  'connections.runs': SUPPLIERS,
  'connections.previewSource': SUPPLIERS,
  'connections.files': SUPPLIERS,
  'connections.inventory': SUPPLIERS,
  'connections.rows': SUPPLIERS,
  'connections.findings': SUPPLIERS,
  'categories.overview': SUPPLIERS,
  'categories.level': SUPPLIERS,
  'categories.search': SUPPLIERS,
  'categories.choice': SUPPLIERS,
  'live.changes': SIGNED_IN,
  'cronJobs.list': ADMINISTRATORS,
  'cronJobs.runs': ADMINISTRATORS,
  'cronJobs.delete': ADMINISTRATORS,
  'cronJobs.restore': ADMINISTRATORS,
  'cronJobs.runNow': ADMINISTRATORS,
  'cronJobs.setActive': ADMINISTRATORS,
  'cronJobs.triggerBackup': ADMINISTRATORS,
  'backups.list': ADMINISTRATORS,
  'audit.page': SUPPLIERS,
  'viewings.begin': ADMINISTRATORS,
  'viewings.stop': SIGNED_IN,
  'operations.overview': ADMINISTRATORS,
  'operations.storage': ADMINISTRATORS,
  'operations.syncs': ADMINISTRATORS,
  'alerts.list': SIGNED_IN,
  'alerts.markRead': SIGNED_IN,
  'alerts.choices': SIGNED_IN,
  'alerts.choose': SIGNED_IN,
  'alerts.setAddress': SIGNED_IN,
  'alerts.confirmAddress': SIGNED_IN,
  'alerts.removeAddress': SIGNED_IN,
  'webhooks.list': SUPPLIERS,
  'webhooks.create': SUPPLIERS,
  'webhooks.update': SUPPLIERS,
  'webhooks.delete': SUPPLIERS,
  'webhooks.deliveries': SUPPLIERS,
  'webhooks.sendTest': SUPPLIERS,
  'webhooks.sendAgain': SUPPLIERS,
}

/** Routes outside the API. All files of the built client share two rows. */
type OtherAddress =
  | FeedAddressPath
  | 'GET /unsubscribe/:token'
  | 'POST /unsubscribe/:token'
  | 'GET /healthz'
  | 'GET /healthz/scheduler'
  | 'GET /readyz'
  | 'ANY /trpc/:path'
  | 'GET /'
  | 'GET /*'
  | 'GET /:file'
  | 'GET /assets/:file'

export type RouteAddress = ApiAddress | OtherAddress

/** The roles of every route of the web server. */
export const routeRoles: Readonly<Record<RouteAddress, Access>> = {
  'GET /api/user': SIGNED_IN,
  'POST /api/login': ANYONE,
  'POST /api/register': ANYONE,
  'GET /api/auth/google/start': ANYONE,
  'GET /api/auth/google/callback': ANYONE,
  'POST /api/auth/google': ANYONE,
  'POST /api/logout': ANYONE,
  'POST /api/admin/reset-password': SIGNED_IN,
  'GET /api/suppliers': ADMINISTRATORS,
  'POST /api/suppliers': ADMINISTRATORS,
  'PATCH /api/suppliers/:id': ADMINISTRATORS,
  'GET /api/retailers': SIGNED_IN,
  'POST /api/retailers': SUPPLIERS,
  'PATCH /api/retailers/:id': SUPPLIERS,
  'PATCH /api/retailers/:id/basic-info': SUPPLIERS,
  'PATCH /api/retailers/:id/store-info': RETAILERS,
  'PATCH /api/retailers/:id/delivery-preferences': RETAILERS,
  'GET /api/retailers/:id/latest-file': SIGNED_IN,
  'GET /api/retailers/:id/files/:fileName': SIGNED_IN,
  'GET /api/retailers/:id/feed-addresses': SIGNED_IN,
  'POST /api/retailers/:id/feed-addresses': SIGNED_IN,
  'DELETE /api/retailers/:id/feed-addresses': SIGNED_IN,
  'DELETE /api/retailers/:id': SUPPLIERS,
  'GET /api/users/:userId': SIGNED_IN,
  'PATCH /api/users/:userId/reset-password': SUPPLIERS,
  'GET /api/connections': SUPPLIERS,
  'POST /api/connections': SUPPLIERS,
  'POST /api/connections/preview': SUPPLIERS,
  'PATCH /api/connections/:id': SUPPLIERS,
  'POST /api/connections/:id/sync': SUPPLIERS,
  'POST /api/connections/:id/cancel': SUPPLIERS,
  'GET /api/connections/:id/runs': SUPPLIERS,
  'GET /api/connections/:id/files': SUPPLIERS,
  'GET /api/connections/:id/files/:fileName': SUPPLIERS,
  'GET /api/connections/:id/files/:fileName/changes-from/:olderFileName': SUPPLIERS,
  'GET /api/admin/cron-jobs': ADMINISTRATORS,
  'DELETE /api/admin/cron-jobs/:name': ADMINISTRATORS,
  'POST /api/admin/trigger-backup': ADMINISTRATORS,
  'GET /api/admin/backup-files': ADMINISTRATORS,
  'GET /api/admin/backup-files/:fileName': ADMINISTRATORS,
  'GET /api/admin/audit.csv': ADMINISTRATORS,
  'GET /api/openapi.json': ANYONE,
  // Whoever knows the token.
  'GET /feeds/:token/inventory.csv': ANYONE,
  'GET /feeds/:token/inventory.txt': ANYONE,
  'GET /feeds/:token/products.csv': ANYONE,
  'GET /unsubscribe/:token': ANYONE,
  'POST /unsubscribe/:token': ANYONE,
  'GET /healthz': ANYONE,
  'GET /healthz/scheduler': ANYONE,
  'GET /readyz': ANYONE,
  // Each procedure has its own row above.
  'ANY /trpc/:path': ANYONE,
  'GET /': ANYONE,
  'GET /*': ANYONE,
  'GET /:file': ANYONE,
  'GET /assets/:file': ANYONE,
}

/** @throws when a procedure has no row, and later when a route without a row is registered */
export function checkRouteRoles(app: FastifyInstance): void {
  const missing = procedurePaths.filter((path) => !Object.hasOwn(procedureRoles, path))
  if (missing.length > 0) throw new Error(`route-roles.ts has no row for ${missing.join(', ')}`)
  app.addHook('onRoute', ({ method, url }) => {
    for (const name of [method].flat()) {
      const isKnown = Object.hasOwn(routeRoles, toAddress(name, url))
      if (!isKnown) throw new Error(`route-roles.ts has no row for ${name} ${url}`)
    }
  })
}

/** The row of a route. HEAD shares the row of GET; files of the client share one row per folder. */
function toAddress(method: string, url: string): string {
  if (url === '/trpc/:path') return `ANY ${url}`
  const path = url.replace(/^(\/assets)?\/[\w.-]+\.[a-z0-9]+$/, '$1/:file')
  return `${method === 'HEAD' ? 'GET' : method} ${path}`
}
