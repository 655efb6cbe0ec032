import { BACKUP_JOB } from '../../shared/constants'
import { createFeedAddress } from '../features/distribution/feed-addresses/feed-addresses'
import type { ActorKind } from './access-matrix/actors'
import type { MatrixRow } from './access-matrix/matrix'
import { alertSamplers } from './alert-samples'
import { createLinkedRetailer, createRetailerUser, PASSWORD } from './factories'
import type { Sample, Sampler } from './sampler'
import { putBackup, putHeldVersion } from './stock'
import type { World } from './world'

const account = { username: 'newcomer', password: PASSWORD, contactEmail: 'new@example.com' }
const listedRetailer = {
  username: 'newcomer',
  contactEmail: 'new@example.com',
  storeName: 'New Shop',
  categories: [],
}
const connectionSettings = { name: 'Feed', type: 'URL', fileFormat: 'CSV', syncFrequency: 60 }
const ofRetailer: Sampler = ({ retailer }) => ({ params: { id: retailer.id } })
const ofSupplier: Sampler = ({ supplier }) => ({ params: { id: supplier.id } })
const ofRetailerUser: Sampler = ({ retailer }) => ({ params: { id: retailer.user.id } })
const ofConnection: Sampler = ({ connectionId }) => ({ params: { id: connectionId } })
const ofFeed: Sampler = async ({ testApp, retailer }) => {
  const { path } = await createFeedAddress(testApp.deps, retailer.user, retailer.id)
  return { params: { token: path.split('/')[2] ?? '' } }
}
const ofHeldVersion = async ({ testApp, connectionId }: World) => ({
  body: { id: connectionId, versionId: await putHeldVersion(testApp.deps, connectionId) },
})
const ofTwoVersions = async ({ testApp, connectionId }: World) => {
  const versionId = await putHeldVersion(testApp.deps, connectionId)
  return { body: { id: connectionId, olderId: versionId, newerId: versionId } }
}
const ofGuard: Sampler = ({ connectionId }) => ({
  body: { id: connectionId, guard: { minRowsPercent: 40 } },
})
const ofBackupJob: Sampler = () => ({ params: { name: BACKUP_JOB } })
const profile = {
  companyName: 'Acme Tools Ltd',
  publicEmail: 'help@acme.example',
  publicPhone: '+44 20 7946 0000',
  publicWebsite: 'acme.example',
}
const store = { storeName: 'Renamed' }

