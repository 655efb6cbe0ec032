import { BACKUP_JOB } from '../../shared/constants'
import type { UserRecord } from '../features/accounts/users.queries'
import { ensureCronJobs } from '../features/cron-jobs/cron-jobs'
import { updateSupplier } from '../features/suppliers/suppliers'
import type { IdentityProvider } from '../identity/identity-provider'
import type { ActorKind } from './access-matrix/actors'
import { createCronTask } from './cron-tasks'
import {
  createAdmin,
  createLinkedRetailer,
  createSupplierConnection,
  createSupplierUser,
} from './factories'
import type { FeedServer } from './feed-server'
import { openTestApp, type Client, type TestApp } from './test-app'

/** Two suppliers that know nothing of each other, with what each of them has. */
export type World = {
  testApp: TestApp
  clients: Record<ActorKind, Client>
  supplier: UserRecord
  /** A supplier without a connection. */
  otherSupplier: UserRecord
  /** A supplier that was deactivated while it was signed in. */
  leaver: UserRecord
  /** Who each client is; for nobody, somebody. */
  userIds: Record<ActorKind, number>
  connectionId: number
  fileName: string
  retailer: { id: number; user: UserRecord }
  sourceUrl: string
}

const SAMPLE_CSV = 'sku,name,category,quantity\r\n1,Boot,Shoes,4\r\n2,Cap,Hats,0\r\n'

/** Sends everybody away, and nobody ever comes back. */
const identityProvider: IdentityProvider = {
  begin: () =>
    Promise.resolve({
      url: 'https://accounts.example/authorize',
      request: { state: 'state', nonce: 'nonce', codeVerifier: 'verifier' },
    }),
  verify: () => Promise.reject(new Error('Nobody comes back')),
}

/** Sets the stage for the access matrix: one published file and one client of every kind. */
export async function openWorld(
  feedServer: FeedServer,
  options: Parameters<typeof openTestApp>[2] = {},
): Promise<World> {
  feedServer.set('/inventory.csv', { body: SAMPLE_CSV })
  const sourceUrl = feedServer.url('/inventory.csv')
  const cronTasks = [createCronTask({ name: BACKUP_JOB })]
  const testApp = await openTestApp(
    { fetchAllow: [new URL(sourceUrl).host] },
    { identityProvider, cronTasks },
    options,
  )
  const { deps } = testApp
  await ensureCronJobs(deps)
  const supplier = await createSupplierUser(deps)
  const otherSupplier = await createSupplierUser(deps)
  const leaver = await createSupplierUser(deps)
  const connection = await createSupplierConnection(deps, supplier, sourceUrl)
  const retailer = await createLinkedRetailer(deps, supplier)
  const otherRetailer = await createLinkedRetailer(deps, otherSupplier)
  await deps.work()
  const admin = await createAdmin(deps)
  const clients: World['clients'] = {
    anonymous: testApp.client(),
    ownRetailer: await testApp.signIn(retailer.user),
    otherRetailer: await testApp.signIn(otherRetailer.user),
    owningSupplier: await testApp.signIn(supplier),
    otherSupplier: await testApp.signIn(otherSupplier),
    administrator: await testApp.signIn(admin),
    deactivated: await testApp.signIn(leaver),
  }
  await updateSupplier(deps, { id: leaver.id, isActive: false })
  const { body } = await clients.ownRetailer.request(
    'GET',
    `/api/retailers/${retailer.id}/latest-file`,
  )
  const { fileName } = body as { fileName: string }
  return {
    testApp,
    clients,
    supplier,
    otherSupplier,
    leaver,
    userIds: {
      anonymous: supplier.id,
      ownRetailer: retailer.user.id,
      otherRetailer: otherRetailer.user.id,
      owningSupplier: supplier.id,
      otherSupplier: otherSupplier.id,
      administrator: admin.id,
      deactivated: leaver.id,
    },
    connectionId: connection.id,
    fileName,
    retailer,
    sourceUrl,
  }
}
