import { insertRows, listTables } from '../db/copy-rows'
import { engineOf } from '../db/engine'
import { migrateToEarlier, migrateToLatest } from '../db/migrate'
import { inTransaction, openDatabase } from '../db/open'
import type { Deps } from '../domain/deps'

/** The migrations of an earlier version: all that were written before the upgrades were backed up. */
export const EARLIER = 24

/**
 * Makes an empty database what an earlier version has left: its schema, with the rows that `seed` writes.
 * These are written with today's schema, and what the earlier one lacks is left out.
 */
export async function seedEarlier(deps: Deps, seed: (deps: Deps) => Promise<unknown>) {
  const newest = openDatabase(':memory:')
  await migrateToLatest(newest)
  await seed({ ...deps, db: newest })
  await migrateToEarlier(deps.db, EARLIER)
  const earlier = await listTables(deps.db)
  const [reading, writing] = [engineOf(newest).tables, engineOf(deps.db).tables]
  await newest.transaction().execute((source) =>
    inTransaction(deps.db, async (target) => {
      await writing.deferReferences(target)
      for (const table of earlier) {
        for await (const rows of reading.readRows(source, table.name, table.columns)) {
          await insertRows(target, table, rows)
        }
      }
      await writing.writeLastIds(target, await reading.readLastIds(source))
    }),
  )
  await newest.destroy()
}
