import { afterEach, beforeEach, describe, expect, it } from 'vitest'

import { columnPolicySchema } from '../../../../shared/schemas/column-policy'
import { shopFormatSchema, type ShopFormat } from '../../../../shared/schemas/shop-format'
import type { AskedForm } from '../../../domain/variant-spec'
import {
  createLinkedRetailer,
  createSupplierConnection,
  createSupplierUser,
} from '../../../testing/fixtures/factories'
import { startSourceServer, type SourceServer } from '../../../testing/servers/source-server'
import { openTestDeps, type TestDeps } from '../../../testing/stages/test-deps'
import type { UserRecord } from '../../people/accounts/users.queries'
import { saveColumnPolicy } from '../column-policy/column-policy'
import { readChangeSummary } from '../downloads/change-summary'
import {
  browseRetailerRows,
  getLatestFile,
  openRetailerFile,
  previewRetailerFile,
} from '../downloads/retailer-files'
import { openContent } from '../stored-files/open-content'
import { previewShopFormat, readShopFormat, saveShopFormat } from './shop-formats'

const FILE =
  'sku,name,category,stock,cost\r\n1,Boot,Shoes,4,9.99\r\n2,Cap,Hats,high,1.99\r\n3,Hat,Hats,0,2.99\r\n'
const HATS = { allProducts: false, categories: ['Hats'] }

let sourceServer: SourceServer
let deps: TestDeps
let supplier: UserRecord
let connectionId: number
type Shop = Awaited<ReturnType<typeof createLinkedRetailer>>
let shop: Shop

beforeEach(async () => {
  sourceServer = await startSourceServer()
  sourceServer.set('/feed.csv', { body: FILE })
  deps = await openTestDeps({ fetchAllow: [sourceServer.host] })
  supplier = await createSupplierUser(deps)
  const connection = await createSupplierConnection(deps, supplier, sourceServer.url('/feed.csv'))
  connectionId = connection.id
  shop = await createLinkedRetailer(deps, supplier)
  await deps.work()
})
afterEach(async () => {
  await deps.close()
  await sourceServer.close()
})

const formatOf = (profile: Partial<ShopFormat>) => shopFormatSchema.parse(profile)
const save = async (profile: Partial<ShopFormat>, { id, user } = shop) => {
  await saveShopFormat(deps, user, { id, profile: formatOf(profile) })
  await deps.queue.idle()
}
const hide = async (...hidden: string[]) => {
  const policy = columnPolicySchema.parse({ hidden })
  await saveColumnPolicy(deps, supplier, { id: connectionId, policy })
  await deps.queue.idle()
}
const latest = async ({ id, user } = shop) => {
  const file = await getLatestFile(deps, user, id)
  if (!('fileName' in file)) throw new Error(file.message)
  return file
}
async function download({ id, user } = shop, asked: AskedForm = 'own'): Promise<string> {
  const { fileName } = await latest({ id, user })
  const file = await openRetailerFile(deps, user, { id, fileName, asked })
  const range = { start: 0, end: file.sizeBytes - 1 }
  const content = await openContent(deps, file, range)
  return Buffer.isBuffer(content) ? content.toString() : (await content.toArray()).join('')
}
/** Asks for a file that is built on demand, and waits until it is. */
async function order(...file: Parameters<typeof download>) {
  await expect(download(...file)).rejects.toThrow('being prepared')
  await deps.queue.idle()
}
const countVariants = async () =>
  (await deps.db.selectFrom('variants').select('id').execute()).length

