import type { RouteAddress } from '../../route-roles'
import type { ProcedurePath } from '../../trpc/procedures'
import {
  administrators,
  aroundRetailer,
  everyone,
  ownRetailer,
  owningSupplier,
  retailers,
  signedIn,
  suppliers,
  type Expectation,
} from './actors'

export type MatrixRow = {
  /** The route of the call, if any. */
  route: RouteAddress | null
  /** The procedure of the call, if any. */
  procedure: ProcedurePath | null
  expect: Expectation
  /** Distinguishes rows of the same call. */
  when?: string
}

function row(
  route: RouteAddress | null,
  procedure: ProcedurePath | null,
  expect: Expectation,
  when?: string,
): MatrixRow {
  return { route, procedure, expect, ...(when !== undefined && { when }) }
}

/** The expected status of every call for every kind of caller. The product does not use it. */
export const accessMatrix: readonly MatrixRow[] = [
  row('GET /healthz', null, everyone(200)),
  row('GET /readyz', null, everyone(200)),
  row('GET /', null, everyone(200)),
  row('GET /:file', null, everyone(200)),
  row('GET /assets/:file', null, everyone(200)),
  row('GET /*', null, everyone(200), 'for a page'),
  row('GET /*', null, everyone(404), 'for a call that does not exist'),
  row('ANY /trpc/:path', null, everyone(404), 'for a procedure that does not exist'),
  row(null, 'app.info', everyone(200)),
  row('GET /api/user', null, signedIn(200)),
  row(null, 'session.current', everyone(200)),
  row(
    'POST /api/login',
    'session.login',
    { ...everyone(200), deactivated: 401 },
    'with the right password',
  ),
  row(
    'POST /api/register',
    'session.register',
    { ...everyone(403), anonymous: 201, administrator: 201, deactivated: 201 },
    'as SUPPLIER',
  ),
  row(
    'POST /api/register',
    'session.register',
    { ...everyone(403), owningSupplier: 201, otherSupplier: 201, administrator: 201 },
    'as RETAILER',
  ),
  row('POST /api/register', 'session.register', everyone(403), 'as SUPER_ADMIN'),
  row('GET /api/auth/google/start', null, everyone(302)),
  row('GET /api/auth/google/callback', null, everyone(400), 'for a sign-in that was not started'),
  row('POST /api/auth/google', 'session.google', everyone(401), 'with only a request body'),
  row('POST /api/logout', 'session.logout', everyone(200)),
  row(null, 'session.hasPassword', signedIn(200)),
  row('POST /api/admin/reset-password', 'session.changePassword', signedIn(200)),
  row('GET /api/suppliers', null, administrators(200)),
  row(null, 'suppliers.page', administrators(200)),
  row(null, 'suppliers.get', administrators(200)),
  row(null, 'suppliers.get', administrators(404), 'of a user who is not a supplier'),
  row(null, 'suppliers.retailers', administrators(200)),
  row(null, 'suppliers.retailers', administrators(404), 'of a user who is not a supplier'),
  row('POST /api/suppliers', 'suppliers.create', administrators(201)),
  row('PATCH /api/suppliers/:id', 'suppliers.update', administrators(200)),
  row(
    'PATCH /api/suppliers/:id',
    'suppliers.update',
    administrators(404),
    'of a user who is not a supplier',
  ),
  row(null, 'suppliers.profile', { ...suppliers(200), administrator: 403 }),
  row(null, 'suppliers.updateProfile', { ...suppliers(200), administrator: 403 }),
  row('GET /api/retailers', null, signedIn(200)),
  row(null, 'retailers.own', retailers(200)),
  row(null, 'retailers.supplier', retailers(200)),
  row(null, 'retailers.page', suppliers(200)),
  row(null, 'retailers.get', owningSupplier(200)),
  row('POST /api/retailers', 'retailers.create', suppliers(201)),
  row(
    'POST /api/retailers',
    'retailers.create',
    { ...suppliers(404), administrator: 201 },
    'with a login of another supplier',
  ),
  row('PATCH /api/retailers/:id', 'retailers.update', owningSupplier(200)),
  row('PATCH /api/retailers/:id/basic-info', 'retailers.updateBasicInfo', owningSupplier(200)),
  row('PATCH /api/retailers/:id/store-info', 'retailers.updateStoreInfo', ownRetailer(200)),
  row(
    'PATCH /api/retailers/:id/delivery-preferences',
    'retailers.updateDeliveryPreferences',
    ownRetailer(200),
  ),
  row('GET /api/retailers/:id/latest-file', 'retailers.latestFile', aroundRetailer(200)),
  row('GET /api/retailers/:id/files/:fileName', null, aroundRetailer(200)),
  row(null, 'retailers.inventory', aroundRetailer(200)),
  row(null, 'retailers.rows', aroundRetailer(200)),
  row(null, 'retailers.downloads', aroundRetailer(200)),
  row(null, 'retailers.changes', aroundRetailer(200)),
  row('DELETE /api/retailers/:id', 'retailers.delete', owningSupplier(200)),
  row('GET /api/users/:userId', 'users.username', aroundRetailer(200), 'of a retailer'),
  row(
    'PATCH /api/users/:userId/reset-password',
    'users.resetPassword',
    owningSupplier(200),
    'of a retailer',
  ),
  row(
    'PATCH /api/users/:userId/reset-password',
    'users.resetPassword',
    signedIn(403),
    'of the caller itself',
  ),
  row('GET /api/connections', null, suppliers(200)),
  row(null, 'connections.list', { ...suppliers(200), administrator: 403 }),
  row(
    'POST /api/connections',
    'connections.create',
    { ...suppliers(201), otherSupplier: 403 },
    'for the first supplier',
  ),
  row('PATCH /api/connections/:id', 'connections.update', owningSupplier(200)),
  row('POST /api/connections/:id/sync', 'connections.sync', owningSupplier(202)),
  row('POST /api/connections/:id/cancel', 'connections.cancelSync', owningSupplier(202)),
  row('GET /api/connections/:id/runs', 'connections.runs', owningSupplier(200)),
  row('POST /api/connections/preview', 'connections.previewSource', suppliers(200)),
  row('GET /api/connections/:id/files', 'connections.files', owningSupplier(200)),
  row('GET /api/connections/:id/files/:fileName', null, owningSupplier(200)),
  row(null, 'connections.inventory', owningSupplier(200)),
  row(null, 'connections.rows', owningSupplier(200)),
  row(null, 'live.changes', signedIn(200)),
  row(null, 'connections.findings', owningSupplier(200)),
  row(null, 'categories.overview', owningSupplier(200)),
  row(null, 'categories.level', owningSupplier(200)),
  row(null, 'categories.search', owningSupplier(200)),
  row(null, 'categories.choice', owningSupplier(200)),
  row('GET /api/admin/cron-jobs', 'cronJobs.list', administrators(200)),
  row(null, 'cronJobs.runs', administrators(200)),
  row('DELETE /api/admin/cron-jobs/:name', 'cronJobs.delete', administrators(200)),
  row(null, 'cronJobs.restore', administrators(200)),
  row(null, 'cronJobs.runNow', administrators(200)),
  row(null, 'cronJobs.setActive', administrators(200)),
  row('POST /api/admin/trigger-backup', 'cronJobs.triggerBackup', administrators(202)),
  row('GET /api/admin/backup-files', 'backups.list', administrators(200)),
  row('GET /api/admin/backup-files/:fileName', null, administrators(200)),
  row(null, 'operations.overview', administrators(200)),
  row(null, 'operations.storage', administrators(200)),
  row(null, 'operations.syncs', administrators(200)),
  row('GET /api/openapi.json', null, signedIn(200)),
]
