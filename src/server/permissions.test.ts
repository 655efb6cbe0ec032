import type { AnyProcedure } from '@trpc/server'
import type { FastifyInstance } from 'fastify'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'

import { BACKUP_JOB } from '../shared/constants'
import { ACTORS, permissions, type ActorKind, type PermissionRow } from './permissions'
import { createRetailerUser, PASSWORD } from './testing/factories'
import { startFeedServer, type FeedServer } from './testing/feed-server'
import { openLiveStream, type StreamError } from './testing/live-stream'
import { putBackup } from './testing/stock'
import type { Client } from './testing/test-app'
import { openWorld, type World } from './testing/world'
import { appRouter } from './trpc/router'

/** What a row's call says: the ids in its path, and the rest of its input. */
type Sample = { params?: Record<string, number | string>; body?: Record<string, unknown> }
type Sampler = (world: World, actor: ActorKind) => Sample | Promise<Sample>

const account = { username: 'newcomer', password: PASSWORD, contactEmail: 'new@example.com' }
const connectionSettings = { name: 'Feed', type: 'URL', fileFormat: 'CSV', syncFrequency: 60 }
const ofRetailer: Sampler = ({ retailer }) => ({ params: { id: retailer.id } })
const ofConnection: Sampler = ({ connectionId }) => ({ params: { id: connectionId } })
const ofBackupJob: Sampler = () => ({ params: { name: BACKUP_JOB } })
const store = { storeName: 'Renamed' }

const samples: Record<string, Sampler> = {
  'app.info': () => ({}),
  'GET /api/user': () => ({}),
  'session.current': () => ({}),
  'POST /api/login with the right password': (world, actor) => ({
    body: {
      username: actor === 'DE' ? world.leaver.username : world.supplier.username,
      password: PASSWORD,
    },
  }),
  'POST /api/register as SUPPLIER': () => ({
    body: { ...account, companyName: 'New', role: 'SUPPLIER' },
  }),
  'POST /api/register as RETAILER': () => ({ body: { ...account, role: 'RETAILER' } }),
  'POST /api/register as SUPER_ADMIN': () => ({ body: { ...account, role: 'SUPER_ADMIN' } }),
  'GET /api/auth/google/start': () => ({}),
  'GET /api/auth/google/callback that nobody began': () => ({}),
  'POST /api/auth/google with its body alone': ({ supplier }) => ({
    body: { uid: 'subject', email: supplier.contactEmail, role: 'SUPPLIER', maxRetailers: 10 },
  }),
  'POST /api/logout': () => ({}),
  'POST /api/admin/reset-password': () => ({
    body: { currentPassword: PASSWORD, newPassword: 'another horse' },
  }),
  'GET /api/suppliers': () => ({}),
  'suppliers.page': () => ({ body: { q: 'acme' } }),
  'POST /api/suppliers': () => ({ body: { ...account, companyName: 'New' } }),
  'PATCH /api/suppliers/:id': ({ otherSupplier }) => ({
    params: { id: otherSupplier.id },
    body: { maxRetailers: 3 },
  }),
  'PATCH /api/suppliers/:id of one who is no supplier': ({ retailer }) => ({
    params: { id: retailer.user.id },
    body: { maxRetailers: 3 },
  }),
  'GET /api/retailers': () => ({}),
  'retailers.page': () => ({ body: { sort: '-storeName' } }),
  'retailers.get': ofRetailer,
  'POST /api/retailers': async ({ testApp, supplier, otherSupplier }, actor) => {
    const registeredBy = actor === 'SX' ? otherSupplier : supplier
    const user = await createRetailerUser(testApp.deps, registeredBy)
    return {
      body: { userId: user.id, ...store, ...(actor === 'AD' && { supplierId: supplier.id }) },
    }
  },
  'POST /api/retailers with a foreign login': async (world, actor) => {
    const { deps } = world.testApp
    const registeredBy = actor === 'SO' ? world.otherSupplier : world.supplier
    const user = await createRetailerUser(deps, registeredBy)
    const supplierId = actor === 'AD' ? { supplierId: world.otherSupplier.id } : {}
    return { body: { userId: user.id, ...store, ...supplierId } }
  },
  'PATCH /api/retailers/:id': ({ retailer }) => ({
    params: { id: retailer.id },
    body: { syncFrequency: 60, visibilitySettings: { allProducts: false, categories: ['Hats'] } },
  }),
  'PATCH /api/retailers/:id/basic-info': ({ retailer }) => ({
    params: { id: retailer.id },
    body: store,
  }),
  'PATCH /api/retailers/:id/store-info': ({ retailer }) => ({
    params: { id: retailer.id },
    body: store,
  }),
  'PATCH /api/retailers/:id/delivery-preferences': ({ retailer }) => ({
    params: { id: retailer.id },
    body: { connectionType: 'URL', fileFormat: 'CSV' },
  }),
  'GET /api/retailers/:id/latest-file': ofRetailer,
  'GET /api/retailers/:id/files/:fileName': ({ retailer, fileName }) => ({
    params: { id: retailer.id, fileName },
  }),
  'retailers.inventory': ofRetailer,
  'DELETE /api/retailers/:id': ofRetailer,
  'GET /api/users/:userId of a retailer': ({ retailer }) => ({
    params: { userId: retailer.user.id },
  }),
  'PATCH /api/users/:userId/reset-password of a retailer': ({ retailer }) => ({
    params: { userId: retailer.user.id },
    body: { newPassword: 'another horse' },
  }),
  'PATCH /api/users/:userId/reset-password of the caller itself': (world, actor) => ({
    params: { userId: world.userIds[actor] },
    body: { newPassword: 'another horse' },
  }),
  'GET /api/connections': () => ({}),
  'POST /api/connections for the first supplier': async ({ testApp, supplier, sourceUrl }) => {
    await testApp.deps.db.deleteFrom('connections').execute()
    return { body: { ...connectionSettings, config: { url: sourceUrl }, supplierId: supplier.id } }
  },
  'PATCH /api/connections/:id': ({ connectionId }) => ({
    params: { id: connectionId },
    body: { name: 'Renamed' },
  }),
  'POST /api/connections/:id/sync': ofConnection,
  'POST /api/connections/:id/cancel': ofConnection,
  'GET /api/connections/:id/runs': ofConnection,
  'POST /api/connections/preview': ({ sourceUrl }) => ({ body: { url: sourceUrl } }),
  'GET /api/connections/:id/files': ofConnection,
  'GET /api/connections/:id/files/:fileName': ({ connectionId, fileName }) => ({
    params: { id: connectionId, fileName },
  }),
  'connections.inventory': ofConnection,
  'live.changes': () => ({}),
  'connections.findings': ofConnection,
  'connections.categories': ofConnection,
  'GET /api/admin/cron-jobs': () => ({}),
  'cronJobs.runs': ofBackupJob,
  'DELETE /api/admin/cron-jobs/:name': ofBackupJob,
  'GET /api/admin/backup-files': () => ({}),
  'GET /api/admin/backup-files/:fileName': async ({ testApp }) => ({
    params: { fileName: `${(await putBackup(testApp.deps)).name}.tar` },
  }),
  'cronJobs.restore': () => ({}),
  'cronJobs.runNow': ofBackupJob,
  'cronJobs.setActive': () => ({ body: { name: BACKUP_JOB, isActive: false } }),
  'POST /api/admin/trigger-backup': () => ({}),
}