describe('the shop format of a retailer', () => {
  it('decides in which form it gets its file, which is ready when it is saved', async () => {
    expect(await download()).toBe(FILE)
    await save({ kind: 'stock', buffer: 1 })
    expect(await latest()).toMatchObject({
      rowCount: 3,
      fileSize: 'sku,quantity\n1,3\n2,0\n3,0\n'.length,
    })
    expect(await download()).toBe('sku,quantity\n1,3\n2,0\n3,0\n')
    await save({})
    expect(await download()).toBe(FILE)
  })

  it('applies to the rows of its categories', async () => {
    const hats = await createLinkedRetailer(deps, supplier, HATS)
    await save({ kind: 'stock' }, hats)
    expect(await download(hats)).toBe('sku,quantity\n2,0\n3,0\n')
  })

  it('is also that of what it browses and previews, whatever separates the cells', async () => {
    await save({ kind: 'google', skuPrefix: 'x,' })
    const { fileName } = await latest()
    const { id, user } = shop
    expect(await previewRetailerFile(deps, user, id)).toMatchObject({
      columns: ['id', 'availability'],
      columnCount: 2,
      rows: [
        ['x,1', 'in_stock'],
        ['x,2', 'out_of_stock'],
        ['x,3', 'out_of_stock'],
      ],
    })
    const page = await browseRetailerRows(deps, user, { id, fileName, q: 'x,2', cursor: null })
    expect(page.rows).toEqual([{ number: 2, cells: ['x,2', 'out_of_stock'] }])
  })

  it('leads to one file for all retailers with the same one, however it was typed', async () => {
    const other = await createLinkedRetailer(deps, supplier)
    await save({ kind: 'stock', buffer: 1 })
    await save({ kind: 'stock', buffer: 1, location: 'ignored' }, other)
    expect(await countVariants()).toBe(1)
    expect(await download(other)).toBe(await download())
  })

  it('is built in advance when the supplier publishes', async () => {
    await save({ kind: 'stock' })
    await download()
    deps.clock.advance(25 * 60 * 60_000)
    sourceServer.set('/feed.csv', { body: FILE.replace(',4,', ',7,') })
    await deps.work()
    expect(await download()).toContain('1,7\n')
  })

  it('is refused when the file lacks a column that it needs, and nothing changes', async () => {
    const wrong = formatOf({ kind: 'stock', hasBarcode: true })
    await expect(saveShopFormat(deps, shop.user, { id: shop.id, profile: wrong })).rejects.toThrow(
      'This profile needs a column with the barcode, which the file does not have.',
    )
    expect((await readShopFormat(deps, shop.user, shop.id)).profile).toEqual(formatOf({}))
  })

  it('may be set by its supplier too, but by no other one', async () => {
    const stranger = await createSupplierUser(deps)
    const input = { id: shop.id, profile: formatOf({ kind: 'stock' }) }
    await expect(saveShopFormat(deps, stranger, input)).rejects.toThrow('not found')
    await expect(previewShopFormat(deps, stranger, input)).rejects.toThrow('not found')
    await saveShopFormat(deps, supplier, input)
    expect((await readShopFormat(deps, shop.user, shop.id)).profile.kind).toBe('stock')
  })

  it('tells what was found when the file was written', async () => {
    await save({ kind: 'stock' })
    const { problems } = await readShopFormat(deps, supplier, shop.id)
    expect(problems?.map(({ message }) => message)).toEqual([
      '“high” in the quantity column is no number; 0 was written.',
    ])
  })
})

describe('the preview of a profile', () => {
  it('shows the first rows as the shop would get them, and saves nothing', async () => {
    const hats = await createLinkedRetailer(deps, supplier, HATS)
    const profile = formatOf({ kind: 'adobe', cap: 3 })
    expect(await previewShopFormat(deps, hats.user, { id: hats.id, profile })).toMatchObject({
      columns: ['source_code', 'sku', 'status', 'quantity'],
      rows: [
        ['default', '2', '0', '0'],
        ['default', '3', '0', '0'],
      ],
      isPartial: false,
    })
    await order(hats)
    expect(await download(hats)).toContain('category')
  })

  it('says what is missing', async () => {
    await hide('sku')
    const profile = formatOf({ kind: 'stock' })
    await expect(previewShopFormat(deps, shop.user, { id: shop.id, profile })).rejects.toThrow(
      'a column with the SKU',
    )
  })
})

