import { afterEach, beforeEach, describe, expect, it } from 'vitest'

import type { LiveItem } from '../../../shared/schemas/live'
import { createCronTask } from '../../testing/cron-tasks'
import {
  createAdmin,
  createLinkedRetailer,
  createSupplierConnection,
  createSupplierUser,
  PASSWORD,
} from '../../testing/factories'
import { startFeedServer, type FeedServer } from '../../testing/feed-server'
import { openLiveStream, type LiveStream } from '../../testing/live-stream'
import { setSlowFeed } from '../../testing/slow-feed'
import { openTestApp, type Client, type TestApp } from '../../testing/test-app'
import type { UserRecord } from '../accounts/users.queries'
import { ensureCronJobs } from '../cron-jobs/cron-jobs'
import { updateSupplier } from '../suppliers/suppliers'
import { MAX_WATCHERS_PER_USER } from './change-watch'

const CSV = 'sku,category\r\n1,Shoes\r\n2,Hats\r\n'
const LONG = `sku,qty\r\n${'1,5\r\n'.repeat(20_000)}`

let feedServer: FeedServer
let testApp: TestApp
let supplier: UserRecord
let connectionId: number
const streams: LiveStream[] = []
/** Lets the sweeping cron job finish. */
let finishSweeping: () => void

const sweeping = createCronTask({
  async run(_deps, { report }) {
    await report('Sweeping')
    await new Promise<void>((resolve) => (finishSweeping = resolve))
    return 'Swept'
  },
})

beforeEach(async () => {
  feedServer = await startFeedServer()
  feedServer.set('/feed.csv', { body: CSV })
  testApp = await openTestApp({ fetchAllow: [feedServer.host] }, { cronTasks: [sweeping] })
  const { deps } = testApp
  supplier = await createSupplierUser(deps)
  connectionId = (await createSupplierConnection(deps, supplier, feedServer.url('/feed.csv'))).id
})
afterEach(async () => {
  for (const stream of streams.splice(0)) stream.close()
  await testApp.close()
  await feedServer.close()
})

async function listen(client: Client): Promise<LiveStream> {
  const stream = await openLiveStream(testApp.app, client)
  streams.push(stream)
  return stream
}

const listenAs = async (user: { username: string }) => listen(await testApp.signIn(user))

const isStatus = (status: string) => (item: LiveItem) =>
  item.kind === 'connection' && item.connection.status === status

describe('the live stream of a supplier', () => {
  it('begins with the state of the supplier’s own connection', async () => {
    const other = await createSupplierUser(testApp.deps)
    await createSupplierConnection(testApp.deps, other, feedServer.url('/feed.csv'))
    const stream = await listenAs(supplier)
    expect(await stream.next()).toEqual([
      {
        kind: 'connection',
        connection: {
          id: connectionId,
          status: 'queued',
          lastSync: null,
          lastAttemptAt: null,
          lastError: null,
          nextSyncAt: expect.any(String) as string,
          consecutiveFailures: 0,
          progress: null,
        },
      },
    ])
  })

  it('sends the progress of a sync to every window', async () => {
    const windows = [await listenAs(supplier), await listenAs(supplier)]
    const { asked } = setSlowFeed(feedServer, '/feed.csv', LONG)
    await testApp.deps.queue.add({ job: 'claim-due-work', payload: {} })
    const response = await asked
    const hasProgress = (item: LiveItem) =>
      item.kind === 'connection' && (item.connection.progress?.rows ?? 0) > 0
    const seen = await Promise.all(windows.map((window) => window.until(hasProgress)))
    const progress = { bytes: LONG.length, rows: 20_000, expectedBytes: null }
    expect(seen).toMatchObject([{ connection: { progress } }, { connection: { progress } }])
    response.end()
    const ends = await Promise.all(windows.map((window) => window.until(isStatus('synced'))))
    expect(ends).toMatchObject([{ connection: { progress: null } }, { connection: {} }])
  })

  it('has headers that keep proxies from caching, buffering or transforming it', async () => {
    const { headers } = await listenAs(supplier)
    expect(headers.get('content-type')).toBe('text/event-stream')
    expect(headers.get('cache-control')).toBe('no-store, no-transform')
    expect(headers.get('x-accel-buffering')).toBe('no')
  })
})

