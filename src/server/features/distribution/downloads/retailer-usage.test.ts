import { afterEach, beforeEach, describe, expect, it } from 'vitest'

import { READING_STATES, type ReadingState } from '../../../../shared/constants'
import { DAY_MS } from '../../../../shared/durations'
import { createDestinationInput } from '../../../../shared/schemas/destination'
import {
  createLinkedRetailer,
  createSupplierConnection,
  createSupplierUser,
} from '../../../testing/fixtures/factories'
import { startSourceServer, type SourceServer } from '../../../testing/servers/source-server'
import { cleanUp } from '../../../testing/stages/clean-up'
import { openTestDeps, type TestDeps } from '../../../testing/stages/test-deps'
import type { UserRecord } from '../../people/accounts/users.queries'
import { createDestination } from '../destinations/destinations'
import { deleteRetailer, pageRetailers, updateRetailer } from '../retailers/retailers'
import { listDownloads } from './download-history'
import { toDay } from './pull-days'
import { getLatestFile, openRetailerFile } from './retailer-files'
import { countReaders, listRetailerUsage } from './retailer-usage'

let deps: TestDeps
let sourceServer: SourceServer
let supplier: UserRecord

beforeEach(async () => {
  sourceServer = await startSourceServer()
  deps = await openTestDeps({ fetchAllow: [sourceServer.host] })
  supplier = await createSupplierUser(deps)
})
afterEach(async () => {
  await deps.close()
  await sourceServer.close()
})

