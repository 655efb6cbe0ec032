import { text } from 'node:stream/consumers'

import { afterEach, beforeEach, describe, expect, it } from 'vitest'

import { MINUTE_MS } from '../../../../shared/durations'
import { shopFormatSchema, type ShopFormat } from '../../../../shared/schemas/shop-format'
import type { AskedForm } from '../../../domain/variant-spec'
import {
  createLinkedRetailer,
  createSupplierConnection,
  createSupplierUser,
  removeGuards,
} from '../../../testing/fixtures/factories'
import { startSourceServer, type SourceServer } from '../../../testing/servers/source-server'
import { openTestDeps, type TestDeps } from '../../../testing/stages/test-deps'
import type { UserRecord } from '../../people/accounts/users.queries'
import { findAndRecordLatestFile } from '../downloads/latest-file'
import { loadRetailer, updateRetailer } from '../retailers/retailers'
import { readShopFormat, saveShopFormat } from '../shop-formats/shop-formats'
import { enforceStorageLimits } from './storage-quota'

const KB = 1_024
/** About 40 KB. */
const fileOf = (stock: number, width: number) =>
  `sku,name,stock\r\n${Array.from(
    { length: 200 },
    (_, row) => `${row},${'n'.repeat(width)},${stock}\r\n`,
  ).join('')}`

type Shop = Awaited<ReturnType<typeof createLinkedRetailer>>

let sourceServer: SourceServer
let deps: TestDeps
let supplier: UserRecord
let shops: Shop[]

beforeEach(async () => {
  sourceServer = await startSourceServer()
  // Seven files of 46 KB with their keys have room, and half as much is left for two shops.
  deps = await openTestDeps({
    fetchAllow: [sourceServer.host],
    maxStoragePerSupplierBytes: 340 * KB,
  })
  supplier = await createSupplierUser(deps)
  shops = [await createLinkedRetailer(deps, supplier), await createLinkedRetailer(deps, supplier)]
  for (const { id } of shops) await updateRetailer(deps, supplier, { id, syncFrequency: 0 })
  await publish(1)
  await removeGuards(deps)
})
afterEach(async () => {
  await deps.close()
  await sourceServer.close()
})

async function publish(stock: number, width = 190) {
  sourceServer.set('/feed.csv', { body: fileOf(stock, width) })
  const known = await deps.db.selectFrom('connections').select('id').execute()
  if (known.length === 0)
    await createSupplierConnection(deps, supplier, sourceServer.url('/feed.csv'))
  deps.clock.advance(MINUTE_MS)
  await deps.db.updateTable('connections').set({ nextSyncAt: deps.clock.now() }).execute()
  await deps.work()
}

const choose = ({ id, user }: Shop, profile: Partial<ShopFormat>) =>
  saveShopFormat(deps, user, { id, profile: shopFormatSchema.parse(profile) })

/** Four columns of the retailer with the longest names. */
const long = (mark: string): Partial<ShopFormat> => ({
  kind: 'own',
  columns: ['sku', 'name', 'stock', 'sku'].map((column, place) => ({
    column,
    header: `${mark}${place}`.padEnd(100, 'x'),
  })),
})

/** Asks for a file as a shop does, and lets it be built. */
async function read({ id, user }: Shop, { asked }: { asked?: AskedForm } = {}) {
  const ask = async () =>
    findAndRecordLatestFile(deps, user, await loadRetailer(deps.db, user, id), asked)
  await ask()
  await deps.work()
  const file = await ask()
  return file?.status === 'ready'
    ? {
        versionId: file.version.id,
        start: (await text(await deps.files.read(file.sha256))).slice(0, 260),
      }
    : file?.refusal
}

const countVersions = async () =>
  (await deps.db.selectFrom('versions').select('id').execute()).length
const variants = () => deps.db.selectFrom('variants').selectAll().orderBy('id').execute()

