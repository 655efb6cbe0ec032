import { isDeepStrictEqual } from 'node:util'

import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'

import type { Role } from '../../../shared/constants'
import { readChanges } from '../../db/change-topics'
import { inTransaction } from '../../db/open'
import type { ConnectionRow, RetailerChanges } from '../../db/schema'
import { recordTest } from '../../features/alerting/alerts/events'
import { insertNotifications } from '../../features/alerting/alerts/notifications.queries'
import { createFeedAddress } from '../../features/distribution/feed-addresses/feed-addresses'
import {
  findRetailer,
  updateRetailerRow,
} from '../../features/distribution/retailers/retailers.queries'
import { isSignedIn, listSignInTopics, type Listener } from '../../features/operations/live/live'
import { readItems } from '../../features/operations/live/shown-items'
import { findActing } from '../../features/people/accounts/signed-in'
import { restoreSnapshot, takeSnapshot, type Snapshot } from '../fixtures/snapshot'
import { startSourceServer, type SourceServer } from '../servers/source-server'
import { mutationCalls, prepareCall } from '../stages/mutation-calls'
import type { TestDeps } from '../stages/test-deps'
import { openWorld, type World } from '../stages/world'

const NOTHING_SENT = { items: new Map(), readAt: Number.MAX_SAFE_INTEGER }

let sourceServer: SourceServer
let world: World
let deps: TestDeps
let pristine: Snapshot

beforeAll(async () => {
  sourceServer = await startSourceServer()
  world = await openWorld(sourceServer)
  ;({ deps } = world.testApp)
  pristine = await takeSnapshot(deps.db)
})
afterEach(async () => {
  await deps.queue.idle()
  await restoreSnapshot(deps.db, pristine)
})
afterAll(async () => {
  await world.testApp.close()
  await sourceServer.close()
})

/** Everybody who has a session. */
async function listListeners(): Promise<Listener[]> {
  const sessions = await deps.db.selectFrom('sessions').select(['idHash', 'userId']).execute()
  const found = sessions.map(async ({ idHash: sessionHash }) => {
    const known = await deps.signedIn.find(sessionHash)
    const actor = findActing(known, known?.user?.sessionEpoch ?? 0, deps.clock.now())
    return actor ? [{ actor, sessionHash }] : []
  })
  return (await Promise.all(found)).flat()
}

const readWindow = async (listener: Listener) => ({
  isOpen: await isSignedIn(deps, listener),
  ...(await readItems(deps, listener.actor, NOTHING_SENT)),
})

/** Everybody's window before and after `act`, and the topics of what changed. */
async function observe(act: () => Promise<unknown>) {
  const listeners = await listListeners()
  // First, so that no change lies between the mark and the windows.
  const { mark } = await readChanges(deps.db, undefined)
  const before = await Promise.all(listeners.map(readWindow))
  await act()
  await deps.queue.idle()
  const changed = new Set((await readChanges(deps.db, mark)).topics)
  const windows = listeners.map(async (listener, index) => {
    const [one, other] = [before[index]!, await readWindow(listener)]
    const own = one.topics === 'all' ? changed : [...one.topics, ...listSignInTopics(listener)]
    return {
      role: listener.actor.role,
      hasChanged: !isDeepStrictEqual([one.isOpen, one.items], [other.isOpen, other.items]),
      isConcerned: [...own].some((topic) => changed.has(topic)),
    }
  })
  return Promise.all(windows)
}

const change = (changes: Partial<ConnectionRow>) =>
  deps.db.updateTable('connections').set(changes).where('id', '=', world.connectionId).execute()

const changeRetailer = (changes: RetailerChanges) =>
  inTransaction(deps.db, async (trx) => {
    const retailer = await findRetailer(trx, world.retailer.id, {})
    await updateRetailerRow(trx, retailer!, changes)
  })

let feedPath = ''
const retailerPath = () => `/api/retailers/${world.retailer.id}`

