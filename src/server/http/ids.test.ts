import { afterAll, beforeAll, describe, expect, it } from 'vitest'

import { ACTORS, permissions } from '../permissions'
import { startFeedServer, type FeedServer } from '../testing/feed-server'
import { openWorld, type World } from '../testing/world'

const BAD_TEXTS = [
  '0',
  '01',
  '-1',
  '+1',
  '1.5',
  '1e3',
  '0x1',
  'abc',
  'NaN',
  '%20',
  '1%20',
  '٣',
  '1'.repeat(17),
  '9007199254740993',
]
const BAD_VALUES = [0, -1, 1.5, '1', 'abc', null, true, [1], { id: 1 }, 9_007_199_254_740_992]

/** What any of these calls needs besides its id. */
const EVERYTHING_ELSE = {
  newPassword: 'another horse',
  storeName: 'Shop',
  connectionType: 'URL',
  fileFormat: 'CSV',
}

let feedServer: FeedServer
let world: World

beforeAll(async () => {
  feedServer = await startFeedServer()
  world = await openWorld(feedServer)
})
afterAll(async () => {
  await world.testApp.close()
  await feedServer.close()
})

/** Every call with an id in its path, with somebody who may make it. */
const calls = permissions.flatMap(({ route, procedure, expect: statuses }) => {
  const actor = ACTORS.find((kind) => kind !== 'AN' && statuses[kind] < 300)
  const isAboutAnId = route
    ? /:(?:id|userId)\b/.test(route)
    : /\.(?:inventory|categories|get)$/.test(procedure ?? '')
  return actor && isAboutAnId ? [{ route, procedure, actor }] : []
})

const routes = calls.flatMap(({ route, actor }) => (route ? [{ route, actor }] : []))
const procedures = calls.flatMap(({ procedure, actor }) =>
  procedure ? [{ procedure, actor }] : [],
)

it('is about every path with an id', () => {
  const withId = permissions.filter(({ route }) => /:(?:id|userId)\b/.test(route ?? ''))
  expect(new Set(routes.map(({ route }) => route))).toEqual(
    new Set(withId.map(({ route }) => route)),
  )
})

describe.each(routes)('$route', ({ route, actor }) => {
  it('refuses what is no id', async () => {
    const [method = '', path = ''] = route.split(' ')
    for (const text of BAD_TEXTS) {
      const url = path.replace(/:(?:id|userId)/, text).replace(':fileName', world.fileName)
      const body = method === 'GET' ? undefined : EVERYTHING_ELSE
      const answer = await world.clients[actor].request(method, url, body)
      expect([text, answer.status]).toEqual([text, 400])
      expect(answer.body).toEqual({ message: expect.stringMatching(/\bid\b|userId/) as string })
    }
  })

  it('does not find an id that nobody has', async () => {
    const [method = '', path = ''] = route.split(' ')
    for (const text of ['4711', '9007199254740991']) {
      const url = path.replace(/:(?:id|userId)/, text).replace(':fileName', world.fileName)
      const body = method === 'GET' ? undefined : EVERYTHING_ELSE
      expect((await world.clients[actor].request(method, url, body)).status).toBe(404)
    }
  })
})

describe.each(procedures)('$procedure', ({ procedure, actor }) => {
  it('refuses what is no id', async () => {
    const kind = /\.(?:username|latestFile|inventory|files|categories|get)$/.test(procedure)
      ? 'query'
      : 'mutation'
    const name = procedure.startsWith('users.') ? 'userId' : 'id'
    for (const value of BAD_VALUES) {
      const input = { ...EVERYTHING_ELSE, [name]: value }
      const answer = await world.clients[actor].call(kind, procedure, input)
      expect([value, answer.status]).toEqual([value, 400])
    }
  })
})

describe('an id in the body', () => {
  it('does not stand in for the one in the path', async () => {
    const { clients, retailer } = world
    const body = { id: retailer.id, storeName: 'Taken over' }
    const url = `/api/retailers/4711/basic-info`
    expect((await clients.SO.request('PATCH', url, body)).status).toBe(404)
  })
})
