import { sql } from 'kysely'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'

import type { Retailer } from '../../../shared/schemas/retailer'
import { seedStock } from '../../testing/fixtures/stock'
import { openTestApp, type Client, type TestApp } from '../../testing/stages/test-app'

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

/** Stores invalid JSON in the retailer at this position, so that reading it fails. */
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

describe('an unpaged list', () => {
  it('has each of 12,000 rows once and in order', async () => {
    await openList(RETAILERS)
    // Rows of another supplier, which must not be included.
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

  it('is an empty array without rows', async () => {
    await openList(0)
    expect((await client.request('GET', '/api/retailers')).text).toBe('[]')
  })

  it('returns 500 when the first page fails', async () => {
    await openList(30)
    await breakRetailer(0)
    const { status, body } = await client.request('GET', '/api/retailers')
    expect([status, body]).toEqual([500, { message: 'Internal server error' }])
  })

  it('aborts the response when a later page fails, so that it cannot pass for complete', async () => {
    await openList(100)
    await breakRetailer(90)
    const origin = await testApp.app.listen({ host: '127.0.0.1', port: 0 })
    const response = await fetch(`${origin}/api/retailers`, { headers: { cookie: client.cookie! } })
    expect(response.status).toBe(200)
    await expect(response.text()).rejects.toThrow(/terminated/)
  })

  it('is read from the database no faster than the client reads', async () => {
    await openList(40)
    const categories = Array.from({ length: 200 }, () => 'x'.repeat(1_000))
    await testApp.deps.db.updateTable('retailers').set({ categories }).execute()
    await seedMore(260, categories)
    const origin = await testApp.app.listen({ host: '127.0.0.1', port: 0 })
    const response = await fetch(`${origin}/api/retailers`, { headers: { cookie: client.cookie! } })
    const reader = response.body!.getReader()
    await reader.read()
    // This row is beyond what the socket buffers hold, so it has not been read yet.
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
