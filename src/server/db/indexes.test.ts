import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'

import { openTestDeps, type TestDeps } from '../testing/stages/test-deps'
import { engineOf } from './engine'

let deps: TestDeps
beforeAll(async () => {
  deps = await openTestDeps()
})
afterAll(() => deps.close())

const isSqlite = () => engineOf(deps.db).name === 'SQLite'

/** The first columns of the indexes of each table, and of its primary key, as `table.column`. */
async function listIndexed(): Promise<Set<string>> {
  const { rows } = await sql<{ name: string }>`
    select tables.name || '.' || columns.name as name
    from sqlite_schema as tables, pragma_index_list(tables.name) as indexes,
      pragma_index_info(indexes.name) as columns
    where tables.type = 'table' and columns.seqno = 0
    union select tables.name || '.' || columns.name
    from sqlite_schema as tables, pragma_table_info(tables.name) as columns
    where tables.type = 'table' and columns.pk = 1`.execute(deps.db)
  return new Set(rows.map(({ name }) => name))
}

describe('an index', () => {
  it('is on each column that refers to other rows, so that these can be deleted without reading all', async () => {
    if (!isSqlite()) return
    const { rows } = await sql<{ name: string }>`
      select tables.name || '.' || keys."from" as name
      from sqlite_schema as tables, pragma_foreign_key_list(tables.name) as keys
      where tables.type = 'table'`.execute(deps.db)
    const indexed = await listIndexed()
    expect(rows.length).toBeGreaterThan(50)
    expect(rows.map(({ name }) => name).filter((name) => !indexed.has(name))).toEqual([])
  })

  it('is on each column that names a stored file, so that it is known at once whether one is needed', async () => {
    if (!isSqlite()) return
    const { rows } = await sql<{ name: string }>`
      select tables.name || '.' || columns.name as name
      from sqlite_schema as tables, pragma_table_info(tables.name) as columns
      where tables.type = 'table' and tables.name like 'merged%' and columns.name like '%sha256'`.execute(
      deps.db,
    )
    const indexed = await listIndexed()
    expect(rows.length).toBeGreaterThan(6)
    expect(rows.map(({ name }) => name).filter((name) => !indexed.has(name))).toEqual([])
  })
})
