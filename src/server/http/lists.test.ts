import { sql } from 'kysely'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'

import type { Retailer } from '../../shared/schemas/retailer'
import { seedStock } from '../testing/stock'
import { openTestApp, type Client, type TestApp } from '../testing/test-app'

const RETAILERS = 12_000

let testApp: TestApp
let client: Client
let supplierId: number

beforeEach(async () => {
  testApp = await openTestApp()
})
afterEach(() => testApp.close())

async function openList(retailers: number) {
  const { supplier } = await seedStock(testApp.deps, { files: [], retailers })
  supplierId = supplier.id
  client = await testApp.signIn(supplier)
}

/** Makes the retailer that is so many from the first unreadable. */
async function breakRetailer(offset: number) {
  const { db } = testApp.deps
  const { id } = await db
    .selectFrom('retailers')
    .select('id')
    .orderBy('id')
    .offset(offset)
    .limit(1)
    .executeTakeFirstOrThrow()
  await db
    .updateTable('retailers')
    .set({ categories: sql`'{'` })
    .where('id', '=', id)
    .execute()
}

describe('a list without pages', () => {
  it('has every row, in order and once, however many there are', async () => {
    await openList(RETAILERS)
    // Somebody else's are not in it.
    await seedStock(testApp.deps, { files: [] })
    const { status, body, headers } = await client.request('GET', '/api/retailers')
    expect([status, headers['content-type']]).toEqual([200, 'application/json; charset=utf-8'])
    const retailers = body as Retailer[]
    expect(retailers).toHaveLength(RETAILERS)
    expect(new Set(retailers.map((retailer) => retailer.supplierId))).toEqual(new Set([supplierId]))
    const ids = retailers.map(({ id }) => id)
    expect(ids).toEqual(ids.toSorted((a, b) => a - b))
    expect(new Set(ids).size).toBe(RETAILERS)
  })

  it('is an empty array where there is nothing', async () => {
    await openList(0)
    expect((await client.request('GET', '/api/retailers')).text).toBe('[]')
  })

  it('is an error as long as nothing was sent', async () => {
    await openList(30)
    await breakRetailer(0)
    const { status, body } = await client.request('GET', '/api/retailers')
    expect([status, body]).toEqual([500, { message: 'Internal server error' }])
  })

  it('breaks off at an error that comes later, so that nobody takes a part for the whole', async () => {
    await openList(100)
    await breakRetailer(90)
    const origin = await testApp.app.listen({ host: '127.0.0.1', port: 0 })
    const answer = await fetch(`${origin}/api/retailers`, { headers: { cookie: client.cookie! } })
    expect(answer.status).toBe(200)
    await expect(answer.text()).rejects.toThrow(/terminated/)
  })

  it('is read no further than whoever asked for it has taken it', async () => {
    await openList(40)
    const categories = Array.from({ length: 200 }, () => 'x'.repeat(1_000))
    await testApp.deps.db.updateTable('retailers').set({ categories }).execute()
    await seedMore(260, categories)
    const origin = await testApp.app.listen({ host: '127.0.0.1', port: 0 })
    const answer = await fetch(`${origin}/api/retailers`, { headers: { cookie: client.cookie! } })
    const reader = answer.body!.getReader()
    await reader.read()
    // What comes after the part that sockets hold can still be changed.
    await breakRetailer(299)
    const readOn = async () => {
      while (!(await reader.read()).done);
    }
    await expect(readOn()).rejects.toThrow(/terminated/)
  })
})

async function seedMore(count: number, categories: string[]) {
  const { db } = testApp.deps
  for (let number = 0; number < count; number++) {
    const username = `more-${number}`
    const { id: userId } = await db
      .insertInto('users')
      .values({ username, usernameKey: username, role: 'RETAILER', createdAt: 0 })
      .returning('id')
      .executeTakeFirstOrThrow()
    await db
      .insertInto('retailers')
      .values({ userId, supplierId, syncFrequencyMinutes: 60, createdAt: 0, categories })
      .execute()
  }
}
