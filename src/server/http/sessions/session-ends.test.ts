import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'

import { DAY_MS, HOUR_MS } from '../../../shared/durations'
import type { Session } from '../../../shared/schemas/session'
import { PASSWORD } from '../../testing/fixtures/factories'
import { makeSample } from '../../testing/fixtures/samples'
import { takeSnapshot } from '../../testing/fixtures/snapshot'
import { startSourceServer, type SourceServer } from '../../testing/servers/source-server'
import { callOver, apiCalls } from '../../testing/stages/transports'
import { openWorld, type World } from '../../testing/stages/world'

const newPassword = 'another horse'

type Ending = {
  /** The caller whose session ends. */
  who: 'owningSupplier' | 'ownRetailer' | 'administrator'
  end(world: World): Promise<unknown>
}

async function signInElsewhere(testApp: World['testApp'], user: { username: string }) {
  // Some of the calls that are tried need one.
  await testApp.deps.db.deleteFrom('secondFactors').execute()
  return testApp.signIn(user)
}

const endings: Record<string, Ending> = {
  'a logout': {
    who: 'owningSupplier',
    end: ({ clients }) => clients.owningSupplier.request('POST', '/api/logout'),
  },
  'a password change on another device': {
    who: 'owningSupplier',
    async end({ testApp, supplier }) {
      const there = await signInElsewhere(testApp, supplier)
      const change = { currentPassword: PASSWORD, newPassword }
      return there.request('POST', '/api/admin/reset-password', change)
    },
  },
  'a password change by an administrator': {
    who: 'administrator',
    end: ({ clients }) =>
      clients.administrator.request('POST', '/api/admin/reset-password', {
        currentPassword: PASSWORD,
        newPassword,
      }),
  },
  'a password reset by the supplier': {
    who: 'ownRetailer',
    end: ({ clients, retailer }) =>
      clients.owningSupplier.request('PATCH', `/api/users/${retailer.user.id}/reset-password`, {
        newPassword,
      }),
  },
  'a deactivation': {
    who: 'owningSupplier',
    end: ({ clients, supplier }) =>
      clients.administrator.request('PATCH', `/api/suppliers/${supplier.id}`, { isActive: false }),
  },
  'a deactivation and reactivation': {
    who: 'owningSupplier',
    async end({ clients, supplier }) {
      for (const isActive of [false, true]) {
        await clients.administrator.request('PATCH', `/api/suppliers/${supplier.id}`, { isActive })
      }
    },
  },
  'the deletion of the retailer': {
    who: 'ownRetailer',
    end: ({ clients, retailer }) =>
      clients.owningSupplier.request('DELETE', `/api/retailers/${retailer.id}`),
  },
  'its end by its person elsewhere': {
    who: 'owningSupplier',
    async end({ testApp, supplier, clients }) {
      const { body } = await clients.owningSupplier.request('GET', '/api/sessions')
      const { id } = (body as Session[]).find(({ isPresent }) => isPresent)!
      const there = await signInElsewhere(testApp, supplier)
      return there.request('DELETE', `/api/sessions/${id}`)
    },
  },
  'the end of all other sessions': {
    who: 'ownRetailer',
    async end({ testApp, retailer }) {
      const there = await signInElsewhere(testApp, retailer.user)
      return there.request('DELETE', '/api/sessions')
    },
  },
  'its end by an administrator': {
    who: 'owningSupplier',
    end: ({ clients, supplier }) =>
      clients.administrator.call('mutation', 'sessions.endOthers', { personId: supplier.id }),
  },
  'two idle hours of an administrator': {
    who: 'administrator',
    end: async ({ testApp }) => testApp.deps.clock.advance(2 * HOUR_MS),
  },
  'a week': {
    who: 'ownRetailer',
    end: async ({ testApp }) => testApp.deps.clock.advance(7 * DAY_MS),
  },
}

let sourceServer: SourceServer
let world: World

beforeAll(async () => {
  sourceServer = await startSourceServer()
})
afterAll(() => sourceServer.close())
beforeEach(async () => {
  world = await openWorld(sourceServer)
})
afterEach(() => world.testApp.close())

/** Every call that requires a session, over REST and tRPC, downloads included. */
const guarded = apiCalls.filter(({ row }) => row.expect.anonymous === 401)

it('tests the downloads, too', () => {
  const names = guarded.map(({ name }) => name)
  expect(names).toContain('GET /api/connections/:id/files/:fileName')
  expect(names).toContain('GET /api/retailers/:id/files/:fileName')
})

describe.each(Object.entries(endings))('after %s', (_what, { who, end }) => {
  it('every call with the old cookie returns 401 and changes nothing', async () => {
    const { cookie } = world.clients[who]
    const { app, deps, client } = world.testApp
    const calls = []
    for (const { name, transport, row, actor } of guarded) {
      calls.push({ name, transport, row, sample: await makeSample(row, world, actor) })
    }
    expect((await client(cookie).request('GET', '/api/user')).status).toBe(200)
    await end(world)
    const before = await takeSnapshot(deps.db)
    for (const { name, transport, row, sample } of calls) {
      const { status } = await callOver(app, transport, row, client(cookie), sample)
      expect([transport, name, status]).toEqual([transport, name, 401])
    }
    expect(await takeSnapshot(deps.db)).toEqual(before)
  })
})