const nameOf = (row: PermissionRow) =>
  [row.route ?? row.procedure, row.when].filter(Boolean).join(' ')

describe('the permission table', () => {
  let feedServer: FeedServer

  beforeAll(async () => {
    feedServer = await startFeedServer()
  })

  afterAll(() => feedServer.close())

  async function inWorld(check: (world: World) => Promise<void>) {
    const world = await openWorld(feedServer)
    try {
      await check(world)
    } finally {
      await world.testApp.close()
    }
  }

  for (const row of permissions) {
    const name = nameOf(row)
    const sampler = samples[name]
    for (const actor of ACTORS) {
      const status = row.expect[actor]
      if (row.route) {
        it(`answers ${status} to ${actor} at the REST door: ${name}`, () =>
          inWorld(async (world) => {
            const sample = await sampler!(world, actor)
            const answer = await callRest(world, actor, row.route!, sample)
            expect(answer.status, answer.text).toBe(status)
          }))
      }
      if (row.procedure) {
        it(`answers ${status} to ${actor} at the tRPC door: ${name}`, () =>
          inWorld(async (world) => {
            const sample = await sampler!(world, actor)
            const answer = await callTrpc(world, actor, row.procedure!, sample)
            expect(answer.status, answer.text).toBe(status < 300 ? 200 : status)
          }))
      }
    }
  }
})

function callRest(
  { clients }: World,
  actor: ActorKind,
  route: string,
  { params = {}, body }: Sample,
) {
  const [method = '', path = ''] = route.split(' ')
  const url = path.replaceAll(/:(\w+)/g, (_, name: string) => String(params[name]))
  return clients[actor].request(method, url, body)
}

async function callTrpc(
  { clients, testApp }: World,
  actor: ActorKind,
  procedure: string,
  { params, body }: Sample,
) {
  const procedures = appRouter._def.procedures as unknown as Record<string, AnyProcedure>
  const kind = procedures[procedure]?._def.type ?? 'query'
  if (kind === 'subscription') return listenOnce(testApp.app, clients[actor])
  const input = params || body ? { ...params, ...body } : undefined
  return clients[actor].call(kind, procedure, input)
}

/** A stream always begins with 200: its first event is what was asked for, or the refusal. */
async function listenOnce(app: FastifyInstance, client: Client) {
  const stream = await openLiveStream(app, client)
  try {
    await stream.next()
    return { status: 200, text: '' }
  } catch (error) {
    const { data, message } = error as StreamError
    return { status: data.httpStatus, text: message }
  } finally {
    stream.close()
  }
}
