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
import { getLatestFile } from './retailer-files'
import { readRowCounts } from './row-counts'

const makeFile = (...categories: string[]) =>
  `sku,category\r\n${categories.map((name, row) => `${row},${name}\r\n`).join('')}`

describe('the rows of a retailer’s files', () => {
  let sourceServer: SourceServer
  let deps: TestDeps
  let supplier: UserRecord
  let retailer: { id: number; user: UserRecord }

  beforeEach(async () => {
    sourceServer = await startSourceServer()
    deps = await openTestDeps({ fetchAllow: [sourceServer.host] })
    supplier = await createSupplierUser(deps)
    retailer = await createLinkedRetailer(deps, supplier)
    sourceServer.set('/feed.csv', { body: makeFile('Hats', 'Hats', 'Shoes') })
    await createSupplierConnection(deps, supplier, sourceServer.url('/feed.csv'))
    await removeGuards(deps)
    await deps.work()
    await read()
  })
  afterEach(async () => {
    await deps.close()
    await sourceServer.close()
  })

  const read = () => getLatestFile(deps, retailer.user, retailer.id)
  const counts = () => readRowCounts(deps, supplier, retailer.id)
  const now = () => new Date(deps.clock.now()).toISOString()

  async function publish(days: number, ...categories: string[]) {
    sourceServer.set('/feed.csv', { body: makeFile(...categories) })
    deps.clock.advance(days * DAY_MS)
    await deps.db.updateTable('connections').set({ nextSyncAt: deps.clock.now() }).execute()
    await deps.work()
    await read()
    await deps.work()
    await read()
  }

  it('are told oldest first, each since it became the retailer’s', async () => {
    const first = now()
    await publish(1, 'Hats', 'Shoes', 'Shoes', 'Toys', 'Toys')
    expect(await counts()).toEqual([
      { at: first, rows: 3 },
      { at: now(), rows: 5 },
    ])
  })

  it('are those that the retailer was shown, not those of the whole file', async () => {
    await updateRetailer(deps, supplier, {
      id: retailer.id,
      visibilitySettings: { allProducts: false, categories: ['Hats'] },
    })
    await publish(1, 'Hats', 'Shoes', 'Shoes')
    expect((await counts()).at(-1)).toMatchObject({ rows: 1 })
  })

  it('go back 30 days', async () => {
    await publish(31, 'Hats')
    expect(await counts()).toEqual([{ at: now(), rows: 1 }])
  })
})