/** What changes windows without a mutation: what comes first, the change, and whose windows. */
const OTHERS: [string, () => Promise<unknown>, () => Promise<unknown>, Role[]][] = [
  [
    'a sync that brings a new file',
    () => change({ nextSyncAt: deps.clock.now() }),
    async () => {
      sourceServer.set('/inventory.csv', {
        body: 'sku,name,category,quantity\r\n1,Boot,Shoes,5\r\n',
      })
      await deps.work()
    },
    ['RETAILER', 'SUPPLIER', 'SUPER_ADMIN'],
  ],
  [
    'the progress of a sync',
    async () => {
      await change({ leaseToken: 'run', leaseUntil: deps.clock.now() + 1, isRunning: true })
      const run = { connectionId: world.connectionId, leaseToken: 'run', startedAt: 1 }
      await deps.db.insertInto('syncRuns').values(run).execute()
    },
    () =>
      deps.db
        .updateTable('syncRuns')
        .set({ rowCount: 5 })
        .where('leaseToken', '=', 'run')
        .execute(),
    ['SUPPLIER', 'SUPER_ADMIN'],
  ],
  [
    'a download',
    async () => undefined,
    async () => {
      await world.clients.ownRetailer.request('GET', `${retailerPath()}/files/${world.fileName}`)
      await deps.pulls.flush()
    },
    ['RETAILER'],
  ],
  [
    'the first read of a shop',
    async () => {
      const { path } = await createFeedAddress(deps, world.retailer.user, world.retailer.id)
      feedPath = path
      await deps.db.deleteFrom('retailerPulls').execute()
    },
    async () => {
      await world.clients.anonymous.request('GET', feedPath)
      await deps.pulls.flush()
    },
    ['RETAILER', 'SUPPLIER'],
  ],
  [
    'a filtered file that is made',
    () => changeRetailer({ isAllProducts: false, categories: ['Shoes'] }),
    () => world.clients.ownRetailer.request('GET', `${retailerPath()}/latest-file`),
    ['RETAILER'],
  ],
  [
    'other categories of a retailer',
    async () => undefined,
    () => changeRetailer({ isAllProducts: false, categories: ['Shoes'] }),
    ['RETAILER'],
  ],
  [
    'the end of a feed address',
    async () => {
      const address = { retailerId: world.retailer.id, tokenHash: 'a', tokenEnd: 'a', createdAt: 1 }
      await deps.db.insertInto('feedAddresses').values(address).execute()
    },
    () => deps.db.updateTable('feedAddresses').set({ expiresAt: 2 }).execute(),
    ['RETAILER'],
  ],
  [
    'a read that a feed address refuses',
    async () => {
      const address = { retailerId: world.retailer.id, tokenHash: 'b', tokenEnd: 'b', createdAt: 1 }
      await deps.db.insertInto('feedAddresses').values(address).execute()
      await deps.db.deleteFrom('retailerPulls').execute()
    },
    () => deps.db.updateTable('feedAddresses').set({ refusedAt: 2 }).execute(),
    ['RETAILER', 'SUPPLIER'],
  ],
  [
    'the end of a connection',
    () => changeRetailer({ currentVersionId: null, currentSince: null }),
    () => deps.db.deleteFrom('connections').where('id', '=', world.connectionId).execute(),
    ['RETAILER', 'SUPPLIER'],
  ],
  [
    'the deactivation of a user',
    async () => undefined,
    () =>
      deps.db
        .updateTable('users')
        .set({ isActive: false })
        .where('id', '=', world.supplier.id)
        .execute(),
    ['SUPPLIER'],
  ],
  [
    'a step of a job',
    async () => {
      const held = { isRunning: true, leaseToken: 'run', leaseUntil: deps.clock.now() + 1 }
      await deps.db.updateTable('cronJobs').set(held).execute()
      const run = { jobName: 'backup', isRequested: false, startedAt: 1 }
      await deps.db.insertInto('cronJobRuns').values(run).execute()
    },
    () => deps.db.updateTable('cronJobRuns').set({ step: 'Copying' }).execute(),
    ['SUPER_ADMIN'],
  ],
  [
    'a notification',
    async () => undefined,
    () =>
      inTransaction(deps.db, async (trx) => {
        const eventId = await recordTest(trx, deps.clock.now())
        await insertNotifications(trx, eventId, [world.supplier.id])
      }),
    ['SUPPLIER'],
  ],
]

const calls = mutationCalls.filter(({ transport }) => transport === 'tRPC')

describe('every change that a window shows', () => {
  it.each(calls)('is recorded under a topic of that window: $name', async (call) => {
    const windows = await observe(await prepareCall(world, call))
    const missed = windows.filter(({ hasChanged, isConcerned }) => hasChanged && !isConcerned)
    expect(missed).toEqual([])
  })

  it.each(OTHERS)(
    'is recorded under a topic of that window: %s',
    async (_what, prepare, act, roles) => {
      await prepare()
      const changed = (await observe(act)).filter(({ hasChanged }) => hasChanged)
      expect(new Set(changed.map(({ role }) => role))).toEqual(new Set(roles))
      expect(changed.filter(({ isConcerned }) => !isConcerned)).toEqual([])
    },
  )

  it('is made by many of the calls', async () => {
    let count = 0
    for (const call of calls) {
      const windows = await observe(await prepareCall(world, call))
      if (windows.some(({ hasChanged }) => hasChanged)) count += 1
      await restoreSnapshot(deps.db, pristine)
    }
    expect(count).toBeGreaterThan(15)
  })
})