describe('the files of retailers', () => {
  it('cost no version of their supplier, however many they ask for', async () => {
    for (let stock = 2; stock <= 7; stock++) await publish(stock)
    expect(await countVersions()).toBe(7)
    const [greedy] = shops as [Shop, Shop]
    for (const mark of ['a', 'b', 'c', 'd', 'e']) {
      await choose(greedy, long(mark))
      await read(greedy)
      await read(greedy, { asked: 'json' })
      expect(await countVersions()).toBe(7)
    }
    deps.clock.advance(2 * MINUTE_MS)
    const { id } = await deps.db.selectFrom('connections').select('id').executeTakeFirstOrThrow()
    await enforceStorageLimits(deps, id)
    expect(await countVersions()).toBe(7)
    const bytes = (await variants()).reduce((sum, { sizeBytes }) => sum + (sizeBytes ?? 0), 0)
    expect(bytes).toBeLessThanOrEqual(170 * KB)
  })

  it('make room for another retailer within its share, at once', async () => {
    const [greedy, modest] = shops as [Shop, Shop]
    for (const mark of ['a', 'b', 'c', 'd']) {
      await choose(greedy, { kind: 'own', skuPrefix: mark })
      await read(greedy)
    }
    expect((await variants()).length).toBeGreaterThan(3)
    await choose(modest, { kind: 'own', skuPrefix: 'm' })
    expect(await read(modest)).toMatchObject({ start: expect.stringContaining('m0,') })
    await publish(2)
    expect(await read(modest)).toMatchObject({ start: expect.stringContaining(',2\r\n') })
    expect(await countVersions()).toBe(2)
  })

  it('are refused with the reason when one alone takes more than there is', async () => {
    const [greedy, modest] = shops as [Shop, Shop]
    await choose(modest, { kind: 'own', skuPrefix: 'm' })
    await choose(greedy, long('a'))
    const csv = await read(greedy)
    await read(modest)
    const refusal = await read(greedy, { asked: 'json' })
    const reason = /^There was no room for this file/
    expect(refusal).toMatch(reason)
    for (const [actor, { id }] of [
      [greedy.user, greedy],
      [supplier, greedy],
    ] as const) {
      const { problems } = await readShopFormat(deps, actor, id)
      expect(problems).toMatchObject([
        { message: expect.stringMatching(/^JSON: There was no room/) },
      ])
    }
    // What it has stays, and what others have.
    expect(await read(greedy)).toEqual(csv)
    expect(await read(modest)).toMatchObject({ start: expect.stringContaining('m0,') })
    // Settings that make it smaller mend it.
    await choose(greedy, { kind: 'stock' })
    expect(await read(greedy, { asked: 'json' })).toMatchObject({
      start: expect.stringContaining('"quantity":1}'),
    })
  })

  it('make place for those of a newer version, and stay when those have no room', async () => {
    const [greedy, modest] = shops as [Shop, Shop]
    deps.config.maxStoragePerSupplierBytes = 100 * KB
    await choose(modest, { kind: 'stock' })
    await choose(greedy, { kind: 'own', skuPrefix: 'm' })
    await read(modest)
    await read(greedy)
    await publish(2)
    const second = await read(greedy)
    expect(second).toMatchObject({ start: expect.stringContaining(',2\r\n') })
    expect((await readShopFormat(deps, supplier, greedy.id)).problems).toEqual([])
    await publish(3, 500)
    await read(greedy)
    expect(await read(greedy)).toEqual(second)
    const { problems } = await readShopFormat(deps, supplier, greedy.id)
    expect(problems?.[0]?.message).toContain('There was no room')
    expect(await read(modest)).toMatchObject({ start: expect.stringContaining('0,3\n') })
    await publish(4)
    expect(await read(greedy)).toMatchObject({ start: expect.stringContaining(',4\r\n') })
  })

  it('are refused with the reason when names make them many times larger', async () => {
    const [greedy] = shops as [Shop, Shop]
    sourceServer.set('/feed.csv', { body: `sku,stock\r\n${'1,1\r\n'.repeat(20_000)}` })
    deps.config.maxStoragePerSupplierBytes = 1_000 * KB * KB
    deps.clock.advance(MINUTE_MS)
    await deps.db.updateTable('connections').set({ nextSyncAt: deps.clock.now() }).execute()
    await deps.work()
    const columns = Array.from({ length: 4 }, () => ({ column: 'sku', header: 'x'.repeat(100) }))
    await choose(greedy, { kind: 'own', columns })
    expect(await read(greedy, { asked: 'json' })).toContain('16 times larger than its source')
  })
})
