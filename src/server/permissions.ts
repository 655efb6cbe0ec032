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

export type PermissionRow = {
  /** The REST path, where the call has one. */
  route?: `${'GET' | 'POST' | 'PATCH' | 'DELETE'} ${string}`
  /** The tRPC procedure, where the call has one. */
  procedure?: string
  /** What tells rows of the same call apart. */
  when?: string
  expect: Expectation
}

const everyone = (status: number): Expectation => ({
  AN: status,
  RO: status,
  RX: status,
  SO: status,
  SX: status,
  AD: status,
  DE: status,
})
const adminOnly = (ok: number): Expectation => ({ ...everyone(403), AN: 401, AD: ok, DE: 401 })
const signedIn = (ok: number): Expectation => ({ ...everyone(ok), AN: 401, DE: 401 })
const suppliers = (ok: number): Expectation => ({ ...signedIn(ok), RO: 403, RX: 403 })
const owningSupplier = (ok: number): Expectation => ({ ...suppliers(ok), SX: 404 })
const owningRetailer = (ok: number): Expectation => ({
  ...everyone(403),
  AN: 401,
  RO: ok,
  RX: 404,
  DE: 401,
})
const aroundRetailer = (ok: number): Expectation => ({ ...signedIn(ok), RX: 404, SX: 404 })

/** Who may do what: the one table, from which the tests of both doors are made. */
export const permissions: readonly PermissionRow[] = [
  { procedure: 'app.info', expect: everyone(200) },
  { route: 'GET /api/user', expect: signedIn(200) },
  { procedure: 'session.current', expect: everyone(200) },
  {
    route: 'POST /api/login',
    procedure: 'session.login',
    when: 'with the right password',
    expect: { ...everyone(200), DE: 401 },
  },
  {
    route: 'POST /api/register',
    procedure: 'session.register',
    when: 'as SUPPLIER',
    expect: { ...everyone(403), AN: 201, AD: 201, DE: 201 },
  },
  {
    route: 'POST /api/register',
    procedure: 'session.register',
    when: 'as RETAILER',
    expect: { ...everyone(403), SO: 201, SX: 201, AD: 201 },
  },
  {
    route: 'POST /api/register',
    procedure: 'session.register',
    when: 'as SUPER_ADMIN',
    expect: everyone(403),
  },
  { route: 'POST /api/logout', procedure: 'session.logout', expect: everyone(200) },
  {
    route: 'POST /api/admin/reset-password',
    procedure: 'session.changePassword',
    expect: signedIn(200),
  },
  { route: 'GET /api/suppliers', procedure: 'suppliers.list', expect: adminOnly(200) },
  { route: 'POST /api/suppliers', procedure: 'suppliers.create', expect: adminOnly(201) },
  { route: 'PATCH /api/suppliers/:id', procedure: 'suppliers.update', expect: adminOnly(200) },
  {
    route: 'PATCH /api/suppliers/:id',
    procedure: 'suppliers.update',
    when: 'of a user who is no supplier',
    expect: adminOnly(404),
  },
  { route: 'GET /api/retailers', procedure: 'retailers.list', expect: signedIn(200) },
  { route: 'POST /api/retailers', procedure: 'retailers.create', expect: suppliers(201) },
  {
    route: 'POST /api/retailers',
    procedure: 'retailers.create',
    when: 'with another supplier’s login',
    expect: { ...suppliers(404), AD: 201 },
  },
  { route: 'PATCH /api/retailers/:id', procedure: 'retailers.update', expect: owningSupplier(200) },
  {
    route: 'PATCH /api/retailers/:id/basic-info',
    procedure: 'retailers.updateBasicInfo',
    expect: owningSupplier(200),
  },
  {
    route: 'PATCH /api/retailers/:id/store-info',
    procedure: 'retailers.updateStoreInfo',
    expect: owningRetailer(200),
  },
  {
    route: 'PATCH /api/retailers/:id/delivery-preferences',
    procedure: 'retailers.updateDeliveryPreferences',
    expect: owningRetailer(200),
  },
  {
    route: 'GET /api/retailers/:id/latest-file',
    procedure: 'retailers.latestFile',
    expect: aroundRetailer(200),
  },
  { route: 'GET /api/retailers/:id/files/:fileName', expect: aroundRetailer(200) },
  { procedure: 'retailers.inventory', expect: aroundRetailer(200) },
  {
    route: 'DELETE /api/retailers/:id',
    procedure: 'retailers.delete',
    expect: owningSupplier(200),
  },
  {
    route: 'GET /api/users/:userId',
    procedure: 'users.username',
    when: 'of a retailer',
    expect: aroundRetailer(200),
  },
  {
    route: 'PATCH /api/users/:userId/reset-password',
    procedure: 'users.resetPassword',
    when: 'of a retailer',
    expect: owningSupplier(200),
  },
  {
    route: 'PATCH /api/users/:userId/reset-password',
    procedure: 'users.resetPassword',
    when: 'of the caller itself',
    expect: { ...everyone(403), AN: 401, DE: 401 },
  },
  { route: 'GET /api/connections', procedure: 'connections.list', expect: suppliers(200) },
  {
    route: 'POST /api/connections',
    procedure: 'connections.create',
    when: 'for the first supplier',
    expect: { ...suppliers(201), SX: 403 },
  },
  {
    route: 'PATCH /api/connections/:id',
    procedure: 'connections.update',
    expect: owningSupplier(200),
  },
  {
    route: 'POST /api/connections/:id/sync',
    procedure: 'connections.sync',
    expect: owningSupplier(202),
  },
  {
    route: 'POST /api/connections/preview',
    procedure: 'connections.previewSource',
    expect: suppliers(200),
  },
  {
    route: 'GET /api/connections/:id/files',
    procedure: 'connections.files',
    expect: owningSupplier(200),
  },
  { route: 'GET /api/connections/:id/files/:fileName', expect: owningSupplier(200) },
  { procedure: 'connections.inventory', expect: owningSupplier(200) },
  { procedure: 'connections.categories', expect: owningSupplier(200) },
]

/** Served to everyone, and without anything to protect. */
const OPEN_ROUTES = /^\/(?:healthz|readyz|trpc(?:\/|$)|$|\*|assets\/|[\w.-]+\.[a-z0-9]+$)/

/** @throws when a procedure lacks a row, or a route is added without one */
export function checkPermissions(app: FastifyInstance): void {
  const known = new Set(permissions.map((row) => row.procedure))
  const missing = Object.keys(appRouter._def.procedures).filter((path) => !known.has(path))
  if (missing.length > 0) throw new Error(`No permission row for ${missing.join(', ')}`)
  const routes = new Set<string>(permissions.flatMap((row) => row.route ?? []))
  app.addHook('onRoute', ({ method, url }) => {
    for (const name of [method].flat()) {
      // HEAD goes where GET goes.
      const isKnown = name === 'HEAD' || routes.has(`${name} ${url}`) || OPEN_ROUTES.test(url)
      if (!isKnown) throw new Error(`No permission row for ${name} ${url}`)
    }
  })
}
