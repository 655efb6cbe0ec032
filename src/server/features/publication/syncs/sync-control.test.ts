import { afterEach, beforeEach, describe, expect, it } from 'vitest'

import { MINUTE_MS } from '../../../../shared/durations'
import type { Connection } from '../../../../shared/schemas/connection'
import {
  createAdmin,
  createSupplierConnection,
  createSupplierUser,
} from '../../../testing/fixtures/factories'
import { setSlowSource } from '../../../testing/servers/slow-source'
import { startSourceServer, type SourceServer } from '../../../testing/servers/source-server'
import { openTestDeps, type TestDeps } from '../../../testing/stages/test-deps'
import { listConnections, updateConnection } from '../../catalogue/connections/connections'
import { listFiles } from '../../catalogue/versions/connection-files'
import { claimDueWork } from '../../operations/scheduling/claim-due-work'
import type { UserRecord } from '../../people/accounts/users.queries'
import { cancelSync, listRuns, syncNow } from './sync-control'

const CSV = 'sku,qty\r\n1,5\r\n2,7\r\n'
/** Longer than the part the reader inspects before it counts rows. */
const LONG = `sku,qty\r\n${'1,5\r\n'.repeat(20_000)}`
/** Enough time for something that happens once a second. */
const SOON = { timeout: 10_000 }

let sourceServer: SourceServer
let deps: TestDeps
let supplier: UserRecord
let id: number

beforeEach(async () => {
  sourceServer = await startSourceServer()
  sourceServer.set('/feed.csv', { body: CSV })
  deps = await openTestDeps({ fetchAllow: [sourceServer.host] })
  supplier = await createSupplierUser(deps)
  id = (await createSupplierConnection(deps, supplier, sourceServer.url('/feed.csv'))).id
})
afterEach(async () => {
  await deps.close()
  await sourceServer.close()
})

async function current(): Promise<Connection> {
  const [connection] = await listConnections(deps, supplier)
  if (!connection) throw new Error('There is no connection')
  return connection
}

const runs = () => listRuns(deps, supplier, id)

/** Starts the due sync, which runs until the test ends the source's response. */
async function startSync(head: string, headers?: Record<string, string>) {
  const feed = setSlowSource(sourceServer, '/feed.csv', head, headers)
  await claimDueWork(deps)
  const response = await feed.asked
  return { ...feed, end: (rest: string) => response.end(rest) }
}

describe('a running sync', () => {
  it('shows its progress and the expected size', async () => {
    const rest = '3,1\r\n'
    const length = `${LONG.length + rest.length}`
    const { end } = await startSync(LONG, { 'content-length': length })
    await expect
      .poll(async () => (await current()).progress, SOON)
      .toEqual({ bytes: LONG.length, rows: 20_000, expectedBytes: Number(length) })
    expect(await current()).toMatchObject({ status: 'running' })
    expect(await runs()).toMatchObject([
      { bytes: LONG.length, rows: 20_000, outcome: null, finishedAt: null, durationMs: null },
    ])
    end(rest)
    await deps.queue.idle()
    expect(await current()).toMatchObject({ status: 'synced', progress: null })
    expect(await runs()).toMatchObject([{ bytes: Number(length), rows: 20_001 }])
  })

  it('has no expected size when the source does not send one', async () => {
    const { end } = await startSync(LONG)
    await expect
      .poll(async () => (await current()).progress, SOON)
      .toMatchObject({ bytes: LONG.length, expectedBytes: null })
    end('')
    await deps.queue.idle()
  })

  it('stops within seconds when the URL of its connection changes', async () => {
    const feed = await startSync(LONG)
    sourceServer.set('/other.csv', { body: CSV })
    await updateConnection(deps, supplier, { id, config: { url: sourceServer.url('/other.csv') } })
    await expect.poll(() => feed.isClosed(), SOON).toBe(true)
    await deps.work()
    expect(await runs()).toMatchObject([
      { outcome: 'published' },
      { outcome: 'cancelled', reason: 'The connection was changed' },
    ])
  })
})

