import { afterEach, beforeEach, describe, expect, it } from 'vitest'

import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../../../shared/durations'
import { createSupplierConnection, createSupplierUser } from '../../../testing/fixtures/factories'
import { FIRST, SECOND, openSyncStage, type SyncStage } from '../../../testing/stages/sync-stage'
import { listConnections, updateConnection } from '../../catalogue/connections/connections'
import { updateSupplier } from '../../operations/suppliers/suppliers'
import { syncNow } from './sync-control'

describe('the schedule of syncs', () => {
  let stage: SyncStage
  let sourceServer: SyncStage['sourceServer']
  let deps: SyncStage['deps']
  let supplier: SyncStage['supplier']
  let connect: SyncStage['connect']
  let current: SyncStage['current']
  let publishedText: SyncStage['publishedText']
  let publishFirst: SyncStage['publishFirst']

  beforeEach(async () => {
    stage = await openSyncStage()
    ;({ sourceServer, deps, supplier, connect, current, publishedText, publishFirst } = stage)
  })
  afterEach(() => stage.close())

  it('makes a connection due again after its frequency, and not before', async () => {
    await publishFirst()
    deps.clock.advance(HOUR_MS - 1)
    await deps.work()
    expect(sourceServer.requests).toHaveLength(1)
    deps.clock.advance(1)
    await deps.work()
    expect(sourceServer.requests).toHaveLength(2)
  })

  it('fetches the whole file once a day, even when the source reports no change', async () => {
    sourceServer.set('/feed.csv', { body: FIRST, etag: '"for ever"' })
    await connect()
    await deps.work()
    sourceServer.set('/feed.csv', { body: SECOND, etag: '"for ever"' })
    for (let hour = 0; hour < 24; hour++) {
      deps.clock.advance(HOUR_MS)
      await deps.work()
    }
    expect(await publishedText()).toBe(SECOND)
  })

  it('retries after growing pauses until the source recovers', async () => {
    await publishFirst()
    sourceServer.set('/feed.csv', { status: 503 })
    deps.clock.advance(HOUR_MS)
    await deps.work()
    for (const minutes of [1.2, 2.3, 4.5]) {
      const before = sourceServer.requests.length
      deps.clock.advance((minutes / 2) * MINUTE_MS * 0.9)
      await deps.work()
      expect(sourceServer.requests).toHaveLength(before)
      deps.clock.advance(minutes * MINUTE_MS)
      await deps.work()
      expect(sourceServer.requests).toHaveLength(before + 1)
    }
    sourceServer.set('/feed.csv', { body: SECOND })
    deps.clock.advance(10 * MINUTE_MS)
    await deps.work()
    expect(await publishedText()).toBe(SECOND)
    expect(await current()).toMatchObject({
      consecutiveFailures: 0,
      lastError: null,
      status: 'synced',
    })
  })

  it('retries for ever: after a hundred failures, still every six hours', async () => {
    sourceServer.set('/feed.csv', { status: 500 })
    await connect()
    for (let round = 0; round < 100; round++) {
      await deps.work()
      deps.clock.advance(7 * HOUR_MS)
    }
    expect(sourceServer.requests).toHaveLength(100)
  })

  it('waits for the time in Retry-After', async () => {
    sourceServer.set('/feed.csv', { status: 429, headers: { 'retry-after': '1800' } })
    await connect()
    await deps.work()
    deps.clock.advance(29 * MINUTE_MS)
    await deps.work()
    expect(sourceServer.requests).toHaveLength(1)
    deps.clock.advance(MINUTE_MS)
    await deps.work()
    expect(sourceServer.requests).toHaveLength(2)
  })

  it('starts a sync at once on request and when the URL changes', async () => {
    await publishFirst()
    const { id } = await current()
    await syncNow(deps, supplier, id)
    await deps.queue.idle()
    expect(sourceServer.requests).toHaveLength(2)
    sourceServer.set('/other.csv', { body: SECOND })
    await updateConnection(deps, supplier, { id, config: { url: sourceServer.url('/other.csv') } })
    await deps.queue.idle()
    expect(await publishedText()).toBe(SECOND)
  })

  it('skips a paused connection, and starts at once when it is resumed', async () => {
    await publishFirst()
    const { id } = await current()
    await updateConnection(deps, supplier, { id, isActive: false })
    deps.clock.advance(DAY_MS)
    await deps.work()
    expect(sourceServer.requests).toHaveLength(1)
    expect((await current()).status).toBe('paused')
    await updateConnection(deps, supplier, { id, isActive: true })
    await deps.queue.idle()
    expect(sourceServer.requests).toHaveLength(2)
  })

  it('skips a deactivated supplier', async () => {
    await publishFirst()
    await updateSupplier(deps, { id: supplier.id, isActive: false })
    deps.clock.advance(DAY_MS)
    await deps.work()
    expect(sourceServer.requests).toHaveLength(1)
  })

  it('does not count a failure when most of several hosts cannot be reached', async () => {
    const others = await Promise.all([1, 2, 3].map(() => createSupplierUser(deps)))
    for (const [index, owner] of others.entries()) {
      await createSupplierConnection(deps, owner, `http://nobody-${index}.invalid/feed.csv`)
    }
    await deps.work()
    const connections = await Promise.all(others.map((owner) => listConnections(deps, owner)))
    const failures = connections.map(([connection]) => connection?.consecutiveFailures ?? NaN)
    expect(failures.toSorted((one, other) => one - other)).toEqual([0, 1, 1])
  })
})
