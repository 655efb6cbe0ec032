import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'

import { definitionOf, procedurePaths, type ProcedurePath } from '../trpc/procedures'
import { ACTORS, type ActorKind } from './access-matrix/actors'
import { PASSWORD } from './factories'
import { startFeedServer, type FeedServer } from './feed-server'
import { makeSample, nameOf } from './samples'
import { restoreSnapshot, takeSnapshot, type Snapshot } from './snapshot'
import { callOver, matrixCalls, typeOf, type MatrixCall } from './transports'
import { openWorld, type World } from './world'

/** Mutations without an entry, and why. */
const EXEMPT: Partial<Record<ProcedurePath, string>> = {
  'connections.previewSource': 'changes nothing: it reads a source',
  'categories.choice': 'changes nothing: its input is too long for a URL',
  'alerts.markRead': 'keeps only what the user has seen',
  'suppliers.checkRetailers': 'changes nothing: its input is too long for a URL',
}
/** Needs a sign-in at an identity provider: google-accounts.test.ts. */
const UNCALLABLE: ProcedurePath[] = ['session.google']

/** What has to be done first, so that a call has something to change. */
const PREPARATIONS: Partial<Record<ProcedurePath, (world: World) => Promise<unknown>>> = {
  'connections.cancelSync': ({ clients, connectionId: id }) =>
    clients.owningSupplier.call('mutation', 'connections.sync', { id }),
  'retailers.updateDeliveryPreferences': ({ testApp }) =>
    testApp.deps.db.updateTable('retailers').set({ fileFormat: 'XML' }).execute(),
  'viewings.stop': ({ clients, supplier }) =>
    clients.administrator.call('mutation', 'viewings.begin', { userId: supplier.id }),
  'cronJobs.restore': ({ clients }) =>
    clients.administrator.call('mutation', 'cronJobs.delete', { name: 'backup' }),
}

/** Callers without whom a call changes nothing. */
const CALLERS: Partial<Record<ProcedurePath, ActorKind>> = {
  'session.logout': 'owningSupplier',
  'viewings.stop': 'administrator',
}

let feedServer: FeedServer
let world: World
let pristine: Snapshot

beforeAll(async () => {
  feedServer = await startFeedServer()
  world = await openWorld(feedServer)
  pristine = await takeSnapshot(world.testApp.deps.db)
})
afterEach(async () => {
  const { deps } = world.testApp
  await deps.queue.idle()
  await restoreSnapshot(deps.db, pristine)
})
afterAll(async () => {
  await world.testApp.close()
  await feedServer.close()
})

const mutations = matrixCalls.flatMap((call) => {
  const first = ACTORS.find((kind) => call.row.expect[kind] < 300)
  const actor = (call.row.procedure && CALLERS[call.row.procedure]) ?? first
  const isCalled = actor && call.row.procedure && typeOf(call.row) === 'mutation'
  return isCalled ? [{ ...call, actor }] : []
})

const listEntries = () =>
  world.testApp.deps.db.selectFrom('auditEntries').selectAll().orderBy('id').execute()

async function callFor({ row, transport }: MatrixCall, actor: ActorKind) {
  const sample = await makeSample(row, world, actor)
  await PREPARATIONS[row.procedure!]?.(world)
  const known = (await listEntries()).length
  const { app, client } = world.testApp
  const caller = client(world.clients[actor].cookie)
  const { status, text } = await callOver(app, transport, row, caller, sample)
  expect(status, text).toBeLessThan(300)
  return (await listEntries()).slice(known)
}

describe('every mutation', () => {
  it('is called here or by another test', () => {
    const called = new Set(mutations.map(({ row }) => row.procedure))
    const all = procedurePaths.filter((path) => definitionOf(path).type === 'mutation')
    expect(all.filter((path) => !called.has(path))).toEqual(UNCALLABLE)
  })

  it.each(mutations.filter(({ row }) => !EXEMPT[row.procedure!]))(
    'writes what it does into the audit log: $name over $transport',
    async ({ actor, ...call }) => {
      const entries = await callFor(call, actor)
      expect(entries).not.toEqual([])
      for (const { actorId, origin, address } of entries) {
        expect([origin, address]).toEqual(['web', '127.0.0.1'])
        // Whoever signs in or registers is not signed in before.
        const isCaller = actor === 'anonymous' ? actorId !== null : actorId === world.userIds[actor]
        expect(isCaller).toBe(true)
      }
    },
  )

  it.each(mutations.filter(({ row }) => EXEMPT[row.procedure!]))(
    'writes no entry when it changes nothing: $name over $transport',
    async ({ actor, ...call }) => {
      expect(await callFor(call, actor)).toEqual([])
    },
  )

  it('leaves no password, hash or token in the audit log', async () => {
    const secrets = [PASSWORD, 'another horse', 'scrypt', 'argon', '$2', 'sealed', '/feeds/']
    for (const { actor, ...call } of mutations.filter(({ transport }) => transport === 'tRPC')) {
      await callFor(call, actor)
      const text = JSON.stringify(await listEntries())
      expect([nameOf(call.row), secrets.filter((secret) => text.includes(secret))]).toEqual([
        nameOf(call.row),
        [],
      ])
      await world.testApp.deps.queue.idle()
      await restoreSnapshot(world.testApp.deps.db, pristine)
    }
  })
})
