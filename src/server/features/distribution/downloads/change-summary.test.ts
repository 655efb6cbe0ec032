import { afterEach, beforeEach, describe, expect, it } from 'vitest'

import { DAY_MS } from '../../../../shared/durations'
import {
  createLinkedRetailer,
  createSupplierConnection,
  createSupplierUser,
  removeGuards,
} from '../../../testing/fixtures/factories'
import { startSourceServer, type SourceServer } from '../../../testing/servers/source-server'
import { openTestDeps, type TestDeps } from '../../../testing/stages/test-deps'
import type { UserRecord } from '../../people/accounts/users.queries'
import { updateRetailer } from '../retailers/retailers'
import { readChangeSummary } from './change-summary'
import { getLatestFile } from './retailer-files'

const makeFile = (...categories: string[]) =>
  `sku,category\r\n${categories.map((name, row) => `${row},${name}\r\n`).join('')}`

describe('the changes since a retailer’s last file', () => {
  let sourceServer: SourceServer
  let deps: TestDeps
  let supplier: UserRecord
  let retailer: { id: number; user: UserRecord }

  beforeEach(async () => {
    sourceServer = await startSourceServer()
    deps = await openTestDeps({ fetchAllow: [sourceServer.host] })
    supplier = await createSupplierUser(deps)
    retailer = await createLinkedRetailer(deps, supplier)
    const first = ['Hats > Caps', 'Hats > Berets', 'Shoes', 'Shoes', 'Toys > Trains']
    sourceServer.set('/feed.csv', { body: makeFile(...first) })
    await createSupplierConnection(deps, supplier, sourceServer.url('/feed.csv'))
    await deps.work()
    await latest()
  })
  afterEach(async () => {
    await deps.close()
    await sourceServer.close()
  })

  const latest = () => getLatestFile(deps, retailer.user, retailer.id)
  const changes = (actor: UserRecord = retailer.user) => readChangeSummary(deps, actor, retailer.id)

  async function publish(body: string) {
    sourceServer.set('/feed.csv', { body })
    deps.clock.advance(DAY_MS)
    await deps.db.updateTable('connections').set({ nextSyncAt: deps.clock.now() }).execute()
    await deps.work()
  }

  it('are none for the first file', async () => {
    expect(await changes()).toBeNull()
  })

  it('are the rows before and now, and the topmost categories that appeared or vanished', async () => {
    const previousDataAsOf = new Date(deps.clock.now()).toISOString()
    await publish(makeFile('hats > caps', 'Shoes', 'Bags > Red', 'Bags > Blue', 'Shoes > Boots'))
    expect(await changes()).toEqual({
      rowCount: 5,
      previousRowCount: 5,
      previousDataAsOf,
      appeared: { count: 2, names: ['Bags', 'Shoes > Boots'] },
      vanished: { count: 2, names: ['Hats > Berets', 'Toys'] },
    })
  })

  it('are those of the rows that the retailer may see', async () => {
    await publish(makeFile('Hats > Caps', 'Hats > Caps', 'Hats > Tall', 'Secret', 'Secret'))
    const visibilitySettings = { allProducts: false, categories: ['Hats'] }
    await updateRetailer(deps, supplier, { id: retailer.id, visibilitySettings })
    await latest()
    await deps.work()
    const expected = {
      rowCount: 3,
      previousRowCount: 2,
      appeared: { count: 1, names: ['Hats > Tall'] },
      vanished: { count: 1, names: ['Hats > Berets'] },
    }
    await latest()
    expect(await changes()).toMatchObject(expected)
    expect(await changes(supplier)).toMatchObject(expected)
  })

  it('name no categories when a file has no category column', async () => {
    await removeGuards(deps)
    await publish('sku,qty\r\n1,2\r\n')
    expect(await changes()).toMatchObject({
      rowCount: 1,
      previousRowCount: 5,
      appeared: null,
      vanished: null,
    })
  })

  it('are listed up to ten, and counted', async () => {
    await publish(makeFile(...Array.from({ length: 30 }, (_, row) => `New ${row}`)))
    const { appeared } = (await changes()) ?? {}
    expect(appeared?.count).toBe(30)
    expect(appeared?.names).toHaveLength(10)
  })

  it('are shown to no other supplier or retailer', async () => {
    const other = await createLinkedRetailer(deps, supplier)
    for (const actor of [await createSupplierUser(deps), other.user]) {
      await expect(changes(actor)).rejects.toMatchObject({ status: 404 })
    }
  })
})
