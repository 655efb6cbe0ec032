import { afterEach, beforeEach, expect, it } from 'vitest'

import { DAY_MS, HOUR_MS } from '../../../../shared/durations'
import { createSupplierConnection, createSupplierUser } from '../../../testing/fixtures/factories'
import { startSourceServer, type SourceServer } from '../../../testing/servers/source-server'
import { openTestDeps, type TestDeps } from '../../../testing/stages/test-deps'
import { startWorking } from './scheduler'

let sourceServer: SourceServer
let deps: TestDeps

beforeEach(async () => {
  sourceServer = await startSourceServer()
  sourceServer.set('/feed.csv', { body: 'sku,qty\r\n1,5\r\n' })
  deps = await openTestDeps({ fetchAllow: [sourceServer.host] })
  await createSupplierConnection(
    deps,
    await createSupplierUser(deps),
    sourceServer.url('/feed.csv'),
  )
})
afterEach(async () => {
  await deps.close()
  await sourceServer.close()
})

it('the scheduler continues when the clock is set back while it runs', async () => {
  const stop = startWorking(deps)
  const syncs = () => sourceServer.requests.length
  deps.clock.advance(DAY_MS)
  await expect.poll(syncs, { timeout: 20_000 }).toBe(1)
  const wait = async () => {
    const row = await deps.db.selectFrom('connections').select('nextSyncAt').executeTakeFirst()
    return (row?.nextSyncAt ?? Infinity) - deps.clock.now()
  }
  await expect.poll(wait).toBe(HOUR_MS)
  deps.clock.advance(-DAY_MS)
  await expect.poll(wait, { timeout: 20_000 }).toBeLessThan(HOUR_MS)
  deps.clock.advance(HOUR_MS)
  await expect.poll(syncs, { timeout: 20_000 }).toBe(2)
  await stop()
})
