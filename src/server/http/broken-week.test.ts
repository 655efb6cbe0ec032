import { afterEach, beforeEach, expect, it } from 'vitest'

import { listConnections } from '../features/connections/connections'
import { createFeedAddress } from '../features/feed-addresses/feed-addresses'
import { listRuns } from '../features/syncs/sync-control'
import { startFeedServer, type FeedServer } from '../testing/feed-server'
import { openWorld, type World } from '../testing/world'

const DAY = 24 * 60 * 60_000
const HEADER = 'sku,name,category,quantity'
const PAGE =
  '<!doctype html><html><head><title>Maintenance</title></head><body>Back soon</body></html>'

let feedServer: FeedServer
let world: World

beforeEach(async () => {
  feedServer = await startFeedServer()
  world = await openWorld(feedServer)
})
afterEach(async () => {
  await world.testApp.close()
  await feedServer.close()
})

/** A catalogue of `rows` items. */
function catalogue(rows: number, quantityOf = (row: number) => row + 1): string {
  const lines = Array.from(
    { length: rows },
    (_, row) => `A-${row},Boot ${row},Shoes,${quantityOf(row)}\r\n`,
  )
  return `${HEADER}\r\n${lines.join('')}`
}

const GOOD = catalogue(40)
const NEXT = catalogue(42)
const LOST_COLUMN = GOOD.replaceAll(/,Shoes/g, '').replace(',category', '')

/** What a source does in a week, and what its supplier reads. */
const WEEK: { body: string; status: string; reason: RegExp; file: string }[] = [
  { body: GOOD, status: 'synced', reason: /^no error$/, file: GOOD },
  { body: '', status: 'failed', reason: /empty/i, file: GOOD },
  {
    body: catalogue(19),
    status: 'held',
    reason: /It has 19 rows; the published file has 40/,
    file: GOOD,
  },
  {
    body: LOST_COLUMN,
    status: 'held',
    reason: /The category column “category” is gone\./,
    file: GOOD,
  },
  {
    body: catalogue(40, () => 0),
    status: 'held',
    reason: /40 are newly at 0/,
    file: GOOD,
  },
  { body: PAGE, status: 'failed', reason: /web page/, file: GOOD },
  { body: NEXT, status: 'synced', reason: /^no error$/, file: NEXT },
]

it('keeps a shop on the last good file through a week in which its source breaks in every way', async () => {
  const { testApp, supplier, retailer, connectionId } = world
  const { deps } = testApp
  const { path } = await createFeedAddress(deps, retailer.user, retailer.id)
  const read = async () => (await testApp.client().request('GET', path)).text
  for (const { body, status, reason, file } of WEEK) {
    feedServer.set('/inventory.csv', { body })
    deps.clock.advance(DAY)
    await deps.work()
    const [connection] = await listConnections(deps, supplier)
    expect(connection?.status).toBe(status)
    expect(connection?.lastError ?? 'no error').toMatch(reason)
    deps.clock.advance(DAY)
    expect(await read()).toBe(file)
    await deps.db.updateTable('connections').set({ nextSyncAt: deps.clock.now() }).execute()
  }
  const runs = await listRuns(deps, supplier, connectionId)
  expect(
    runs
      .map(({ outcome }) => outcome)
      .slice(0, 7)
      .toReversed(),
  ).toEqual(WEEK.map(({ status }) => (status === 'synced' ? 'published' : status)))
})
