import { afterEach, beforeEach, describe, expect, it } from 'vitest'

import {
  createLinkedRetailer,
  createSupplierConnection,
  createSupplierUser,
} from '../../testing/factories'
import { startFeedServer, type FeedServer } from '../../testing/feed-server'
import { openTestDeps, type TestDeps } from '../../testing/test-deps'
import type { UserRecord } from '../accounts/users.queries'
import { getLatestFile, openRetailerFile } from './retailer-files'
import { listRetailerUsage } from './retailer-usage'

let deps: TestDeps
let feedServer: FeedServer
let supplier: UserRecord

beforeEach(async () => {
  feedServer = await startFeedServer()
  deps = await openTestDeps({ fetchAllow: [feedServer.host] })
  supplier = await createSupplierUser(deps)
})
afterEach(async () => {
  await deps.close()
  await feedServer.close()
})

async function publish(body: string) {
  feedServer.set('/feed.csv', { body })
  await createSupplierConnection(deps, supplier, feedServer.url('/feed.csv'))
  await deps.work()
}

const seeing = (...categories: string[]) =>
  createLinkedRetailer(deps, supplier, { allProducts: false, categories })

const readUsage = (ids: number[]) => listRetailerUsage(deps, supplier, ids)

describe('the use of a file', () => {
  it('counts the rows that each retailer sees, before any of them asks', async () => {
    await publish('sku,category\r\n1,Shoes > Boots\r\n2,Shoes > Sandals\r\n3,Hats\r\n')
    const all = await createLinkedRetailer(deps, supplier)
    const shoes = await seeing('Shoes')
    const gone = await seeing('Belts')
    const none = await seeing()
    const usage = await readUsage([none.id, all.id, shoes.id, gone.id])
    expect(usage.map(({ id, visibleRows }) => [id, visibleRows])).toEqual([
      [all.id, 3],
      [shoes.id, 2],
      [gone.id, 0],
      [none.id, 0],
    ])
  })

  it('is nothing for restricted retailers of a file without a category column', async () => {
    const all = await createLinkedRetailer(deps, supplier)
    await publish('sku,qty\r\n1,5\r\n')
    const hats = await seeing('Hats')
    expect(await readUsage([all.id, hats.id])).toMatchObject([
      { visibleRows: 1 },
      { visibleRows: 0 },
    ])
  })

  it('has the last download of the retailer itself, not that of its supplier', async () => {
    const { id, user } = await createLinkedRetailer(deps, supplier)
    expect(await readUsage([id])).toEqual([{ id, visibleRows: null, lastDownload: null }])
    await publish('sku,qty\r\n1,5\r\n')
    for (const actor of [supplier, user]) {
      const file = await getLatestFile(deps, actor, id)
      const fileName = 'fileName' in file ? file.fileName : ''
      deps.clock.advance(1_000)
      const { onSent } = await openRetailerFile(deps, actor, { id, fileName })
      onSent?.()
      await deps.pulls.flush()
      const [usage] = await readUsage([id])
      const isOwn = actor === user
      const now = new Date(deps.clock.now()).toISOString()
      expect(usage?.lastDownload).toBe(isOwn ? now : null)
    }
  })

  it('is refused as a whole when one retailer is another supplier’s', async () => {
    const { id } = await createLinkedRetailer(deps, supplier)
    const other = await createLinkedRetailer(deps, await createSupplierUser(deps))
    await expect(readUsage([id, other.id])).rejects.toMatchObject({ code: 'NOT_FOUND' })
    expect(await readUsage([])).toEqual([])
  })
})
