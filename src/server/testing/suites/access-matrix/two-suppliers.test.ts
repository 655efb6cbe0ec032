import { describe, expect, it } from 'vitest'

import { inTransaction } from '../../../db/open'
import { linkRetailer } from '../../../features/distribution/retailers/retailers'
import { makeSample, nameOf } from '../../fixtures/samples'
import { shareWorld } from '../../stages/shared-world'
import { callOver, matrixCalls, successOf } from '../../stages/transports'
import { openWorld, type World } from '../../stages/world'
import { ACTOR_NAMES, ACTORS, type ActorKind } from './actors'

/** The retailer has the other supplier too. */
let world: World
shareWorld(async (sourceServer) => {
  world = await openWorld(sourceServer)
  const { deps } = world.testApp
  await inTransaction(deps.db, (trx) =>
    linkRetailer(trx, deps, world.otherSupplier, {
      userId: world.retailer.user.id,
      storeName: 'Corner Shop',
      visibilitySettings: { allProducts: true, categories: [] },
    }),
  )
  return world
})

/** What is otherwise than for a retailer with one supplier: its login is no supplier's alone. */
const OTHERWISE: Record<string, Partial<Record<ActorKind, number>>> = {
  'GET /api/users/:userId of a retailer': { otherSupplier: 200 },
  'PATCH /api/users/:userId/reset-password of a retailer': {
    owningSupplier: 403,
    otherSupplier: 403,
  },
}

/** The calls about one retailer, its login and its files. */
const calls = matrixCalls.filter(({ row }) =>
  /^(?:retailers|feedAddresses|sftpLogins|profiles|users)\.|\/api\/retailers/.test(
    `${row.procedure ?? ''} ${row.route ?? ''}`.trim(),
  ),
)

describe.each(calls)('$name of a retailer with two suppliers over $transport', (call) => {
  const { row, transport } = call
  const changed = OTHERWISE[nameOf(row)]
  const cases = ACTORS.map((actor) => ({
    actor,
    who: ACTOR_NAMES[actor],
    status: changed?.[actor] ?? successOf(call, actor),
  }))

  it.each(cases)('returns $status to $who', async ({ actor, status }) => {
    const { app, client } = world.testApp
    const sample = await makeSample(row, world, actor)
    const caller = client(world.clients[actor].cookie)
    const response = await callOver(app, transport, row, caller, sample)
    expect(response.status, response.text).toBe(status)
  })
})