describe('columns that a supplier hides', () => {
  it('are nowhere where a retailer reads', async () => {
    await hide('COST')
    const { fileName, fileSize } = await latest()
    const { id, user } = shop
    const text = await download()
    expect(text).toBe(FILE.replace(/,[^,]*\r\n/g, '\r\n'))
    expect(fileSize).toBe(text.length)
    await order(shop, 'json')
    expect(await download(shop, 'json')).not.toMatch(/cost|9\.99/)
    const shown = [
      await previewRetailerFile(deps, user, id),
      await browseRetailerRows(deps, user, { id, fileName, q: '', cursor: null }),
      await readShopFormat(deps, user, id),
      await previewShopFormat(deps, user, { id, profile: formatOf({ kind: 'own' }) }),
    ]
    expect(JSON.stringify(shown)).not.toMatch(/cost|9\.99/)
    const search = { id, fileName, q: '9.99', cursor: null }
    expect((await browseRetailerRows(deps, user, search)).rows).toEqual([])
  })

  it('are gone at once, also for those who read an older version', async () => {
    await download()
    await hide('cost')
    sourceServer.set('/feed.csv', { body: FILE.replace('Boot', 'Shoe') })
    await deps.db.updateTable('connections').set({ nextSyncAt: deps.clock.now() }).execute()
    await deps.work()
    const text = await download()
    expect(text).toContain('Boot')
    expect(text).not.toContain('cost')
  })

  it('are told by no category of the changes between two files', async () => {
    await hide('category')
    await download()
    deps.clock.advance(25 * 60 * 60_000)
    sourceServer.set('/feed.csv', { body: FILE.replace('Shoes', 'Boots') })
    await deps.work()
    await download()
    expect(await readChangeSummary(deps, shop.user, shop.id)).toMatchObject({
      appeared: null,
      vanished: null,
    })
  })

  it('are not shown under a new name: such a file is refused until the supplier decides', async () => {
    await hide('cost')
    const sync = async (header: string) => {
      sourceServer.set('/feed.csv', { body: FILE.replace('sku,name,category,stock,cost', header) })
      await deps.db.updateTable('connections').set({ nextSyncAt: deps.clock.now() }).execute()
      await deps.work()
      const [row] = await deps.db.selectFrom('connections').select('lastError').execute()
      return row?.lastError
    }
    expect(await sync('sku,name,category,stock,Cost price')).toContain(
      'The column “cost”, which you hide from retailers, is gone, and “Cost price” is new.',
    )
    await hide('cost', 'cost price')
    expect(await sync('sku,name,category,stock,Cost price')).toBeNull()
    expect(await download()).not.toMatch(/cost|9\.99/i)
    // This one is renamed by the product itself, so that there is nothing to decide.
    await hide('cost price', '_change')
    expect(await sync('sku,name,category,stock,_change')).toBeNull()
    expect(await download()).not.toMatch(/change|9\.99/i)
  })

  it('still select the rows of a retailer', async () => {
    const hats = await createLinkedRetailer(deps, supplier, HATS)
    await hide('category')
    expect(await download(hats)).toBe('sku,name,stock,cost\r\n2,Cap,high,1.99\r\n3,Hat,0,2.99\r\n')
  })
})

describe('a file in JSON', () => {
  it('is shared, and built in advance once it has been read', async () => {
    const ask = () => download(shop, 'json')
    await order(shop, 'json')
    expect(await ask()).toContain(
      '{"sku":"1","name":"Boot","category":"Shoes","stock":4,"cost":"9.99"}',
    )
    deps.clock.advance(25 * 60 * 60_000)
    sourceServer.set('/feed.csv', { body: FILE.replace('Boot', 'Shoe') })
    await deps.work()
    expect(await ask()).toContain('Shoe')
  })
})
