import { BACKUP_JOB, DRILL_JOB } from '../../../shared/constants'
import { ensureCronJobs } from '../../features/operations/cron-jobs/cron-jobs'
import { updateSupplier } from '../../features/operations/suppliers/suppliers'
import type { UserRecord } from '../../features/people/accounts/users.queries'
import type { IdentityProvider } from '../../identity/identity-provider'
import type { Mailer } from '../../mail/mailer'
import { createCronTask } from '../fixtures/cron-tasks'
import {
  createAdmin,
  createLinkedRetailer,
  createSupplierConnection,
  createSupplierUser,
} from '../fixtures/factories'
import { mapValues } from '../fixtures/map-values'
import { saveDatabase, saveFiles, type SavedState } from '../fixtures/saved-state'
import { TEST_SFTP } from '../fixtures/sftp-settings'
import type { SourceServer } from '../servers/source-server'
import type { ActorKind } from '../suites/access-matrix/actors'
import { openTestApp, type Client, type TestApp } from './test-app'

/** Two unrelated suppliers with a retailer each, and an administrator. */
export type World = {
  testApp: TestApp
  clients: Record<ActorKind, Client>
  supplier: UserRecord
  /** A supplier without a connection. */
  otherSupplier: UserRecord
  /** A supplier that was deactivated while it was signed in. */
  leaver: UserRecord
  /** The user id of each client; for the anonymous one, an existing user's. */
  userIds: Record<ActorKind, number>
  connectionId: number
  fileName: string
  retailer: { id: number; user: UserRecord }
  sourceUrl: string
}

const SAMPLE_CSV = 'sku,name,category,quantity\r\n1,Boot,Shoes,4\r\n2,Cap,Hats,0\r\n'

/** Redirects to a provider, and accepts nobody who returns. */
const identityProvider: IdentityProvider = {
  begin: () =>
    Promise.resolve({
      url: 'https://accounts.example/authorize',
      request: { state: 'state', nonce: 'nonce', codeVerifier: 'verifier' },
    }),
  verify: () => Promise.reject(new Error('No sign-in can be completed')),
}

/** Takes every mail. */
const mail: Mailer = {
  send: async () => undefined,
  check: async () => undefined,
  close: () => undefined,
}

/** A stored world that can be opened any number of times. */
type SavedWorld = Omit<World, 'testApp' | 'clients'> & {
  state: SavedState
  cookies: Record<ActorKind, string | undefined>
}

/** With which mails are sent to the world. */
export const MAIL_SECRET = `whsec_${Buffer.alloc(24, 3).toString('base64')}`

type AppOptions = Parameters<typeof openTestApp>[2]
type Parts = Parameters<typeof openTestApp>[1]

const firstWorlds = new WeakMap<SourceServer, Promise<SavedWorld>>()

/**
 * Opens a world with one published file and one client of every kind. The first world of a file
 * server is created through the product; the others are copies of it.
 */
export async function openWorld(
  sourceServer: SourceServer,
  options?: AppOptions,
  parts?: Parts,
): Promise<World> {
  sourceServer.set('/inventory.csv', { body: SAMPLE_CSV })
  const saved = firstWorlds.get(sourceServer) ?? makeWorld(sourceServer.url('/inventory.csv'))
  firstWorlds.set(sourceServer, saved)
  return openSavedWorld(await saved, options, parts)
}

export async function openSavedWorld(
  saved: SavedWorld,
  options?: AppOptions,
  parts?: Parts,
): Promise<World> {
  const { state, cookies, ...rest } = saved
  const testApp = await openWorldApp(saved.sourceUrl, { ...parts, state }, options)
  const clients = mapValues(cookies, (cookie) => testApp.client(cookie))
  return { testApp, clients, ...rest }
}

/** Saves the stored state of a world. */
export async function saveWorld({ testApp, clients, ...rest }: World): Promise<SavedWorld> {
  const { db, config } = testApp.deps
  const state = { database: await saveDatabase(db), files: await saveFiles(config.filesDir) }
  return { state, cookies: mapValues(clients, ({ cookie }) => cookie), ...rest }
}

function openWorldApp(sourceUrl: string, parts: Parts, options?: AppOptions) {
  const cronTasks = [BACKUP_JOB, DRILL_JOB].map((name) => createCronTask({ name }))
  const overrides = {
    fetchAllow: [new URL(sourceUrl).host],
    sftp: TEST_SFTP,
    mailInboxDomain: 'in.example.com',
    mailInboxSecret: MAIL_SECRET,
  }
  return openTestApp(overrides, { identityProvider, mail, cronTasks, ...parts }, options)
}

async function makeWorld(sourceUrl: string): Promise<SavedWorld> {
  const testApp = await openWorldApp(sourceUrl, {})
  try {
    return await saveWorld(await populate(testApp, sourceUrl))
  } finally {
    await testApp.close()
  }
}

async function populate(testApp: TestApp, sourceUrl: string): Promise<World> {
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
