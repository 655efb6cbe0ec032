import { afterEach, beforeEach, describe, expect, it } from 'vitest'

import type { QueuedWork } from '../../queue/queue'
import { createSupplierConnection, createSupplierUser } from '../../testing/factories'
import { startFeedServer, type FeedServer } from '../../testing/feed-server'
import { storeContent, writeContent } from '../../testing/stored-files'
import { openTestDeps, type TestDeps } from '../../testing/test-deps'
import type { UserRecord } from '../accounts/users.queries'
import { findConnection } from '../connections/connections.queries'
import { claimDueWork } from '../scheduling/claim-due-work'
import { cleanStorage, deleteUnneededFile } from '../stored-files/storage-cleaning'
import { listFiles } from '../versions/connection-files'
import { MAX_REQUESTS_PER_HOST } from './host-gate'
import { syncConnection } from './run-sync'
import { createSyncSlots } from './sync-slots'

const MINUTE = 60_000
const CSV = 'sku,qty\r\n1,5\r\n'

describe('the leases of syncs', () => {
  let feedServer: FeedServer
  let deps: TestDeps
  let supplier: UserRecord
  let connectionId: number
  /** Work that was handed to a queue nobody works off. */
  let handedOver: QueuedWork[]

  beforeEach(async () => {
    feedServer = await startFeedServer()
    feedServer.set('/feed.csv', { body: CSV })
    const opened = await openTestDeps({ fetchAllow: [feedServer.host] })
    handedOver = []
    const queue = { ...opened.queue, add: async (work: QueuedWork) => void handedOver.push(work) }
    deps = { ...opened, queue }
    supplier = await createSupplierUser(deps)
    connectionId = (await createSupplierConnection(deps, supplier, feedServer.url('/feed.csv'))).id
  })
  afterEach(async () => {
    await deps.close()
    await feedServer.close()
  })

  const syncs = () => handedOver.filter(({ job }) => job === 'sync-connection')

  async function claim() {
    const known = syncs().length
    await claimDueWork(deps)
    return syncs()
      .slice(known)
      .map(({ payload }) => payload as { connectionId: number; leaseToken: string })
  }

  const run = (lease: { connectionId: number; leaseToken: string }) =>
    syncConnection(deps, lease, new AbortController().signal)

  const connectTo = async (url: string) =>
    createSupplierConnection(deps, await createSupplierUser(deps), url)

  const versions = async () => (await listFiles(deps, supplier, connectionId)).files

  it('let a due connection be claimed once', async () => {
    expect(await claim()).toHaveLength(1)
    expect(await claim()).toHaveLength(0)
  })

  it('let it be claimed again when its process has died', async () => {
    await claim()
    deps.clock.advance(MINUTE)
    const [lease] = await claim()
    await run(lease!)
    expect(await versions()).toHaveLength(1)
  })

  it('keep a run that comes too late from doing anything', async () => {
    const [late] = await claim()
    deps.clock.advance(MINUTE)
    const [next] = await claim()
    await run(late!)
    expect(feedServer.requests).toHaveLength(0)
    await run(next!)
    expect(await versions()).toHaveLength(1)
  })

  it('let the same work be done once, however often a queue hands it out', async () => {
    const [lease] = await claim()
    await Promise.all([run(lease!), run(lease!), run(lease!)])
    expect(feedServer.requests).toHaveLength(1)
    expect(await versions()).toHaveLength(1)
  })

  it('keep a run that was overtaken while it worked from publishing', async () => {
    const [stopped] = await claim()
    let release = () => {}
    const asked = new Promise<void>((resolve) => {
      feedServer.set('/feed.csv', {
        handler: (_request, response) => {
          release = () => response.end('sku,qty\r\nold,1\r\n')
          resolve()
        },
      })
    })
    const stoppedRun = run(stopped!)
    await asked
    feedServer.set('/feed.csv', { body: CSV })
    deps.clock.advance(2 * MINUTE)
    const [next] = await claim()
    const nextRun = run(next!)
    release()
    await Promise.all([stoppedRun, nextRun])
    expect(await versions()).toMatchObject([{ fileSize: CSV.length }])
    const connection = await findConnection(deps.db, connectionId, {})
    expect(connection).toMatchObject({ leaseToken: null, consecutiveFailures: 0 })
  })

  it('let each process claim as many syncs as it has free slots', async () => {
    for (let index = 0; index < 10; index++) await connectTo(`http://host-${index}.example.com/`)
    const [first] = await claim()
    await claim()
    expect(syncs()).toHaveLength(4)
    await run(first!)
    await claim()
    expect(syncs()).toHaveLength(5)
    await claimDueWork({ ...deps, slots: createSyncSlots(2, deps.clock.now) })
    expect(syncs()).toHaveLength(7)
  })

  it('keep the work that a process has claimed in that process', async () => {
    await claim()
    expect(syncs()).toMatchObject([{ isLocal: true }])
  })

  it('leave room for other hosts beside a slow one', async () => {
    for (let index = 0; index < 60; index++) await connectTo(feedServer.url('/feed.csv'))
    const claimed = await claim()
    expect(claimed).toHaveLength(MAX_REQUESTS_PER_HOST)
    const elsewhere = await connectTo('http://elsewhere.example.com/')
    expect(await claim()).toMatchObject([{ connectionId: elsewhere.id }])
    await run(claimed[0]!)
    expect(await claim()).toHaveLength(1)
  })

  it('tell which scratch files and stored files are left by dead runs', async () => {
    const [lease] = await claim()
    const draft = deps.files.createDraft(lease!.leaseToken)
    const half = await writeContent(draft.path, 'half')
    const { sha256 } = await storeContent(deps.files, 'left behind', 'a dead run')
    await cleanStorage(deps, new AbortController().signal)
    await draft.commit(half)
    expect(await deps.files.has(half.sha256)).toBe(true)
    expect(await deps.files.has(sha256)).toBe(false)
  })

  it('protect a file that a live run has stored and not yet named', async () => {
    const [lease] = await claim()
    let release = () => {}
    const asked = new Promise<void>((resolve) => {
      feedServer.set('/feed.csv', {
        handler: (_request, response) => {
          release = () => response.end(CSV)
          resolve()
        },
      })
    })
    const working = run(lease!)
    await asked
    const { sha256 } = await storeContent(deps.files, 'about to be named', lease!.leaseToken)
    await cleanStorage(deps, new AbortController().signal)
    expect(await deps.files.has(sha256)).toBe(true)
    release()
    await working
    await cleanStorage(deps, new AbortController().signal)
    expect(await deps.files.has(sha256)).toBe(false)
  })

  it('keep a version from being published whose file was deleted before it was named', async () => {
    const [lease] = await claim()
    const { createDraft } = deps.files
    deps.files.createDraft = (owner) => {
      const draft = createDraft(owner)
      return {
        ...draft,
        async commit(content) {
          await draft.commit(content)
          await deleteUnneededFile(deps, content.sha256)
        },
      }
    }
    await run(lease!)
    expect(await versions()).toEqual([])
    deps.files.createDraft = createDraft
    deps.clock.advance(2 * MINUTE)
    const [again] = await claim()
    await run(again!)
    expect(await versions()).toHaveLength(1)
  })
})
