import { sql } from 'kysely'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'

import { migrateToEarlier, migrateToLatest } from './migrate'
import { inTransaction, openDatabase, type Db, type WriteTransaction } from './open'

const CONFIG = { url: 'https://acme.example/a.csv', auth: { type: 'bearer', sealed: 'x' } } as const
const READING = { column: 'Category', pathSeparator: '>', listSeparator: null } as const
const CATEGORIES = ['Hats', 'Shoes > Boots']

let db: Db

beforeEach(() => (db = openDatabase(':memory:')))
afterEach(() => db.destroy())

const write = <T>(work: (trx: WriteTransaction) => Promise<T>) => inTransaction(db, work)

async function insertUser(username: string): Promise<number> {
  const user = { username, usernameKey: username, role: 'SUPPLIER', createdAt: 0 } as const
  const query = db.insertInto('users').values(user).returning('id')
  return (await query.executeTakeFirstOrThrow()).id
}

async function insertConnection() {
  const supplierId = await insertUser('acme')
  return db
    .insertInto('connections')
    .values({
      supplierId,
      name: 'Feed',
      type: 'URL',
      config: CONFIG,
      fileFormat: 'CSV',
      syncFrequencyMinutes: 60,
      isActive: false,
      categoryReading: null,
      createdAt: 0,
    })
    .returning(['id', 'config', 'isActive', 'isRunning', 'categoryReading'])
    .executeTakeFirstOrThrow()
}

async function insertRetailer() {
  const [userId, supplierId] = [await insertUser('shop'), await insertUser('acme')]
  const retailer = { userId, supplierId, syncFrequencyMinutes: 60, createdAt: 0 }
  await db
    .insertInto('retailers')
    .values({ ...retailer, categories: CATEGORIES, isAllProducts: false })
    .execute()
}

describe('a record', () => {
  beforeEach(() => migrateToLatest(db))

  it('has booleans and JSON where the row has numbers and text', async () => {
    expect(await insertConnection()).toMatchObject({
      config: CONFIG,
      isActive: false,
      isRunning: false,
      categoryReading: null,
    })
    const { rows } = await sql<object>`
      select typeof(isActive) as bool, config as text from connections`.execute(db)
    expect(rows).toEqual([{ bool: 'integer', text: JSON.stringify(CONFIG) }])
  })

  it('is changed and found by booleans and JSON', async () => {
    await insertRetailer()
    await write((trx) =>
      trx.updateTable('retailers').set({ isAllProducts: true, categories: [] }).execute(),
    )
    const found = db
      .selectFrom('retailers')
      .select(['isAllProducts', 'categories'])
      .where('isAllProducts', '=', true)
      .where('categories', '=', sql.val<string[]>([]))
    expect(await found.execute()).toEqual([{ isAllProducts: true, categories: [] }])
  })

  it.each([
    ['invalid JSON', sql<string[]>`'["Hats"'`],
    ['JSON of another shape', sql<string[]>`'[1]'`],
    ['a number', sql<string[]>`7`],
  ])(
    'is refused when a column holds %s, with an error that omits the value',
    async (_, categories) => {
      await insertRetailer()
      await db.updateTable('retailers').set({ categories }).execute()
      const read = db.selectFrom('retailers').select('categories').execute()
      await expect(read).rejects.toThrow(/^The column categories holds an invalid value$/)
    },
  )

  it('is refused when a boolean is neither 0 nor 1', async () => {
    await insertUser('acme')
    await db
      .updateTable('users')
      .set({ isActive: sql<boolean>`2` })
      .execute()
    const read = db.selectFrom('users').select('isActive').execute()
    await expect(read).rejects.toThrow('The column isActive')
  })
})

it('reads JSON that was stored before its columns and fields were renamed', async () => {
  await migrateToEarlier(db, 6)
  const supplierId = await insertUser('acme')
  await sql`
    insert into connections (supplierId, name, type, configJson, fileFormat, syncFrequencyMinutes,
      categoryReadingJson, createdAt)
    values (${supplierId}, 'Feed', 'URL', ${JSON.stringify(CONFIG)}, 'CSV', 60,
      ${JSON.stringify({ column: 'Category', pathSign: '>', listSign: null })}, 0)`.execute(db)
  await migrateToLatest(db)
  const found = db.selectFrom('connections').select(['config', 'categoryReading'])
  expect(await found.execute()).toEqual([{ config: CONFIG, categoryReading: READING }])
})
