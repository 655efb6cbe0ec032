import { afterEach, beforeEach, describe, expect, it } from 'vitest'

import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../../../shared/durations'
import { inTransaction } from '../../../db/open'
import { toViewKey } from '../../../db/stored-json'
import { LEASE_MS } from '../../../domain/lease'
import type { QueuedWork } from '../../../queue/queue'
import { createCronTask } from '../../../testing/fixtures/cron-tasks'
import {
  createLinkedRetailer,
  createSupplierConnection,
  createSupplierUser,
} from '../../../testing/fixtures/factories'
import { figure } from '../../../testing/fixtures/figures'
import { storeContent } from '../../../testing/fixtures/stored-files'
import { startSourceServer, type SourceServer } from '../../../testing/servers/source-server'
import { openTestDeps, type TestDeps } from '../../../testing/stages/test-deps'
import { findConnection } from '../../catalogue/connections/connections.queries'
import { listFiles } from '../../catalogue/versions/connection-files'
import { getLatestFile } from '../../distribution/downloads/retailer-files'
import { cleanStorage } from '../../distribution/stored-files/storage-cleaning'
import { findVariant, requestVariant } from '../../distribution/variants/variants.queries'
import {
  hasWaitingVariant,
  leaseVariants,
} from '../../distribution/variants/waiting-variants.queries'
import type { UserRecord } from '../../people/accounts/users.queries'
import { syncConnection } from '../../publication/syncs/run-sync'
import { ensureCronJobs, listCronJobs } from '../cron-jobs/cron-jobs'
import { claimDueWork } from './claim-due-work'
import { rescheduleAfterClockChange } from './clock-change'

const YEARS = 10 * 365 * DAY_MS
const FIRST = 'sku,qty\r\n1,5\r\n'
const SECOND = 'sku,qty\r\n1,4\r\n'

const jumps = [
  ['an hour', HOUR_MS],
  ['ten years', YEARS],
] as const

let sourceServer: SourceServer
let opened: TestDeps
let supplier: UserRecord
let connectionId: number

beforeEach(async () => {
  sourceServer = await startSourceServer()
  sourceServer.set('/feed.csv', { body: FIRST })
  opened = await openTestDeps(
    { fetchAllow: [sourceServer.host] },
    { cronTasks: [createCronTask()] },
  )
  await ensureCronJobs(opened)
  supplier = await createSupplierUser(opened)
  connectionId = await connect(supplier)
})
afterEach(async () => {
  await opened.close()
  await sourceServer.close()
})

const connect = async (owner: UserRecord, url = sourceServer.url('/feed.csv')) =>
  (await createSupplierConnection(opened, owner, url)).id

const versions = async () => (await listFiles(opened, supplier, connectionId)).files
const readConnection = async () => (await findConnection(opened.db, connectionId, {}))!

/** The same dependencies with a queue that no worker takes from. */
function withoutWorkers() {
  const queued: QueuedWork[] = []
  const queue = { ...opened.queue, add: async (work: QueuedWork) => void queued.push(work) }
  const deps = { ...opened, queue }
  const claim = async () => {
    const known = queued.length
    await claimDueWork(deps)
    return queued
      .slice(known)
      .filter(({ job }) => job === 'sync-connection')
      .map(({ payload }) => payload as { connectionId: number; leaseToken: string })
  }
  return { deps, claim }
}

async function setBack(ms: number) {
  opened.clock.advance(-ms)
  await rescheduleAfterClockChange(opened)
}

describe.each(jumps)('when the clock jumps ahead by %s', (text, jump) => {
  it('everything becomes due, but a process still runs at most four syncs at once', async () => {
    await opened.work()
    for (let index = 0; index < 20; index++) {
      await connect(await createSupplierUser(opened), `http://host-${index}.example.com/`)
    }
    opened.clock.advance(jump)
    const { claim } = withoutWorkers()
    const count = (await claim()).length
    figure('clock changes', `clock put ahead by ${text}: syncs at once`, `${count} of 21`, '≤ 4')
    expect(count).toBe(opened.config.workerConcurrency)
    expect(await claim()).toHaveLength(0)
  })

  it('a run in progress does not publish after another run has taken over', async () => {
    const { deps, claim } = withoutWorkers()
    const [lease] = await claim()
    const { requested, respond } = holdResponse()
    const running = syncConnection(deps, lease!, new AbortController().signal)
    await requested
    opened.clock.advance(jump)
    const [next] = await claim()
    sourceServer.set('/feed.csv', { body: SECOND })
    const taken = syncConnection(deps, next!, new AbortController().signal)
    respond()
    await Promise.all([running, taken])
    expect(await versions()).toMatchObject([{ fileSize: SECOND.length }])
  })
})

