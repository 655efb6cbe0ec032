import { sql } from 'kysely'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'

import { migrateToLatest } from '../migrate'
import { openDatabase, type Db } from '../open'

let db: Db

beforeEach(async () => {
  db = openDatabase(':memory:')
  await migrateToLatest(db)
})
afterEach(() => db.destroy())

describe('the value of a parameter', () => {
  it.each([
    ['a text', 'a'],
    ['a text that is a number', '007'],
    ['a text with a sign', '-1.50'],
    ['a number', -7],
    ['a fraction', 0.5],
    ['nothing', null],
  ])('is what was given: %s', async (_what, value) => {
    const { rows } = await sql`select ${value} as value, typeof(${value}) as type`.execute(db)
    const { rows: bound } = await sql`select value, typeof(value) as type
      from (select ${value} as value)`.execute(db)
    expect(rows).toMatchObject([{ value }])
    expect(bound).toEqual(rows)
  })

  it('is not looked at by SQLite when it plans, which would prepare a statement for each value', () => {
    const query = db.selectFrom('versions').select('id').where('connectionId', '=', 1).limit(2)
    expect(query.compile()).toMatchObject({
      sql: 'select "id" from "versions" where "connectionId" = +? limit +?',
      parameters: [1, 2],
    })
  })

  it('finds rows by an index all the same', async () => {
    const query = db.selectFrom('versions').select('id').where('connectionId', '=', 1)
    const plan = await query
      .orderBy('id', 'desc')
      .limit(1)
      .explain(undefined, sql`query plan`)
    const index = 'USING COVERING INDEX versionsConnectionId (connectionId=?)'
    expect(plan).toMatchObject([{ detail: expect.stringContaining(index) }])
  })
})