async function publish(body: string) {
  sourceServer.set('/feed.csv', { body })
  await createSupplierConnection(deps, supplier, sourceServer.url('/feed.csv'))
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

  const read = async (actor: UserRecord, id: number, userAgent = 'curl/8', isSent = true) => {
    const file = await getLatestFile(deps, actor, id)
    const fileName = 'fileName' in file ? file.fileName : ''
    const { onRead } = await openRetailerFile(deps, actor, { id, fileName })
    await onRead?.({ userAgent, isSent })
    await deps.pulls.flush()
  }
  const now = () => new Date(deps.clock.now()).toISOString()
  const WORKS = { isSilent: false, isDeliveryPaused: false }
  const UNREAD = { lastPull: null, client: null, pullsIn7Days: 0, versionsBehind: null }

  it('has the last read of the retailer itself, not that of its supplier', async () => {
    const { id, user } = await createLinkedRetailer(deps, supplier)
    expect(await readUsage([id])).toEqual([{ id, visibleRows: null, ...UNREAD, ...WORKS }])
    await publish('sku,qty\r\n1,5\r\n')
    await read(supplier, id)
    expect(await readUsage([id])).toMatchObject([UNREAD])
    await read(user, id)
    expect(await readUsage([id])).toMatchObject([
      { lastPull: now(), client: 'curl', pullsIn7Days: 1, versionsBehind: 0 },
    ])
  })

  it('counts the reads of seven days, also those that found the file unchanged', async () => {
    const { id, user } = await createLinkedRetailer(deps, supplier)
    await publish('sku,qty\r\n1,5\r\n')
    for (const days of [0, 3, 3]) {
      deps.clock.advance(days * DAY_MS)
      await read(user, id)
      await read(user, id, 'Wget/1.25', false)
    }
    expect(await readUsage([id])).toMatchObject([{ pullsIn7Days: 6, client: 'Wget' }])
    deps.clock.advance(DAY_MS)
    expect(await readUsage([id])).toMatchObject([{ pullsIn7Days: 4 }])
    const downloads = await listDownloads(deps, user, id)
    expect(downloads.map(({ client }) => client)).toEqual(['curl', 'curl', 'curl'])
  })

  it('counts also what the version before records, which the clean-up packs', async () => {
    const { id, user } = await createLinkedRetailer(deps, supplier)
    await publish('sku,qty\r\n1,5\r\n')
    await read(user, id)
    const today = toDay(deps.clock.now())
    const row = { retailerId: id, versionId: 1, client: 'Wget', pullCount: 3 }
    for (const ago of [100, 7, 6, 1, 0]) {
      const lastPulledAt = deps.clock.now() - ago * DAY_MS - 1
      const day = { ...row, day: today - ago, lastPulledAt }
      await deps.db.insertInto('pullDays').values(day).execute()
    }
    const usage = await readUsage([id])
    expect(usage).toMatchObject([{ lastPull: now(), client: 'curl', pullsIn7Days: 10 }])
    await cleanUp(deps)
    expect(await readUsage([id])).toEqual(usage)
    expect(await deps.db.selectFrom('pullDays').selectAll().execute()).toEqual([])
  })

  it('says how many versions a retailer is behind', async () => {
    const { id, user } = await createLinkedRetailer(deps, supplier)
    await publish('sku,qty\r\n1,5\r\n')
    await read(user, id)
    for (const quantity of [6, 7]) {
      sourceServer.set('/feed.csv', { body: `sku,qty\r\n1,${quantity}\r\n` })
      deps.clock.advance(DAY_MS)
      await deps.work()
    }
    expect(await readUsage([id])).toMatchObject([{ versionsBehind: 2 }])
    await read(user, id)
    expect(await readUsage([id])).toMatchObject([{ versionsBehind: 0 }])
  })

  it('calls a retailer silent that has stopped for three days, or three of its updates', async () => {
    const daily = await createLinkedRetailer(deps, supplier)
    const weekly = await createLinkedRetailer(deps, supplier)
    const never = await createLinkedRetailer(deps, supplier)
    await updateRetailer(deps, supplier, { id: weekly.id, syncFrequency: 7 * 24 * 60 })
    await publish('sku,qty\r\n1,5\r\n')
    for (const { user, id } of [daily, weekly]) await read(user, id)
    const silent = async () =>
      (await readUsage([daily.id, weekly.id, never.id])).map(({ isSilent }) => isSilent)
    deps.clock.advance(3 * DAY_MS)
    expect(await silent()).toEqual([false, false, false])
    deps.clock.advance(1)
    expect(await silent()).toEqual([true, false, false])
    deps.clock.advance(18 * DAY_MS)
    expect(await silent()).toEqual([true, true, false])
  })

  it('tells which retailers read in which way, each of which can be listed', async () => {
    const daily = await createLinkedRetailer(deps, supplier)
    const weekly = await createLinkedRetailer(deps, supplier)
    const never = await createLinkedRetailer(deps, supplier)
    await createLinkedRetailer(deps, await createSupplierUser(deps))
    await updateRetailer(deps, supplier, { id: weekly.id, syncFrequency: 7 * 24 * 60 })
    const count = () => countReaders(deps, supplier)
    const list = async (reading: ReadingState) => {
      const page = await pageRetailers(deps, supplier, { q: '', page: 1, reading })
      expect(page).toMatchObject({ totalCount: 3, matchCount: page.rows.length })
      return page.rows.map(({ id }) => id)
    }
    const listed = async () =>
      Object.fromEntries(
        await Promise.all(READING_STATES.map(async (state) => [state, await list(state)] as const)),
      )
    expect(await count()).toEqual({ total: 3, day: 0, behind: 0, silent: 0, never: 3, paused: 0 })
    await publish('sku,qty\r\n1,5\r\n')
    for (const { user, id } of [daily, weekly]) await read(user, id)
    expect(await count()).toEqual({ total: 3, day: 2, behind: 0, silent: 0, never: 1, paused: 0 })
    sourceServer.set('/feed.csv', { body: 'sku,qty\r\n1,6\r\n' })
    deps.clock.advance(3 * DAY_MS + 1)
    await deps.work()
    expect(await count()).toEqual({ total: 3, day: 0, behind: 2, silent: 1, never: 1, paused: 0 })
    await read(weekly.user, weekly.id)
    expect(await listed()).toEqual({
      day: [weekly.id],
      // One that updates weekly reads the file of its week.
      behind: [daily.id, weekly.id],
      silent: [daily.id],
      never: [never.id],
      paused: [],
    })
  })

  it('tells which retailers have a destination that is paused, until it is switched off', async () => {
    const [one, other] = [
      await createLinkedRetailer(deps, supplier),
      await createLinkedRetailer(deps, supplier),
    ]
    for (const { id, user } of [one, other]) {
      const config = { url: 'https://erp.example/in/' }
      const input = createDestinationInput.parse({ id, name: 'ERP', config })
      await createDestination(deps, user, input)
    }
    const pausedOnes = async () => {
      const page = await pageRetailers(deps, supplier, { q: '', page: 1, reading: 'paused' })
      const usage = await readUsage([one.id, other.id])
      const { paused } = await countReaders(deps, supplier)
      const told = usage.flatMap(({ id, isDeliveryPaused }) => (isDeliveryPaused ? [id] : []))
      return { listed: page.rows.map(({ id }) => id), told, count: paused }
    }
    const change = (values: { pausedAt?: number; isActive?: boolean }) =>
      deps.db.updateTable('destinations').set(values).where('retailerId', '=', one.id).execute()
    expect(await pausedOnes()).toEqual({ listed: [], told: [], count: 0 })
    await change({ pausedAt: deps.clock.now() })
    expect(await pausedOnes()).toEqual({ listed: [one.id], told: [one.id], count: 1 })
    await change({ isActive: false })
    expect(await pausedOnes()).toEqual({ listed: [], told: [], count: 0 })
  })

  it('is not recorded for a retailer that has been deleted meanwhile', async () => {
    const { id, user } = await createLinkedRetailer(deps, supplier)
    const other = await createLinkedRetailer(deps, supplier)
    await publish('sku,qty\r\n1,5\r\n')
    const file = await getLatestFile(deps, user, id)
    const fileName = 'fileName' in file ? file.fileName : ''
    const { onRead } = await openRetailerFile(deps, user, { id, fileName })
    await onRead?.({ isSent: true })
    await deleteRetailer(deps, supplier, id)
    await read(other.user, other.id)
    expect(await readUsage([other.id])).toMatchObject([{ pullsIn7Days: 1 }])
    for (const table of ['retailerPulls', 'recentDownloads'] as const) {
      expect(await deps.db.selectFrom(table).select('retailerId').execute()).toEqual([
        { retailerId: other.id },
      ])
    }
  })

  it('is refused as a whole when one retailer is another supplier’s', async () => {
    const { id } = await createLinkedRetailer(deps, supplier)
    const other = await createLinkedRetailer(deps, await createSupplierUser(deps))
    await expect(readUsage([id, other.id])).rejects.toMatchObject({ code: 'NOT_FOUND' })
    expect(await readUsage([])).toEqual([])
  })
})
