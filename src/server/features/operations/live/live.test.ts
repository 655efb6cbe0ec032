import { afterEach, beforeEach, describe, expect, it } from 'vitest'

import type { LiveItem } from '../../../../shared/schemas/live'
import type { Actor } from '../../../domain/actor'
import { createCronTask } from '../../../testing/fixtures/cron-tasks'
import {
  createAdmin,
  createLinkedRetailer,
  createSupplierConnection,
  createSupplierUser,
} from '../../../testing/fixtures/factories'
import { setSlowSource } from '../../../testing/servers/slow-source'
import { startSourceServer, type SourceServer } from '../../../testing/servers/source-server'
import { createListeners, type Listeners, type Listening } from '../../../testing/stages/listeners'
import { openTestDeps, type TestDeps } from '../../../testing/stages/test-deps'
import { getLatestFile } from '../../distribution/downloads/retailer-files'
import { deleteCronJob, ensureCronJobs, runCronJobNow } from '../cron-jobs/cron-jobs'

const CSV = 'sku,category\r\n1,Shoes\r\n2,Hats\r\n'
const LONG = `sku,qty\r\n${'1,5\r\n'.repeat(20_000)}`

let sourceServer: SourceServer
let deps: TestDeps
let supplier: Actor
let connectionId: number
let listeners: Listeners
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
  sourceServer = await startSourceServer()
  sourceServer.set('/feed.csv', { body: CSV })
  deps = await openTestDeps({ fetchAllow: [sourceServer.host] }, { cronTasks: [sweeping] })
  listeners = createListeners(deps)
  supplier = await createSupplierUser(deps)
  connectionId = (await createSupplierConnection(deps, supplier, sourceServer.url('/feed.csv'))).id
})
afterEach(async () => {
  listeners.close()
  await deps.close()
  await sourceServer.close()
})

const startSyncs = () => deps.queue.add({ job: 'claim-due-work', payload: {} })

const isStatus = (status: string) => (item: LiveItem) =>
  item.kind === 'connection' && item.connection.status === status

/** What everybody gets. */
const OTHERS = [
  { kind: 'unread-shops', mark: '' },
  { kind: 'destinations', mark: 'none' },
  { kind: 'sessions', mark: expect.any(String) as string },
  { kind: 'api-keys', mark: '0 null' },
]

describe('the live stream of a supplier', () => {
  it('begins with the state of the supplier’s own connection', async () => {
    const other = await createSupplierUser(deps)
    await createSupplierConnection(deps, other, sourceServer.url('/feed.csv'))
    const connection = {
      id: connectionId,
      status: 'queued',
      freshness: 'on-time',
      lastSync: null,
      lastAttemptAt: null,
      lastError: null,
      nextSyncAt: expect.any(String) as string,
      consecutiveFailures: 0,
      progress: null,
    }
    const stream = await listeners.listen(supplier)
    expect(await stream.next()).toEqual([
      { kind: 'connection', connection },
      { kind: 'mails', mark: '    0' },
      { kind: 'sftp-login', mark: 'none' },
      ...OTHERS,
    ])
  })

  it('begins without a connection when there is none', async () => {
    const stream = await listeners.listen(await createSupplierUser(deps))
    expect(await stream.next()).toEqual(OTHERS)
  })

  it('sends the progress of a sync to every window', async () => {
    const windows = [await listeners.listen(supplier), await listeners.listen(supplier)]
    const { asked } = setSlowSource(sourceServer, '/feed.csv', LONG)
    await startSyncs()
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
})

describe('the live stream of an administrator', () => {
  it('sends the steps of cron jobs, and the deletion of one', async () => {
    await ensureCronJobs(deps)
    const stream = await listeners.listen(await createAdmin(deps))
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
    await runCronJobNow(deps, 'tidy-up')
    expect(await untilStep('Sweeping')).toMatchObject({ status: 'running' })
    finishSweeping()
    expect(await untilStep(null)).toMatchObject({ status: 'succeeded' })
    await deleteCronJob(deps, 'tidy-up')
    expect(await jobs()).toEqual([])
  })

  it('sends connections while they sync, and the outcome', async () => {
    const stream = await listeners.listen(await createAdmin(deps))
    const first = await stream.next()
    expect(first.filter(({ kind }) => kind === 'connection')).toEqual([])
    const { asked } = setSlowSource(sourceServer, '/feed.csv', CSV)
    await startSyncs()
    const response = await asked
    await stream.until(isStatus('running'))
    response.end()
    const connection = { id: connectionId }
    expect(await stream.until(isStatus('synced'))).toMatchObject({ connection })
  })

  it('sends the outcome of a sync that began and ended between two looks', async () => {
    const stream = await listeners.listen(await createAdmin(deps))
    await stream.next()
    await deps.work()
    const items = await stream.next()
    expect(items.filter(({ kind }) => kind === 'connection')).toMatchObject([
      { connection: { id: connectionId, status: 'synced' } },
    ])
  })

  it('counts the syncs that wait', async () => {
    const stream = await listeners.listen(await createAdmin(deps))
    const isCount = (item: LiveItem) => item.kind === 'waiting-syncs'
    expect(await stream.until(isCount)).toMatchObject({ count: 1 })
    await deps.work()
    expect(await stream.until(isCount)).toMatchObject({ count: 0 })
  })
})

describe('the live stream of a retailer', () => {
  const nextFingerprint = async (stream: Listening) => {
    const item = await stream.until(({ kind }) => kind === 'retailer-file')
    return item.kind === 'retailer-file' && item.mark
  }

  it('sends a new fingerprint for a new version, without moving the retailer to it', async () => {
    const retailer = await createLinkedRetailer(deps, supplier)
    const stream = await listeners.listen(retailer.user)
    const before = await nextFingerprint(stream)
    await deps.work()
    expect(await nextFingerprint(stream)).not.toBe(before)
    const row = await deps.db.selectFrom('retailers').select('currentVersionId').executeTakeFirst()
    expect(row).toEqual({ currentVersionId: null })
    expect(await deps.db.selectFrom('downloads').select('id').execute()).toEqual([])
  })

  it('sends a new fingerprint when a filtered file is ready, and requests none itself', async () => {
    const shoes = { allProducts: false, categories: ['Shoes'] }
    const retailer = await createLinkedRetailer(deps, supplier, shoes)
    await deps.work()
    await deps.db.deleteFrom('variants').execute()
    const stream = await listeners.listen(retailer.user)
    const before = await nextFingerprint(stream)
    expect(await deps.db.selectFrom('variants').select('id').execute()).toEqual([])
    await getLatestFile(deps, retailer.user, retailer.id)
    await deps.work()
    await expect.poll(() => nextFingerprint(stream), { timeout: 10_000 }).not.toBe(before)
  })
})
