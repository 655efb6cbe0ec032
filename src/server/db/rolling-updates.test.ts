import { readdirSync } from 'node:fs'

import { sql } from 'kysely'
import { describe, expect, it } from 'vitest'

import { migrateToEarlier } from './migrate'
import { openDatabase } from './open'

const MIGRATIONS = readdirSync(new URL('migrations', import.meta.url))
  .filter((name) => /^\d{4}-.*(?<!\.test)\.ts$/.test(name))
  .toSorted()
/** Those that run beside processes of the version before, with how many there are up to each. */
const ADDING = MIGRATIONS.map((name, index) => [name, index + 1] as const).filter(
  ([name]) => name >= '0022',
)

type Column = { name: string; notnull: number; dflt_value: string | null }

/** The columns of each table after so many migrations. */
async function readTables(count: number): Promise<Map<string, Column[]>> {
  const db = openDatabase(':memory:')
  await migrateToEarlier(db, count)
  const tables = sql<{ name: string }>`select name from sqlite_schema where type = 'table'`
  const found = new Map<string, Column[]>()
  for (const { name } of (await tables.execute(db)).rows) {
    const columns = sql<Column>`select name, "notnull", dflt_value from pragma_table_info(${name})`
    found.set(name, (await columns.execute(db)).rows)
  }
  await db.destroy()
  return found
}

describe('processes of the version before', () => {
  it.each(ADDING)('read and write what they know after %s', async (_name, number) => {
    const [before, after] = [await readTables(number - 1), await readTables(number)]
    for (const [table, columns] of before) {
      const later = new Map(after.get(table)?.map((column) => [column.name, column]))
      const known = new Set(columns.map(({ name }) => name))
      expect([table, columns.filter(({ name }) => !later.has(name))]).toEqual([table, []])
      const required = [...later.values()].filter(
        (column) => !known.has(column.name) && column.notnull === 1 && column.dflt_value === null,
      )
      expect([table, required]).toEqual([table, []])
    }
  })
})
