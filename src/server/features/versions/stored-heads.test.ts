import { afterAll, beforeAll, describe, expect, it } from 'vitest'

import type { InventoryPreview, SourceFindings } from '../../../shared/schemas/file'
import { createSupplierConnection, createSupplierUser } from '../../testing/factories'
import { startFeedServer, type FeedServer } from '../../testing/feed-server'
import { openTestApp, type Client, type TestApp } from '../../testing/test-app'

let feedServer: FeedServer
let testApp: TestApp
let client: Client
let id: number

const header = Array.from({ length: 2_000 }, (_, column) => `column ${column}`).join(',')
const row = Array.from({ length: 2_000 }, (_, column) => `cell ${column}`).join(',')

beforeAll(async () => {
  feedServer = await startFeedServer()
  feedServer.set('/wide.csv', { body: `${header}\n${row}\n` })
  testApp = await openTestApp({ fetchAllow: [feedServer.host] })
  const supplier = await createSupplierUser(testApp.deps)
  const url = feedServer.url('/wide.csv')
  id = (await createSupplierConnection(testApp.deps, supplier, url)).id
  await testApp.deps.work()
  client = await testApp.signIn(supplier)
})
afterAll(async () => {
  await testApp.close()
  await feedServer.close()
})

async function ask<T>(procedure: string): Promise<T> {
  const { body } = await client.call('query', procedure, { id })
  return (body as { result: { data: T } }).result.data
}
const inventory = () => ask<InventoryPreview>('connections.inventory')
const readColumnCounts = async () => {
  const { columns, columnCount, rows } = await inventory()
  const findings = await ask<SourceFindings>('connections.findings')
  return [columns.length, rows[0]?.length, columnCount, findings.columnCount]
}

describe('a published file with 2,000 columns', () => {
  it('is stored with its first 200 columns and the number of all', async () => {
    const stored = await testApp.deps.db
      .selectFrom('versions')
      .select(['columns', 'columnCount', 'headRows'])
      .executeTakeFirstOrThrow()
    expect(stored.columns).toHaveLength(200)
    expect(stored.headRows[0]).toHaveLength(200)
    expect(stored.columnCount).toBe(2_000)
    expect(await readColumnCounts()).toEqual([200, 200, 2_000, 2_000])
  })

  it('is cut when read, if an earlier release stored all columns', async () => {
    await testApp.deps.db
      .updateTable('versions')
      .set({ columns: header.split(','), columnCount: null })
      .set({ headRows: [row.split(',')] })
      .execute()
    expect(await readColumnCounts()).toEqual([200, 200, 2_000, 2_000])
    expect((await inventory()).rows[0]?.at(-1)).toBe('cell 199')
  })
})
