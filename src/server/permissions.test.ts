import { afterAll, beforeAll, describe, expect, it } from 'vitest'

import { ACTORS, permissions, type ActorKind, type PermissionRow } from './permissions'
import { callAt, DOORS, typeOf, type Door } from './testing/doors'
import { startFeedServer, type FeedServer } from './testing/feed-server'
import { makeSample, nameOf } from './testing/samples'
import { takeSnapshot } from './testing/snapshot'
import { openWorld, type World } from './testing/world'

let feedServer: FeedServer

beforeAll(async () => {
  feedServer = await startFeedServer()
})
afterAll(() => feedServer.close())

const calls = permissions.flatMap((row) =>
  DOORS.filter((door) => (door === 'REST' ? row.route : row.procedure)).map((door) => ({
    door,
    row,
    name: nameOf(row),
  })),
)

describe.each(calls)('at the $door door, $name', ({ door, row }) => {
  /** For those who change nothing: readers, and whoever is refused. */
  let sharedWorld: World

  beforeAll(async () => {
    sharedWorld = await openWorld(feedServer)
  })
  afterAll(() => sharedWorld.testApp.close())

  it.each(ACTORS.map((actor) => ({ actor, status: row.expect[actor] })))(
    'answers $status to $actor',
    async ({ actor, status }) => {
      const isRefused = status >= 400
      const isShared = isRefused || isRead(door, row)
      const world = isShared ? sharedWorld : await openWorld(feedServer)
      const { before, answer, after } = await call(world, actor)
      if (!isShared) await world.testApp.close()
      expect(answer.status, answer.text).toBe(door === 'tRPC' && status < 300 ? 200 : status)
      // A refused call changes no row.
      expect(isRefused ? after : before).toEqual(before)
    },
  )

  async function call(world: World, actor: ActorKind) {
    const { clients, testApp } = world
    const sample = await makeSample(row, world, actor)
    const before = await takeSnapshot(testApp.deps.db)
    const answer = await callAt(testApp.app, door, row, clients[actor], sample)
    return { before, answer, after: await takeSnapshot(testApp.deps.db) }
  }
})

function isRead(door: Door, { route, procedure }: PermissionRow): boolean {
  return door === 'REST' ? route!.startsWith('GET ') : typeOf(procedure) !== 'mutation'
}
