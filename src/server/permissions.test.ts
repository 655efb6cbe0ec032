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
      if (status >= 400 || isRead(door, row)) return check(sharedWorld, actor, status)
      const world = await openWorld(feedServer)
      await check(world, actor, status)
      return world.testApp.close()
    },
  )

  async function check(world: World, actor: ActorKind, status: number) {
    const { clients, testApp } = world
    const sample = await makeSample(row, world, actor)
    const before = await takeSnapshot(testApp.deps.db)
    const answer = await callAt(door, row, clients[actor], sample)
    expect(answer.status, answer.text).toBe(door === 'tRPC' && status < 300 ? 200 : status)
    if (status >= 400) expect(await takeSnapshot(testApp.deps.db)).toEqual(before)
  }
})

function isRead(door: Door, { route, procedure }: PermissionRow): boolean {
  return door === 'REST' ? route!.startsWith('GET ') : typeOf(procedure!) === 'query'
}