describe('cancelSync', () => {
  const cancel = () => cancelSync(deps, supplier, id)

  it('stops a running sync, records who cancelled it, and schedules the next one as usual', async () => {
    const feed = await startSync(LONG)
    await expect.poll(async () => (await current()).progress?.rows, SOON).toBe(20_000)
    deps.clock.advance(1_000)
    expect(await cancel()).toEqual({ message: 'Sync cancelled' })
    expect(await current()).toMatchObject({
      status: 'never-run',
      progress: null,
      lastError: null,
      nextSyncAt: new Date(deps.clock.now() + 60 * MINUTE_MS).toISOString(),
    })
    const cancelled = {
      outcome: 'cancelled',
      reason: `Cancelled by ${supplier.username}`,
      durationMs: 1_000,
      rows: 20_000,
      fileName: null,
    }
    expect(await runs()).toMatchObject([cancelled])
    await expect.poll(() => feed.isClosed(), SOON).toBe(true)
    await deps.queue.idle()
    expect(await runs()).toMatchObject([cancelled])
    expect((await listFiles(deps, supplier, id)).files).toEqual([])
  })

  it('prevents a run that still finishes from publishing or changing its record', async () => {
    const feed = await startSync('sku,qty\r\n')
    await cancel()
    feed.end('1,5\r\n')
    await deps.queue.idle()
    expect(await runs()).toMatchObject([{ reason: `Cancelled by ${supplier.username}` }])
    expect((await listFiles(deps, supplier, id)).files).toEqual([])
  })

  it('cancels a due sync that has not been claimed', async () => {
    expect(await cancel()).toEqual({ message: 'Sync cancelled' })
    await deps.work()
    expect([sourceServer.requests, await runs()]).toEqual([[], []])
    expect(await current()).toMatchObject({ status: 'never-run' })
  })

  it('cancels a sync that has been claimed but not started', async () => {
    const withoutWorkers = { ...deps, queue: { ...deps.queue, add: async () => undefined } }
    await claimDueWork(withoutWorkers)
    expect(await current()).toMatchObject({ status: 'queued' })
    await cancel()
    expect(await current()).toMatchObject({ status: 'never-run' })
  })

  it('reports when there is nothing to cancel, and changes nothing', async () => {
    await deps.work()
    const before = await current()
    expect(await cancel()).toEqual({ message: 'This connection is not syncing' })
    await updateConnection(deps, supplier, { id, isActive: false })
    expect(await cancel()).toEqual({ message: 'This connection is not syncing' })
    expect(await current()).toMatchObject({ lastSync: before.lastSync, nextSyncAt: null })
    expect(await runs()).toMatchObject([{ outcome: 'published' }])
  })

  it('is allowed for the connection’s supplier and for administrators', async () => {
    await startSync(LONG)
    const stranger = await createSupplierUser(deps)
    await expect(cancelSync(deps, stranger, id)).rejects.toMatchObject({ code: 'NOT_FOUND' })
    expect(await current()).toMatchObject({ status: 'running' })
    const admin = await createAdmin(deps)
    await cancelSync(deps, admin, id)
    expect(await runs()).toMatchObject([{ reason: 'Cancelled by an administrator' }])
  })
})

describe('the run history', () => {
  it('lists the outcome of each run, newest first', async () => {
    await deps.work()
    deps.clock.advance(60 * MINUTE_MS)
    await deps.work()
    sourceServer.set('/feed.csv', { status: 503 })
    deps.clock.advance(60 * MINUTE_MS)
    await deps.work()
    const [file] = (await listFiles(deps, supplier, id)).files
    expect(await runs()).toMatchObject([
      {
        outcome: 'failed',
        reason: 'The server answered 503 Service Unavailable. The error is on the server side.',
        bytes: null,
      },
      { outcome: 'unchanged', reason: null, bytes: CSV.length, rows: 2, fileName: null },
      { outcome: 'published', bytes: CSV.length, rows: 2, fileName: file?.fileName },
    ])
  })

  it('does not name a file whose version was deleted', async () => {
    await deps.work()
    await deps.db.deleteFrom('versions').execute()
    expect(await runs()).toMatchObject([{ outcome: 'published', fileName: null }])
  })

  it('contains the last fifty runs', async () => {
    for (let count = 0; count < 52; count++) {
      await syncNow(deps, supplier, id)
      await deps.work()
      deps.clock.advance(MINUTE_MS)
    }
    const history = await runs()
    expect(history).toHaveLength(50)
    const times = history.map(({ startedAt }) => startedAt)
    expect(times).toEqual(times.toSorted().toReversed())
  })
})
