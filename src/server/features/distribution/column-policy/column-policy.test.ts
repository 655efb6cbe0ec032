import { afterEach, beforeEach, describe, expect, it } from 'vitest'

import { columnPolicySchema } from '../../../../shared/schemas/column-policy'
import { shopFormatSchema } from '../../../../shared/schemas/shop-format'
import {
  createLinkedRetailer,
  createSupplierConnection,
  createSupplierUser,
} from '../../../testing/fixtures/factories'
import { startSourceServer, type SourceServer } from '../../../testing/servers/source-server'
import { openTestDeps, type TestDeps } from '../../../testing/stages/test-deps'
import type { UserRecord } from '../../people/accounts/users.queries'
import { previewRetailerFile } from '../downloads/retailer-files'
import { saveShopFormat } from '../shop-formats/shop-formats'
import { findStockTexts, readColumnPolicy, saveColumnPolicy } from './column-policy'

const FILE =
  'sku,name,category,stock,cost\r\n1,Boot,Shoes,4,9.99\r\n2,Cap,Hats,high,1.99\r\n3,Hat,Hats,0,2.99\r\n'

let sourceServer: SourceServer
let deps: TestDeps
let supplier: UserRecord
let connectionId: number
let shop: Awaited<ReturnType<typeof createLinkedRetailer>>

beforeEach(async () => {
  sourceServer = await startSourceServer()
  sourceServer.set('/feed.csv', { body: FILE })
  deps = await openTestDeps({ fetchAllow: [sourceServer.host] })
  supplier = await createSupplierUser(deps)
  connectionId = (await createSupplierConnection(deps, supplier, sourceServer.url('/feed.csv'))).id
  shop = await createLinkedRetailer(deps, supplier)
  await deps.work()
})
afterEach(async () => {
  await deps.close()
  await sourceServer.close()
})

describe('the column policy of a connection', () => {
  it('shows the columns with a sample, and which of them is what', async () => {
    expect(await readColumnPolicy(deps, supplier, connectionId)).toEqual({
      policy: columnPolicySchema.parse({}),
      columnCount: 5,
      columns: [
        { name: 'sku', sample: '1' },
        { name: 'name', sample: 'Boot' },
        { name: 'category', sample: 'Shoes' },
        { name: 'stock', sample: '4' },
        { name: 'cost', sample: '9.99' },
      ],
      numbers: [{ column: 'stock', style: null, example: null }],
      found: {
        sku: 'sku',
        quantity: 'stock',
        barcode: null,
        price: null,
        restockDate: null,
        restockQuantity: null,
        cost: 'cost',
        currency: null,
      },
    })
  })

  it('gives texts a quantity, for all shop formats with quantities', async () => {
    const found = await findStockTexts(deps, supplier, { id: connectionId, column: 'stock' })
    expect(found).toEqual({ texts: [{ text: 'high', rows: 1 }], isWhole: true })
    const stock = shopFormatSchema.parse({ kind: 'stock' })
    await saveShopFormat(deps, shop.user, { id: shop.id, profile: stock })
    const policy = columnPolicySchema.parse({ stockTexts: [{ text: 'High', quantity: 25 }] })
    await saveColumnPolicy(deps, supplier, { id: connectionId, policy })
    await deps.queue.idle()
    const file = await previewRetailerFile(deps, shop.user, shop.id)
    expect(file).toMatchObject({
      rows: [
        ['1', '4'],
        ['2', '25'],
        ['3', '0'],
      ],
    })
  })

  it('leaves no request for what was visible before', async () => {
    const idle = { ...deps, queue: { ...deps.queue, add: async () => undefined } }
    for (const hidden of [['cost'], ['name'], ['stock']]) {
      const policy = columnPolicySchema.parse({ hidden })
      await saveColumnPolicy(idle, supplier, { id: connectionId, policy })
    }
    expect(await deps.db.selectFrom('variants').select('view').execute()).toMatchObject([
      { view: { hidden: ['stock'] } },
    ])
  })

  it('belongs to the supplier', async () => {
    const stranger = await createSupplierUser(deps)
    const policy = columnPolicySchema.parse({ hidden: ['sku'] })
    for (const attempt of [
      () => readColumnPolicy(deps, stranger, connectionId),
      () => saveColumnPolicy(deps, stranger, { id: connectionId, policy }),
      () => findStockTexts(deps, stranger, { id: connectionId, column: 'stock' }),
    ]) {
      await expect(attempt()).rejects.toThrow('not found')
    }
  })
})