const samplers: Record<string, Sampler> = {
  'GET /healthz': () => ({}),
  'GET /healthz/scheduler': () => ({}),
  'GET /readyz': () => ({}),
  'GET /': () => ({}),
  'GET /:file': () => ({ params: { file: 'favicon.svg' } }),
  'GET /assets/:file': () => ({ params: { file: 'app-1a2b.js' } }),
  'GET /* for a page': () => ({ params: { '*': 'supplier/retailers' } }),
  'GET /* for a call that does not exist': () => ({ params: { '*': 'api/nothing' } }),
  'ANY /trpc/:path for a procedure that does not exist': () => ({ params: { path: 'no.such' } }),
  'app.info': () => ({}),
  'GET /api/user': () => ({}),
  'session.current': () => ({}),
  'session.hasPassword': () => ({}),
  'POST /api/login with the right password': (world, actor) => ({
    body: {
      username: actor === 'deactivated' ? world.leaver.username : world.supplier.username,
      password: PASSWORD,
    },
  }),
  'POST /api/register as SUPPLIER': () => ({
    body: { ...account, companyName: 'New', role: 'SUPPLIER' },
  }),
  'POST /api/register as RETAILER': () => ({ body: { ...account, role: 'RETAILER' } }),
  'POST /api/register as SUPER_ADMIN': () => ({ body: { ...account, role: 'SUPER_ADMIN' } }),
  'GET /api/auth/google/start': () => ({}),
  'GET /api/auth/google/callback for a sign-in that was not started': () => ({}),
  'POST /api/auth/google with only a request body': ({ supplier }) => ({
    body: { uid: 'subject', email: supplier.contactEmail, role: 'SUPPLIER', maxRetailers: 10 },
  }),
  'POST /api/logout': () => ({}),
  'POST /api/admin/reset-password': () => ({
    body: { currentPassword: PASSWORD, newPassword: 'another horse' },
  }),
  'GET /api/suppliers': () => ({}),
  'suppliers.page': () => ({ body: { q: 'acme' } }),
  'suppliers.get': ofSupplier,
  'suppliers.get of a user who is not a supplier': ofRetailerUser,
  'suppliers.retailers': ofSupplier,
  'suppliers.retailers of a user who is not a supplier': ofRetailerUser,
  'POST /api/suppliers': () => ({ body: { ...account, companyName: 'New' } }),
  'PATCH /api/suppliers/:id': ({ otherSupplier }) => ({
    params: { id: otherSupplier.id },
    body: { maxRetailers: 3 },
  }),
  'PATCH /api/suppliers/:id of a user who is not a supplier': ({ retailer }) => ({
    params: { id: retailer.user.id },
    body: { maxRetailers: 3 },
  }),
  'suppliers.profile': () => ({}),
  'suppliers.updateProfile': () => ({ body: profile }),
  'GET /api/retailers': () => ({}),
  'retailers.own': () => ({}),
  'retailers.supplier': () => ({}),
  'retailers.page': () => ({ body: { sort: '-storeName' } }),
  'retailers.get': ofRetailer,
  'POST /api/retailers': async ({ testApp, supplier, otherSupplier }, actor) => {
    const registeredBy = actor === 'otherSupplier' ? otherSupplier : supplier
    const user = await createRetailerUser(testApp.deps, registeredBy)
    return {
      body: {
        userId: user.id,
        ...store,
        ...(actor === 'administrator' && { supplierId: supplier.id }),
      },
    }
  },
  'POST /api/retailers with a login of another supplier': async (world, actor) => {
    const { deps } = world.testApp
    const registeredBy = actor === 'owningSupplier' ? world.otherSupplier : world.supplier
    const user = await createRetailerUser(deps, registeredBy)
    const supplierId = actor === 'administrator' ? { supplierId: world.otherSupplier.id } : {}
    return { body: { userId: user.id, ...store, ...supplierId } }
  },
  'suppliers.checkRetailers': () => ({ body: { retailers: [listedRetailer] } }),
  'suppliers.addRetailers': () => ({
    body: { retailers: [{ ...listedRetailer, password: PASSWORD }] },
  }),
  'PATCH /api/retailers/:id': ({ retailer }) => ({
    params: { id: retailer.id },
    body: { syncFrequency: 60, visibilitySettings: { allProducts: false, categories: ['Hats'] } },
  }),
  'retailers.updateSeveral': ({ retailer }) => ({
    body: { ids: [retailer.id], syncFrequency: 60 },
  }),
  'retailers.updateSeveral with one of another supplier': async (world) => {
    const otherSupplier = { ...world.otherSupplier, maxRetailers: 1_000 }
    const other = await createLinkedRetailer(world.testApp.deps, otherSupplier)
    return { body: { ids: [world.retailer.id, other.id], syncFrequency: 60 } }
  },
  'retailers.usage': ({ retailer }) => ({ body: { ids: [retailer.id] } }),
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
  'retailers.downloads': ofRetailer,
  'GET /api/retailers/:id/feed-addresses': ofRetailer,
  'POST /api/retailers/:id/feed-addresses': ofRetailer,
  'DELETE /api/retailers/:id/feed-addresses': ofRetailer,
  'profiles.get': ofRetailer,
  'profiles.save': ({ retailer }) => ({ body: { id: retailer.id, profile: { kind: 'stock' } } }),
  'profiles.preview': ({ retailer }) => ({ body: { id: retailer.id, profile: {} } }),
  'columnPolicy.get': ofConnection,
  'columnPolicy.save': ({ connectionId }) => ({
    body: { id: connectionId, policy: { hidden: ['cost'] } },
  }),
  'columnPolicy.stockTexts': ({ connectionId }) => ({
    body: { id: connectionId, column: 'stock' },
  }),
  'timeline.page': ofConnection,
  'timeline.figures': ofConnection,
  'publishing.versions': ofConnection,
  'publishing.publish': ofHeldVersion,
  'publishing.discard': ofHeldVersion,
  'publishing.pin': async (world) => ({
    body: { ...(await ofHeldVersion(world)).body, isPinned: true },
  }),
  'publishing.guard': ofConnection,
  'publishing.tryGuard': ofGuard,
  'publishing.saveGuard': ofGuard,
  'differences.compare': ofTwoVersions,
  'GET /feeds/:token/inventory.csv with a token': ofFeed,
  'GET /feeds/:token/inventory.txt with a token': ofFeed,
  'GET /feeds/:token/products.csv with a token': ofFeed,
  'GET /feeds/:token/inventory.csv with a wrong token': () => ({
    params: { token: 'a'.repeat(43) },
  }),
  'retailers.changes': ofRetailer,
  'retailers.rows': ({ retailer, fileName }) => ({
    body: { id: retailer.id, fileName, q: 'hats' },
  }),
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
  'connections.list': () => ({}),
  'POST /api/connections for the first supplier': async (world, actor) => {
    const { testApp, supplier, sourceUrl } = world
    // Only allowed calls need room for a connection: a supplier has at most one.
    const mayCreate = actor === 'owningSupplier' || actor === 'administrator'
    if (mayCreate) await testApp.deps.db.deleteFrom('connections').execute()
    return { body: { ...connectionSettings, config: { url: sourceUrl }, supplierId: supplier.id } }
  },
  'PATCH /api/connections/:id': ({ connectionId }) => ({
    params: { id: connectionId },
    body: { name: 'Renamed' },
  }),
  'POST /api/connections/:id/sync': ofConnection,
  'POST /api/connections/:id/cancel': ofConnection,
  'GET /api/connections/:id/runs': ofConnection,
  'POST /api/connections/preview': ({ sourceUrl }) => ({
    body: { url: sourceUrl, reading: { delimiter: ',' } },
  }),
  'GET /api/connections/:id/files': ofConnection,
  'GET /api/connections/:id/files/:fileName': ({ connectionId, fileName }) => ({
    params: { id: connectionId, fileName },
  }),
  'GET /api/connections/:id/files/:fileName/changes-from/:olderFileName': ({
    connectionId,
    fileName,
  }) => ({ params: { id: connectionId, fileName, olderFileName: fileName } }),
  'connections.inventory': ofConnection,
  'connections.rows': ({ connectionId, fileName }) => ({ body: { id: connectionId, fileName } }),
  'live.changes': () => ({}),
  'connections.findings': ofConnection,
  'categories.overview': ofConnection,
  'categories.level': ({ connectionId, fileName }) => ({
    body: { id: connectionId, fileName, under: null, offset: 0 },
  }),
  'categories.search': ({ connectionId, fileName }) => ({
    body: { id: connectionId, fileName, q: 'hats' },
  }),
  'categories.choice': ({ connectionId, fileName }) => ({
    body: { id: connectionId, fileName, categories: ['Hats', 'Skis'] },
  }),
  'GET /api/admin/cron-jobs': () => ({}),
  'cronJobs.runs': ofBackupJob,
  'DELETE /api/admin/cron-jobs/:name': ofBackupJob,
  'GET /api/admin/backup-files': () => ({}),
  'GET /api/admin/backup-files/:fileName': async ({ testApp: { deps } }) => {
    const [known] = await deps.backups.list()
    const { name } = known ?? (await putBackup(deps))
    return { params: { fileName: `${name}.tar` } }
  },
  'cronJobs.restore': () => ({}),
  'cronJobs.runNow': ofBackupJob,
  'cronJobs.setActive': () => ({ body: { name: BACKUP_JOB, isActive: false } }),
  'POST /api/admin/trigger-backup': () => ({}),
  'audit.page': () => ({ body: { noun: 'retailer' } }),
  'GET /api/admin/audit.csv': () => ({}),
  'viewings.begin': ({ supplier }) => ({ body: { userId: supplier.id } }),
  'viewings.begin of an administrator': ({ userIds }) => ({
    body: { userId: userIds.administrator },
  }),
  'viewings.stop': () => ({}),
  'operations.overview': () => ({}),
  'operations.storage': () => ({}),
  'operations.syncs': () => ({}),
  'GET /api/openapi.json': () => ({}),
  ...alertSamplers,
}

/** The name of a row of the access matrix. */
export const nameOf = (row: MatrixRow) =>
  [row.route ?? row.procedure, row.when].filter(Boolean).join(' ')

/** The input for a row's call by this caller. */
export async function makeSample(row: MatrixRow, world: World, actor: ActorKind): Promise<Sample> {
  const sampler = samplers[nameOf(row)]
  if (!sampler) throw new Error(`There is no sample for ${nameOf(row)}`)
  return sampler(world, actor)
}
