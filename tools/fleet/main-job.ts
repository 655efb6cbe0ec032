import { isDeepStrictEqual } from 'node:util'

import { createRestClient, until } from '../../src/e2e/support/rest-client'
import { startSourceServer } from '../../src/server/testing/servers/source-server'
import type { Connection } from '../../src/shared/schemas/connection'
import type { NewFeedAddress } from '../../src/shared/schemas/feed-address'
import type { Cleanups } from '../bench/cleanups'
import { create, openPeople, syncOnce, trySync } from '../bench/people'
import type { Fleet } from './start-fleet'

const HEADER = 'sku,name,category,quantity'
/** More items than the guard calls few, half of them in each category. */
const ITEMS = Array.from({ length: 40 }, (_, index) =>
  index % 2 === 0 ? `${index},Boot ${index},Shoes,5` : `${index},Cap ${index},Hats,7`,
)
const SHOES = ITEMS.filter((line) => line.includes('Shoes'))
const SOLD = '0,Boot 0,Shoes,4'
const toCsv = (items: readonly string[]) => `${[HEADER, ...items].join('\n')}\n`

type RunStep = <T>(name: string, work: () => Promise<T>) => Promise<T>

/**
 * What the product is for, through the load balancer: a supplier connects a file, retailers read what
 * they may see, a change arrives as a delta, and a broken file does not.
 * @param step runs a step and tells its name
 * @throws Error at the first step that fails
 */
export async function runMainJob(
  { url, webs }: Fleet,
  cleanups: Cleanups,
  step: RunStep,
): Promise<void> {
  const source = await startSourceServer()
  cleanups.add(() => source.close())
  source.set('/stock.csv', { body: toCsv(ITEMS) })
  const people = await step('the administrator signs in', () => openPeople(url))
  const supplier = await step('a supplier connects a file, which is published', () =>
    people.addSupplier('eastbeck', source.url('/stock.csv')),
  )
  const shop = await step('a retailer is added, who sees one category', () =>
    people.addRetailer(supplier, 'valley', ['Shoes']),
  )
  await step('the retailer downloads exactly its rows, from every web process', async () => {
    for (const web of webs) {
      const client = createRestClient(web.url, shop.rest.cookie())
      const read = async () =>
        (await client.send('GET', `/api/retailers/${shop.id}/latest-file`)).body as {
          downloadUrl?: string
        }
      const { downloadUrl } = await until(read, (file) => file.downloadUrl !== undefined)
      expectEqual((await client.send('GET', downloadUrl ?? '')).text, toCsv(SHOES))
    }
  })
  const address = await step('its shop reads the file from an address', async () => {
    const path = `/api/retailers/${shop.id}/feed-addresses`
    const { path: feed } = await create<NewFeedAddress>(shop.rest, path, {})
    const answer = await fetch(`${url}${feed}`)
    expectEqual(await answer.text(), toCsv(SHOES))
    const etag = answer.headers.get('etag') ?? ''
    const again = await fetch(`${url}${feed}`, { headers: { 'if-none-match': etag } })
    expectEqual(again.status, 304)
    return { feed, version: answer.headers.get('x-feed-version') ?? '' }
  })
  await step('a new file is published, and the shop gets what has changed', async () => {
    source.set('/stock.csv', { body: toCsv(ITEMS.with(0, SOLD)) })
    await syncOnce(supplier)
    const readChanges = async () => {
      const answer = await fetch(`${url}${address.feed}?since=${address.version}`)
      return answer.ok ? answer.text() : ''
    }
    const header = `${HEADER},_change\n`
    const delta = await until(readChanges, (text) => text !== '' && text !== header)
    expectEqual(delta, `${header}${SOLD},changed\n`)
  })
  await step('a file without its rows is held, and the shop keeps the last good one', async () => {
    source.set('/stock.csv', { body: toCsv(ITEMS.slice(0, 4)) })
    expectEqual((await trySync(supplier)).outcome, 'held')
    expectEqual(await (await fetch(`${url}${address.feed}`)).text(), toCsv(SHOES.with(0, SOLD)))
    const { body } = await supplier.rest.send('GET', '/api/connections')
    expectEqual((body as Connection[])[0]?.freshness, 'held')
  })
}

function expectEqual(actual: unknown, expected: unknown): void {
  if (isDeepStrictEqual(actual, expected)) return
  throw new Error(`Expected ${JSON.stringify(expected)}, but got ${JSON.stringify(actual)}`)
}
