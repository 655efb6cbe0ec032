import { describe, expect, it } from 'vitest'

import { makeSample } from '../../fixtures/samples'
import { takeSnapshot } from '../../fixtures/snapshot'
import { shareWorld } from '../../stages/shared-world'
import { callOver, matrixCalls, successOf } from '../../stages/transports'
import { openWorld, type World } from '../../stages/world'
import { ACTOR_NAMES, ACTORS } from './actors'

/** Shared by all tests; after each, its rows are restored. */
let world: World
shareWorld(
  async (sourceServer, clientDir) => (world = await openWorld(sourceServer, { clientDir })),
)

describe.each(matrixCalls)('$name over $transport', (call) => {
  const { row, transport } = call
  const cases = ACTORS.map((actor) => ({
    actor,
    who: ACTOR_NAMES[actor],
    status: successOf(call, actor),
  }))

  it.each(cases)('returns $status to $who', async ({ actor, status }) => {
    const { app, deps, client } = world.testApp
    const sample = await makeSample(row, world, actor)
    const before = await takeSnapshot(deps.db)
    const caller = client(world.clients[actor].cookie)
    const response = await callOver(app, transport, row, caller, sample)
    expect(response.status, response.text).toBe(status)
    // A refused call changes no row.
    expect(status >= 400 ? await takeSnapshot(deps.db) : before).toEqual(before)
  })
})
