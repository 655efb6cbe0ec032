import { parquetReadObjects } from 'hyparquet'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'

import { retailerPriceRulesSchema } from '../../../../shared/schemas/price-rules'
import { shopFormatSchema } from '../../../../shared/schemas/shop-format'
import { createFeedAddress } from '../../../features/distribution/feed-addresses/feed-addresses'
import { savePrices } from '../../../features/distribution/retailers/price-rules'
import { updateRetailer } from '../../../features/distribution/retailers/retailers'
import { saveShopFormat } from '../../../features/distribution/shop-formats/shop-formats'
import { removeGuards } from '../../fixtures/factories'
import { makeSample } from '../../fixtures/samples'
import { startSourceServer, type SourceServer } from '../../servers/source-server'
import { callOver, isRead, matrixCalls, successOf } from '../../stages/transports'
import { openWorld, type World } from '../../stages/world'
import { partsOf } from '../../stages/written-workbooks'

/** Numbers that nothing else has: costs, and the prices of the file. */
const SECRET = /71\d77|82\d88/
const HEADER = 'cost,sku,name,category,quantity,price\r\n'
const FIRST = `${HEADER}71077.01,1,Boot,Shoes,4,82088.01\r\n71177.01,2,Boot,Hats,0,82188.01\r\n`
const SECOND = `${HEADER}71277.01,1,Boot,Shoes,3,82288.01\r\n71177.01,2,Boot,Hats,0,82188.01\r\n`
const TENTH = retailerPriceRulesSchema.parse({ tiers: [{ from: '0', percent: '10' }] })

let sourceServer: SourceServer
let world: World
let address: string

beforeAll(async () => {
  sourceServer = await startSourceServer()
  world = await openWorld(sourceServer)
  const { deps } = world.testApp
  const { id, user } = world.retailer
  address = (await createFeedAddress(deps, user, id)).path
  await removeGuards(deps)
  await updateRetailer(deps, world.supplier, { id, syncFrequency: 0 })
  await publish(FIRST)
  await savePrices(deps, world.supplier, { id, priceRules: TENTH })
  await deps.work()
})
afterAll(async () => {
  await world.testApp.close()
  await sourceServer.close()
})

async function publish(body: string) {
  const { deps } = world.testApp
  sourceServer.set('/inventory.csv', { body })
  await deps.db.updateTable('connections').set({ nextSyncAt: deps.clock.now() }).execute()
  await deps.work()
}

/** Reads until the file is ready. */
async function read(url: string) {
  for (let tries = 0; tries < 5; tries++) {
    const answer = await world.testApp.client().request('GET', url)
    if (answer.status !== 503) return answer
    await world.testApp.deps.work()
  }
  throw new Error('The file is never ready')
}

const choose = (kind: 'asIs' | 'own' | 'excel') =>
  saveShopFormat(world.testApp.deps, world.supplier, {
    id: world.retailer.id,
    profile: shopFormatSchema.parse({ kind }),
  })

const calls = matrixCalls.filter(
  (call) => isRead(call) && successOf(call, 'ownRetailer') === 200 && !call.name.includes('live'),
)

describe('a retailer whose prices are made of costs', () => {
  it.each(calls)(
    'is never shown a cost or a price of the file: $name over $transport',
    async (call) => {
      const { app, client } = world.testApp
      const caller = client(world.clients.ownRetailer.cookie)
      const sample = await makeSample(call.row, world, 'ownRetailer')
      const answer = await callOver(app, call.transport, call.row, caller, sample)
      expect(answer.text).not.toMatch(SECRET)
    },
  )

  it.each(['asIs', 'own', 'excel'] as const)('reads them in the shop format %s', async (kind) => {
    await choose(kind)
    const { text } = await read(address)
    const shown = kind === 'excel' ? `\uFEFF` : ''
    expect(text).toBe(
      `${shown}sku,name,category,quantity,price\r\n1,Boot,Shoes,4,78184.71\r\n2,Boot,Hats,0,78294.71\r\n`,
    )
    await choose('asIs')
  })

  it('reads them in each form, as numbers where prices are numbers', async () => {
    const json = await read(`${address}?format=json`)
    expect(json.text).toContain('78184.71')
    expect(json.text).not.toMatch(SECRET)
    const workbook = await read(address.replace('.csv', '.xlsx'))
    const parts = [...(await partsOf(workbook.bytes)).values()].join('')
    expect(parts).toContain('<v>78184.71</v>')
    expect(parts).not.toMatch(SECRET)
    const parquet = await read(address.replace('.csv', '.parquet'))
    const file = new Uint8Array(parquet.bytes).buffer
    const rows = await parquetReadObjects({ file })
    expect(rows).toMatchObject([{ sku: '1', price: 78184.71 }, { sku: '2' }])
    expect(Object.keys(rows[0] ?? {})).toEqual(['sku', 'name', 'category', 'quantity', 'price'])
  })

  it('reads what has changed with them, and the whole file once the rules have', async () => {
    const { deps } = world.testApp
    const { id } = world.retailer
    const { headers } = await read(address)
    await publish(SECOND)
    const changed = await read(`${address}?since=${String(headers['x-feed-version'])}`)
    expect(changed.text).toBe(
      'sku,name,category,quantity,price,_change\r\n1,Boot,Shoes,3,78404.71,changed\r\n',
    )
    const version = String(changed.headers['x-feed-version'])
    const priceRules = { ...TENTH, ending: 99 }
    await savePrices(deps, world.supplier, { id, priceRules })
    const whole = await read(`${address}?since=${version}`)
    expect(whole.headers['x-feed-delta']).toBe('full')
    expect(whole.text).toContain('1,Boot,Shoes,3,78404.99\r\n')
    const next = await read(`${address}?since=${String(whole.headers['x-feed-version'])}`)
    expect(next.text).toBe('sku,name,category,quantity,price,_change\r\n')
  })
})
