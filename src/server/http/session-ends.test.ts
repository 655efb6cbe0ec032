import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'

import { callAt, doorCalls } from '../testing/doors'
import { PASSWORD } from '../testing/factories'
import { startFeedServer, type FeedServer } from '../testing/feed-server'
import { makeSample } from '../testing/samples'
import { takeSnapshot } from '../testing/snapshot'
import { openWorld, type World } from '../testing/world'

const DAY = 24 * 60 * 60_000
const newPassword = 'another horse'

type Ending = {
  /** Whose session ends. */
  who: 'SO' | 'RO' | 'AD'
  end(world: World): Promise<unknown>
}

const endings: Record<string, Ending> = {
  'a logout': {
    who: 'SO',
    end: ({ clients }) => clients.SO.request('POST', '/api/logout'),
  },
  'a change of the own password, on another device': {
    who: 'SO',
    async end({ testApp, supplier }) {
      const there = await testApp.signIn(supplier)
      const change = { currentPassword: PASSWORD, newPassword }
      return there.request('POST', '/api/admin/reset-password', change)
    },
  },
  'a change of the administrator’s own password': {
    who: 'AD',
    end: ({ clients }) =>
      clients.AD.request('POST', '/api/admin/reset-password', {
        currentPassword: PASSWORD,
        newPassword,
      }),
  },
  'a new password that the supplier gives': {
    who: 'RO',
    end: ({ clients, retailer }) =>
      clients.SO.request('PATCH', `/api/users/${retailer.user.id}/reset-password`, { newPassword }),
  },
  'a deactivation': {
    who: 'SO',
    end: ({ clients, supplier }) =>
      clients.AD.request('PATCH', `/api/suppliers/${supplier.id}`, { isActive: false }),
  },
  'a deactivation, even when it is taken back': {
    who: 'SO',
    async end({ clients, supplier }) {
      for (const isActive of [false, true]) {
        await clients.AD.request('PATCH', `/api/suppliers/${supplier.id}`, { isActive })
      }
    },
  },
  'the deletion of its retailer': {
    who: 'RO',
    end: ({ clients, retailer }) => clients.SO.request('DELETE', `/api/retailers/${retailer.id}`),
  },
  'a night without being used': {
    who: 'AD',
    end: async ({ testApp }) => testApp.deps.clock.advance(2 * 60 * 60_000),
  },
  'a week': {
    who: 'RO',
    end: async ({ testApp }) => testApp.deps.clock.advance(7 * DAY),
  },
}

let feedServer: FeedServer
let world: World

beforeAll(async () => {
  feedServer = await startFeedServer()
})
afterAll(() => feedServer.close())
beforeEach(async () => {
  world = await openWorld(feedServer)
})
afterEach(() => world.testApp.close())

/** Every call that asks for a session: at both doors, and the files. */
const guarded = doorCalls.filter(({ row }) => row.expect.AN === 401)

it('is about the files, too', () => {
  const names = guarded.map(({ name }) => name)
  expect(names).toContain('GET /api/connections/:id/files/:fileName')
  expect(names).toContain('GET /api/retailers/:id/files/:fileName')
})

describe.each(Object.entries(endings))('after %s', (_what, { who, end }) => {
  it('the old cookie opens nothing, at no door', async () => {
    const { cookie } = world.clients[who]
    const { app, deps, client } = world.testApp
    const calls = []
    for (const { name, door, row, actor } of guarded) {
      calls.push({ name, door, row, sample: await makeSample(row, world, actor) })
    }
    expect((await client(cookie).request('GET', '/api/user')).status).toBe(200)
    await end(world)
    const before = await takeSnapshot(deps.db)
    for (const { name, door, row, sample } of calls) {
      const { status } = await callAt(app, door, row, client(cookie), sample)
      expect([door, name, status]).toEqual([door, name, 401])
    }
    expect(await takeSnapshot(deps.db)).toEqual(before)
  })
})