describe('the live stream of an administrator', () => {
  it('sends the steps of cron jobs, and the deletion of one', async () => {
    await ensureCronJobs(testApp.deps)
    const client = await testApp.signIn(await createAdmin(testApp.deps))
    const stream = await listen(client)
    const jobs = async () => {
      const item = await stream.until(({ kind }) => kind === 'cron-jobs')
      return item.kind === 'cron-jobs' ? item.jobs : []
    }
    const untilStep = async (step: string | null) => {
      for (;;) {
        const [job] = await jobs()
        if (job?.step === step) return job
      }
    }
    expect(await jobs()).toMatchObject([{ name: 'tidy-up', status: 'idle', lastRun: null }])
    await client.call('mutation', 'cronJobs.runNow', { name: 'tidy-up' })
    expect(await untilStep('Sweeping')).toMatchObject({ status: 'running' })
    finishSweeping()
    expect(await untilStep(null)).toMatchObject({ status: 'succeeded' })
    await client.call('mutation', 'cronJobs.delete', { name: 'tidy-up' })
    expect(await jobs()).toEqual([])
  })

  it('sends connections while they sync, and the outcome', async () => {
    const admin = await createAdmin(testApp.deps)
    const stream = await listenAs(admin)
    const first = await stream.next()
    expect(first?.filter(({ kind }) => kind === 'connection')).toEqual([])
    const { asked } = setSlowFeed(feedServer, '/feed.csv', CSV)
    await testApp.deps.queue.add({ job: 'claim-due-work', payload: {} })
    const response = await asked
    await stream.until(isStatus('running'))
    response.end()
    expect(await stream.until(isStatus('synced'))).toMatchObject({
      connection: { id: connectionId },
    })
  })
})

describe('the live stream of a retailer', () => {
  const nextFingerprint = async (stream: LiveStream) => {
    const item = await stream.until(({ kind }) => kind === 'retailer-file')
    return item.kind === 'retailer-file' && item.mark
  }

  it('sends a new fingerprint for a new version, without moving the retailer to it', async () => {
    const { deps } = testApp
    const retailer = await createLinkedRetailer(deps, supplier)
    const stream = await listenAs(retailer.user)
    const before = await nextFingerprint(stream)
    await deps.work()
    expect(await nextFingerprint(stream)).not.toBe(before)
    const row = await deps.db.selectFrom('retailers').select('currentVersionId').executeTakeFirst()
    expect(row).toEqual({ currentVersionId: null })
    expect(await deps.db.selectFrom('downloads').select('id').execute()).toEqual([])
  })

  it('sends a new fingerprint when a filtered file is ready, and requests none itself', async () => {
    const { deps } = testApp
    const shoes = { allProducts: false, categories: ['Shoes'] }
    const retailer = await createLinkedRetailer(deps, supplier, shoes)
    await deps.work()
    await deps.db.deleteFrom('variants').execute()
    const client = await testApp.signIn(retailer.user)
    const stream = await listen(client)
    const before = await nextFingerprint(stream)
    expect(await deps.db.selectFrom('variants').select('id').execute()).toEqual([])
    await client.call('query', 'retailers.latestFile', { id: retailer.id })
    await deps.work()
    await expect.poll(() => nextFingerprint(stream), { timeout: 10_000 }).not.toBe(before)
  })
})

describe('the end of the live stream', () => {
  it.each<[string, (client: Client) => Promise<unknown>]>([
    ['signing out', (client) => client.request('POST', '/api/logout')],
    [
      'a new password',
      (client) =>
        client.request('POST', '/api/admin/reset-password', {
          currentPassword: PASSWORD,
          newPassword: 'another horse',
        }),
    ],
    ['deactivation', () => updateSupplier(testApp.deps, { id: supplier.id, isActive: false })],
  ])('follows %s, with no further item', async (_what, act) => {
    const client = await testApp.signIn(supplier)
    const stream = await listen(client)
    await stream.next()
    await act(client)
    await testApp.deps.db.deleteFrom('connections').execute()
    expect(await stream.next()).toBe(null)
  })

  it('follows the expiry of the session', async () => {
    const stream = await listenAs(supplier)
    await stream.next()
    testApp.deps.clock.advance(12 * 60 * 60_000)
    expect(await stream.next()).toBe(null)
  })

  it('does not follow the end of another window’s session', async () => {
    const [leaving, staying] = [await testApp.signIn(supplier), await testApp.signIn(supplier)]
    const stream = await listen(staying)
    await stream.next()
    await leaving.request('POST', '/api/logout')
    await testApp.deps.work()
    expect(await stream.until(isStatus('synced'))).toBeDefined()
  })

  it('follows the shutdown of the server, without delaying it', async () => {
    const stream = await listenAs(supplier)
    await stream.next()
    const startedAt = performance.now()
    await testApp.app.close()
    // Open sockets would delay it by seconds.
    expect(performance.now() - startedAt).toBeLessThan(2_000)
    expect(await stream.next()).toBe(null)
  })
})

describe('one live stream too many', () => {
  it('is refused until another one is closed', async () => {
    const client = await testApp.signIn(supplier)
    for (let count = 0; count < MAX_WATCHERS_PER_USER; count++) await (await listen(client)).next()
    const refused = await listen(client)
    await expect(refused.next()).rejects.toMatchObject({
      message: expect.stringContaining('Close some of them') as string,
      data: { httpStatus: 429 },
    })
    const other = await createSupplierUser(testApp.deps)
    expect(await (await listenAs(other)).next()).toEqual([])
    streams[0]?.close()
    const listenAgain = async () => (await listen(client)).next().catch(() => 'refused')
    await expect.poll(listenAgain, { timeout: 10_000 }).not.toBe('refused')
  })
})
