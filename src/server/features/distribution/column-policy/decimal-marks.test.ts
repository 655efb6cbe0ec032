import { afterEach, beforeEach, describe, expect, it } from 'vitest'

import { columnPolicySchema } from '../../../../shared/schemas/column-policy'
import { shopFormatSchema } from '../../../../shared/schemas/shop-format'
import {
  createLinkedRetailer,
  createSupplierConnection,
  createSupplierUser,
  removeGuards,
} from '../../../testing/fixtures/factories'
import { startSourceServer, type SourceServer } from '../../../testing/servers/source-server'
import { openTestDeps, type TestDeps } from '../../../testing/stages/test-deps'
import { listConnections } from '../../catalogue/connections/connections'
import { readFindings } from '../../catalogue/versions/connection-files'
import type { UserRecord } from '../../people/accounts/users.queries'
import { publishVersion } from '../../publication/publishing/publications'
import { listVersionHistory } from '../../publication/publishing/version-list'
import { previewRetailerFile } from '../downloads/retailer-files'
import { previewShopFormat, saveShopFormat } from '../shop-formats/shop-formats'
import { readColumnPolicy, saveColumnPolicy } from './column-policy'

const STOCK = shopFormatSchema.parse({ kind: 'stock' })

let sourceServer: SourceServer
let deps: TestDeps
let supplier: UserRecord
let id: number
let shop: Awaited<ReturnType<typeof createLinkedRetailer>>

beforeEach(async () => {
  sourceServer = await startSourceServer()
  deps = await openTestDeps({ fetchAllow: [sourceServer.host] })
  supplier = await createSupplierUser(deps)
})
afterEach(async () => {
  await deps.close()
  await sourceServer.close()
})

/** A file of ten rows and more, which the guard compares. */
function fileOf(...cells: string[]): string {
  const others = Array.from({ length: 10 }, (_, row) => `Z${row},Other,0,1\r\n`)
  const rows = cells.map((cell, row) => `A${row},Boots,"${cell}","${cell}"\r\n`)
  return `sku,name,stock,weight\r\n${[...rows, ...others].join('')}`
}

async function connect(...cells: string[]) {
  sourceServer.set('/feed.csv', { body: fileOf(...cells) })
  id = (await createSupplierConnection(deps, supplier, sourceServer.url('/feed.csv'))).id
  shop = await createLinkedRetailer(deps, supplier)
  await deps.work()
  await deps.db.updateTable('retailers').set({ syncFrequencyMinutes: 0 }).execute()
  await saveShopFormat(deps, shop.user, { id: shop.id, profile: STOCK })
  await deps.work()
}

async function receive(...cells: string[]) {
  sourceServer.set('/feed.csv', { body: fileOf(...cells) })
  await sync()
}

async function sync() {
  const nextSyncAt = (await listConnections(deps, supplier))[0]?.nextSyncAt
  deps.clock.advance(Math.max(0, Date.parse(nextSyncAt ?? '') - deps.clock.now()))
  await deps.work()
}

async function quantities() {
  const file = await previewRetailerFile(deps, shop.user, shop.id)
  if ('message' in file) throw new Error(file.message)
  return file.rows.filter(([sku]) => sku?.startsWith('A')).map(([, quantity]) => quantity)
}

async function notes() {
  const findings = await readFindings(deps, supplier, id)
  return 'problems' in findings ? findings.problems.map(({ message }) => message) : []
}

async function newestComparison() {
  const { difference } = await deps.db
    .selectFrom('versions')
    .select('difference')
    .where('status', '=', 'published')
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirstOrThrow()
  return difference
}

const save = async (policy: object) => {
  await saveColumnPolicy(deps, supplier, { id, policy: columnPolicySchema.parse(policy) })
  await deps.work()
}

describe('quantities with commas and three digits', () => {
  it('are decimals where a later row shows it, also in a file that does not show it any more', async () => {
    await connect('12,000', '1.002,000', '0,500')
    expect(await quantities()).toEqual(['12', '1002', '0'])
    expect(await notes()).toEqual([])
    await receive('12,000', '1.007')
    // The last one is that of an item that has left the file.
    expect(await quantities()).toEqual(['12', '1007', '0'])
    expect(await notes()).toEqual([
      '“12,000” in the column “stock” is read as 12, as earlier files have shown.',
    ])
  })

  it('are thousands where nothing shows it, until the supplier chooses; both at once', async () => {
    await connect('12,000', '5')
    expect(await quantities()).toEqual(['12000', '5'])
    expect(await notes()).toEqual([
      '“12,000” in the column “stock” is read as 12000, because nothing shows whether these are ' +
        'thousands or decimals.',
    ])
    const { problems } = await previewShopFormat(deps, shop.user, { id: shop.id, profile: STOCK })
    expect(problems.map(({ message }) => message)).toEqual(await notes())
    await save({ decimalMark: 'comma' })
    expect(await quantities()).toEqual(['12', '5'])
    expect(await notes()).toEqual([])
    const { numbers } = await readColumnPolicy(deps, supplier, id)
    const example = { text: '12,000', comma: 12, point: 12_000 }
    expect(numbers).toEqual([{ column: 'stock', style: 'thousands', example }])
    await receive('13,000', '5')
    expect(await quantities()).toEqual(['13', '5'])
    expect(
      (await listVersionHistory(deps, supplier, id)).versions.map(({ state }) => state),
    ).toEqual(['current', 'replaced'])
  })

  it('are compared only with those that were read in the same way', async () => {
    await connect('12,000', '5,000')
    // Otherwise the file is held, because shops would be told a thousandth.
    await removeGuards(deps)
    await receive('12,000', '6,000', '0,500')
    expect(await newestComparison()).toMatchObject({
      changed: 1,
      quantityDown: 0,
      quantityUp: 0,
      newlyZero: 0,
    })
    expect(await quantities()).toEqual(['12', '6', '0'])
    await receive('11,000', '6,000', '0,500')
    expect(await newestComparison()).toMatchObject({
      quantityDown: 1,
      examples: [{ kind: 'down', before: 12, after: 11 }],
    })
  })

  it('are judged in a column that is chosen afterwards', async () => {
    await connect('12,000', '0,500')
    await save({ roles: { quantity: 'weight' } })
    expect(await quantities()).toEqual(['12', '0'])
  })

  it('are read as later files have shown in one that is published again', async () => {
    await connect('12,000', '5')
    const [first] = (await listVersionHistory(deps, supplier, id)).versions
    await removeGuards(deps)
    await receive('12,000', '0,500')
    await publishVersion(deps, supplier, { id, versionId: first!.id })
    await deps.work()
    expect(await quantities()).toEqual(['12', '5'])
  })

  it('are published anew if an older release has published them otherwise', async () => {
    await connect('12,000', '0,500')
    const [{ id: versionId } = { id: 0 }] = (await listVersionHistory(deps, supplier, id)).versions
    const older = { numbers: null, quantitySum: 12_010.5 }
    await deps.db.updateTable('versions').set(older).where('id', '=', versionId).execute()
    const count = async () => (await listVersionHistory(deps, supplier, id)).versions.length
    await sync()
    expect(await count()).toBe(2)
    await sync()
    expect(await count()).toBe(2)
    expect(await quantities()).toEqual(['12', '0'])
  })
})
