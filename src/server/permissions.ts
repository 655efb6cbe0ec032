import type { FastifyInstance } from 'fastify'

import { appRouter } from './trpc/router'

/**
 * AN anonymous · RO retailer, own object · RX retailer of another supplier · SO supplier, own ·
 * SX another supplier · AD super administrator · DE deactivated user with an old cookie.
 */
export const ACTORS = ['AN', 'RO', 'RX', 'SO', 'SX', 'AD', 'DE'] as const
export type ActorKind = (typeof ACTORS)[number]

/** The status that each kind of caller gets. */
type Expectation = Record<ActorKind, number>

type Route = `${'GET' | 'POST' | 'PATCH' | 'DELETE'} ${string}`

export type PermissionRow = {
  /** The REST path, where the call has one. */
  route: Route | null
  /** The tRPC procedure, where the call has one. */
  procedure: string | null
  expect: Expectation
  /** What tells rows of the same call apart. */
  when?: string
}

/** A row of the table below. */
function row(
  route: Route | null,
  procedure: string | null,
  expect: Expectation,
  when?: string,
): PermissionRow {
  return { route, procedure, expect, ...(when !== undefined && { when }) }
}

function everyone(status: number): Expectation {
  return { AN: status, RO: status, RX: status, SO: status, SX: status, AD: status, DE: status }
}

const signedIn = (ok: number): Expectation => ({ ...everyone(ok), AN: 401, DE: 401 })
const anyoneActive = (ok: number): Expectation => ({ ...everyone(ok), DE: 401 })
const adminOnly = (ok: number): Expectation => ({ ...signedIn(403), AD: ok })
const suppliers = (ok: number): Expectation => ({ ...signedIn(ok), RO: 403, RX: 403 })
const owningSupplier = (ok: number): Expectation => ({ ...suppliers(ok), SX: 404 })
const retailers = (ok: number): Expectation => ({ ...signedIn(403), RO: ok, RX: ok })
const owningRetailer = (ok: number): Expectation => ({ ...signedIn(403), RO: ok, RX: 404 })
const aroundRetailer = (ok: number): Expectation => ({ ...signedIn(ok), RX: 404, SX: 404 })
const newcomers = (ok: number): Expectation => ({ ...everyone(403), AN: ok, DE: ok })
const registrars = (ok: number): Expectation => ({ ...everyone(403), SO: ok, SX: ok, AD: ok })

/** Who may do what: the one table, from which the tests of both doors are made. */
export const permissions: readonly PermissionRow[] = [
  row(null, 'app.info', everyone(200)),
  row('GET /api/user', null, signedIn(200)),
  row(null, 'session.current', everyone(200)),
  row('POST /api/login', 'session.login', anyoneActive(200), 'with the right password'),
  row('POST /api/register', 'session.register', { ...newcomers(201), AD: 201 }, 'as SUPPLIER'),
  row('POST /api/register', 'session.register', registrars(201), 'as RETAILER'),
  row('POST /api/register', 'session.register', everyone(403), 'as SUPER_ADMIN'),
  row('GET /api/auth/google/start', null, everyone(302)),
  row('GET /api/auth/google/callback', null, everyone(400), 'that nobody began'),
  row('POST /api/auth/google', 'session.google', everyone(401), 'with its body alone'),
  row('POST /api/logout', 'session.logout', everyone(200)),
  row('POST /api/admin/reset-password', 'session.changePassword', signedIn(200)),
  row('GET /api/suppliers', null, adminOnly(200)),
  row(null, 'suppliers.page', adminOnly(200)),
  row('POST /api/suppliers', 'suppliers.create', adminOnly(201)),
  row('PATCH /api/suppliers/:id', 'suppliers.update', adminOnly(200)),
  row('PATCH /api/suppliers/:id', 'suppliers.update', adminOnly(404), 'of one who is no supplier'),
  row('GET /api/retailers', null, signedIn(200)),
  row(null, 'retailers.own', retailers(200)),
  row(null, 'retailers.page', suppliers(200)),
  row(null, 'retailers.get', owningSupplier(200)),
  row('POST /api/retailers', 'retailers.create', suppliers(201)),
  row(
    'POST /api/retailers',
    'retailers.create',
    { ...suppliers(404), AD: 201 },
    'with a foreign login',
  ),
  row('PATCH /api/retailers/:id', 'retailers.update', owningSupplier(200)),
  row('PATCH /api/retailers/:id/basic-info', 'retailers.updateBasicInfo', owningSupplier(200)),
  row('PATCH /api/retailers/:id/store-info', 'retailers.updateStoreInfo', owningRetailer(200)),
  row(
    'PATCH /api/retailers/:id/delivery-preferences',
    'retailers.updateDeliveryPreferences',
    owningRetailer(200),
  ),
  row('GET /api/retailers/:id/latest-file', 'retailers.latestFile', aroundRetailer(200)),
  row('GET /api/retailers/:id/files/:fileName', null, aroundRetailer(200)),
  row(null, 'retailers.inventory', aroundRetailer(200)),
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
    { ...everyone(403), AN: 401, DE: 401 },
    'of the caller itself',
  ),
  row('GET /api/connections', null, suppliers(200)),
  row(null, 'connections.list', { ...suppliers(200), AD: 403 }),
  row(
    'POST /api/connections',
    'connections.create',
    { ...suppliers(201), SX: 403 },
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
  row(null, 'live.changes', signedIn(200)),
  row(null, 'connections.findings', owningSupplier(200)),
  row(null, 'categories.overview', owningSupplier(200)),
  row(null, 'categories.level', owningSupplier(200)),
  row(null, 'categories.search', owningSupplier(200)),
  row(null, 'categories.choice', owningSupplier(200)),
  row('GET /api/admin/cron-jobs', 'cronJobs.list', adminOnly(200)),
  row(null, 'cronJobs.runs', adminOnly(200)),
  row('DELETE /api/admin/cron-jobs/:name', 'cronJobs.delete', adminOnly(200)),
  row(null, 'cronJobs.restore', adminOnly(200)),
  row(null, 'cronJobs.runNow', adminOnly(200)),
  row(null, 'cronJobs.setActive', adminOnly(200)),
  row('POST /api/admin/trigger-backup', 'cronJobs.triggerBackup', adminOnly(202)),
  row('GET /api/admin/backup-files', 'backups.list', adminOnly(200)),
  row('GET /api/admin/backup-files/:fileName', null, adminOnly(200)),
]

/** Served to everyone, and without anything to protect. */
const OPEN_ROUTES = /^\/(?:healthz|readyz|trpc(?:\/|$)|$|\*|assets\/|[\w.-]+\.[a-z0-9]+$)/

/** @throws when a procedure lacks a row, or a route is added without one */
export function checkPermissions(app: FastifyInstance): void {
  const known = new Set(permissions.map(({ procedure }) => procedure))
  const missing = Object.keys(appRouter._def.procedures).filter((path) => !known.has(path))
  if (missing.length > 0) throw new Error(`No permission row for ${missing.join(', ')}`)
  const routes = new Set<string>(permissions.flatMap(({ route }) => route ?? []))
  app.addHook('onRoute', ({ method, url }) => {
    for (const name of [method].flat()) {
      // HEAD goes where GET goes.
      const isKnown = name === 'HEAD' || routes.has(`${name} ${url}`) || OPEN_ROUTES.test(url)
      if (!isKnown) throw new Error(`No permission row for ${name} ${url}`)
    }
  })
}
