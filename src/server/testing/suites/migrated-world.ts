import { describe, expect, it } from 'vitest'

import { migrateToLatest } from '../../db/migrate'
import { openDatabase } from '../../db/open'
import { BEFORE_RELATIONS, copyToEarlier } from '../fixtures/earlier-database'
import { makeSample } from '../fixtures/samples'
import { saveDatabase } from '../fixtures/saved-state'
import { shareWorld } from '../stages/shared-world'
import { callOver, successOf, type MatrixCall } from '../stages/transports'
import { openSavedWorld, openWorld, saveWorld, type World } from '../stages/world'
import { ACTOR_NAMES, ACTORS } from './access-matrix/actors'

/** The database of a world as an installation from before relations had it, migrated since. */
async function migrate(image: Buffer): Promise<Buffer> {
  const newest = openDatabase(image)
  const earlier = openDatabase(':memory:')
  try {
    await copyToEarlier(newest, earlier, BEFORE_RELATIONS)
    await migrateToLatest(earlier)
    return await saveDatabase(earlier)
  } finally {
    await newest.destroy()
    await earlier.destroy()
  }
}

/** Makes these calls as everybody in a migrated world: nothing is open, or closed, to somebody else than in a new one. */
export function tryMigratedWorld(calls: readonly MatrixCall[]): void {
  let world: World
  const { restoreRows } = shareWorld(async (sourceServer, clientDir) => {
    const first = await openWorld(sourceServer)
    const { state, ...saved } = await saveWorld(first)
    await first.testApp.close()
    const database = await migrate(state.database)
    world = await openSavedWorld({ ...saved, state: { ...state, database } }, { clientDir })
    return world
  })

  describe('an installation from before relations', () => {
    it('has one relation of each retailer, and nothing of what came later', async () => {
      const { db } = world.testApp.deps
      const retailers = await db.selectFrom('retailers').select(['userId', 'groupId']).execute()
      expect(retailers.length).toBeGreaterThan(1)
      expect(new Set(retailers.map(({ userId }) => userId)).size).toBe(retailers.length)
      expect(retailers.every(({ groupId }) => groupId === null)).toBe(true)
      for (const table of ['mergedFiles', 'retailerGroups', 'supplierCards'] as const) {
        expect(await db.selectFrom(table).selectAll().execute()).toEqual([])
      }
    })

    it.each(calls)('answers everybody as a new one does: $name over $transport', async (call) => {
      const { row, transport } = call
      const { app, client } = world.testApp
      for (const actor of ACTORS) {
        const sample = await makeSample(row, world, actor)
        const caller = client(world.clients[actor].cookie)
        const response = await callOver(app, transport, row, caller, sample)
        const expected = successOf(call, actor)
        expect([ACTOR_NAMES[actor], response.status], response.text).toEqual([
          ACTOR_NAMES[actor],
          expected,
        ])
        await world.testApp.deps.queue.idle()
        await restoreRows()
      }
    })
  })
}