describe.each(jumps)('when a clock that was ahead is set back by %s', (text, jump) => {
  it('no connection waits longer than its sync interval', async () => {
    opened.clock.advance(jump)
    await opened.work()
    sourceServer.set('/feed.csv', { body: SECOND })
    await setBack(jump)
    opened.clock.advance(HOUR_MS)
    await opened.work()
    expect(await versions()).toHaveLength(2)
    figure(
      'clock changes',
      `clock put back by ${text}: next sync`,
      'within its pace',
      'within its pace',
    )
    const { lastSyncAt, nextSyncAt } = await readConnection()
    expect([lastSyncAt, nextSyncAt]).toEqual([opened.clock.now(), opened.clock.now() + HOUR_MS])
  })

  it('no failed source waits longer than its sync interval', async () => {
    sourceServer.set('/feed.csv', { status: 429, headers: { 'retry-after': '80000' } })
    opened.clock.advance(jump)
    await opened.work()
    await setBack(jump)
    opened.clock.advance(HOUR_MS)
    await opened.work()
    expect(sourceServer.requests).toHaveLength(2)
  })

  it('due syncs are spread over their interval', async () => {
    for (let index = 0; index < 40; index++) await connect(await createSupplierUser(opened))
    opened.clock.advance(jump)
    await opened.db
      .updateTable('connections')
      .set({ lastAttemptAt: opened.clock.now(), nextSyncAt: opened.clock.now() + HOUR_MS })
      .execute()
    await setBack(jump)
    const rows = await opened.db.selectFrom('connections').select('nextSyncAt').execute()
    const waits = rows.map(({ nextSyncAt }) => nextSyncAt! - opened.clock.now())
    expect(Math.min(...waits)).toBeGreaterThanOrEqual(0)
    expect(Math.max(...waits)).toBeLessThan(HOUR_MS)
    expect(waits.filter((wait) => wait < HOUR_MS / 2).length).toBeGreaterThan(5)
    expect(waits.filter((wait) => wait > HOUR_MS / 2).length).toBeGreaterThan(5)
  })

  it('the lease of a dead run expires after the usual time', async () => {
    const { claim } = withoutWorkers()
    opened.clock.advance(jump)
    expect(await claim()).toHaveLength(1)
    await setBack(jump)
    expect(await claim()).toHaveLength(0)
    opened.clock.advance(LEASE_MS)
    expect(await claim()).toHaveLength(1)
  })

  it('a run in progress continues and publishes', async () => {
    const { deps, claim } = withoutWorkers()
    opened.clock.advance(jump)
    const [lease] = await claim()
    const { requested, respond } = holdResponse()
    const running = syncConnection(deps, lease!, new AbortController().signal)
    await requested
    await setBack(jump)
    expect(await claim()).toHaveLength(0)
    respond()
    await running
    expect(await versions()).toHaveLength(1)
  })

  it('a file is kept that a run in progress has stored but not recorded yet', async () => {
    const { deps, claim } = withoutWorkers()
    opened.clock.advance(jump)
    const [lease] = await claim()
    const { requested, respond } = holdResponse()
    const running = syncConnection(deps, lease!, new AbortController().signal)
    await requested
    await setBack(jump)
    const { sha256 } = await storeContent(opened.files, 'about to be named', 'run')
    await cleanStorage(opened, new AbortController().signal)
    expect(await opened.files.has(sha256)).toBe(true)
    respond()
    await running
    await cleanStorage(opened, new AbortController().signal)
    expect(await opened.files.has(sha256)).toBe(false)
  })

  it('a filtered file is built that a dead run held', async () => {
    await opened.work()
    opened.clock.advance(jump)
    const { publishedVersionId } = await readConnection()
    await inTransaction(opened.db, async (trx) => {
      const now = opened.clock.now()
      const view = { categories: ['hats'], hidden: [] }
      const viewKey = toViewKey(view)
      await requestVariant(trx, {
        versionId: publishedVersionId!,
        view,
        viewKey,
        createdAt: now,
      })
      const waiting = await findVariant(trx, publishedVersionId!, viewKey)
      await leaseVariants(trx, [waiting!.id], now, { leaseToken: 'x', leaseUntil: now + LEASE_MS })
    })
    await setBack(jump)
    opened.clock.advance(LEASE_MS)
    expect(await hasWaitingVariant(opened.db, opened.clock.now())).toBe(true)
  })

  it('the next run of a cron job is recomputed', async () => {
    const nextRun = async () => (await listCronJobs(opened))[0]?.nextRun
    const before = await nextRun()
    opened.clock.advance(jump)
    await opened.work()
    expect(await nextRun()).not.toBe(before)
    await setBack(jump)
    expect(await nextRun()).toBe(before)
  })

  it('a retailer gets the newest file at its next request', async () => {
    const retailer = await createLinkedRetailer(opened, supplier)
    await opened.work()
    opened.clock.advance(jump)
    await getLatestFile(opened, retailer.user, retailer.id)
    await setBack(jump)
    sourceServer.set('/feed.csv', { body: SECOND })
    opened.clock.advance(HOUR_MS)
    await opened.work()
    opened.clock.advance(-2 * MINUTE_MS)
    const file = await getLatestFile(opened, retailer.user, retailer.id)
    expect(file).toMatchObject({ fileName: (await versions())[0]?.fileName })
  })
})

describe('rescheduleAfterClockChange', () => {
  it('changes nothing that was computed with a correct clock', async () => {
    await connect(await createSupplierUser(opened), 'http://host.example.com/')
    const { claim } = withoutWorkers()
    await claim()
    const read = async () => [
      await opened.db.selectFrom('connections').selectAll().execute(),
      await opened.db.selectFrom('cronJobs').selectAll().execute(),
    ]
    const before = await read()
    await rescheduleAfterClockChange(opened)
    expect(await read()).toEqual(before)
  })

  it('does not schedule a paused connection', async () => {
    await opened.work()
    opened.clock.advance(YEARS)
    const lastAttemptAt = opened.clock.now()
    await opened.db
      .updateTable('connections')
      .set({ isActive: false, nextSyncAt: null, lastAttemptAt })
      .execute()
    await setBack(YEARS)
    expect(await readConnection()).toMatchObject({
      nextSyncAt: null,
      lastAttemptAt: opened.clock.now(),
    })
  })
})

/** Holds the source's response back until `respond` is called. */
function holdResponse() {
  let respond = () => {}
  const requested = new Promise<void>((resolve) => {
    sourceServer.set('/feed.csv', {
      handler: (_request, response) => {
        respond = () => response.end(FIRST)
        resolve()
      },
    })
  })
  return { requested, respond: () => respond() }
}
