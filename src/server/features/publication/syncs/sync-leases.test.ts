import { afterEach, beforeEach, describe, expect, it } from 'vitest'

import { MINUTE_MS } from '../../../../shared/durations'
import type { QueuedWork } from '../../../queue/queue'
import { createSupplierConnection, createSupplierUser } from '../../../testing/fixtures/factories'
import { storeContent, writeContent } from '../../../testing/fixtures/stored-files'
import { startSourceServer, type SourceServer } from '../../../testing/servers/source-server'
import { openTestDeps, type TestDeps } from '../../../testing/stages/test-deps'
import { findConnection } from '../../catalogue/connections/connections.queries'
import { listFiles } from '../../catalogue/versions/connection-files'
import { cleanStorage, deleteUnneededFiles } from '../../distribution/stored-files/storage-cleaning'
import { claimDueWork } from '../../operations/scheduling/claim-due-work'
import type { UserRecord } from '../../people/accounts/users.queries'
import { MAX_REQUESTS_PER_HOST } from './host-gate'
import { syncConnection } from './run-sync'
import { createSyncSlots } from './sync-slots'

const CSV = 'sku,qty\r\n1,5\r\n'

describe('the leases of syncs', () => {
  let sourceServer: SourceServer
  let deps: TestDeps
  let supplier: UserRecord
  let connectionId: number
  /** Work added to the queue, which no worker takes. */
  let queued: QueuedWork[]

  beforeEach(async () => {
    sourceServer = await startSourceServer()
    sourceServer.set('/feed.csv', { body: CSV })
    const opened = await openTestDeps({ fetchAllow: [sourceServer.host] })
    queued = []
    const queue = { ...opened.queue, add: async (work: QueuedWork) => void queued.push(work) }
    deps = { ...opened, queue }
    supplier = await createSupplierUser(deps)
    connectionId = (await createSupplierConnection(deps, supplier, sourceServer.url('/feed.csv')))
      .id
  })
  afterEach(async () => {
    await deps.close()
    await sourceServer.close()
  })

  const syncs = () => queued.filter(({ job }) => job === 'sync-connection')

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

  it('allow a due connection to be claimed once', async () => {
    expect(await claim()).toHaveLength(1)
    expect(await claim()).toHaveLength(0)
  })

  it('allow another claim after the process has died', async () => {
    await claim()
    deps.clock.advance(MINUTE_MS)
    const [lease] = await claim()
    await run(lease!)
    expect(await versions()).toHaveLength(1)
  })

  it('prevent a run that starts too late from doing anything', async () => {
    const [late] = await claim()
    deps.clock.advance(MINUTE_MS)
    const [next] = await claim()
    await run(late!)
    expect(sourceServer.requests).toHaveLength(0)
    await run(next!)
    expect(await versions()).toHaveLength(1)
  })

  it('allow the same work to run once when the queue delivers it several times', async () => {
    const [lease] = await claim()
    await Promise.all([run(lease!), run(lease!), run(lease!)])
    expect(sourceServer.requests).toHaveLength(1)
    expect(await versions()).toHaveLength(1)
  })

  it('prevent a run from publishing after another one has taken over', async () => {
    const [stopped] = await claim()
    let release = () => {}
    const requested = new Promise<void>((resolve) => {
      sourceServer.set('/feed.csv', {
        handler: (_request, response) => {
          release = () => response.end('sku,qty\r\nold,1\r\n')
          resolve()
        },
      })
    })
    const stoppedRun = run(stopped!)
    await requested
    sourceServer.set('/feed.csv', { body: CSV })
    deps.clock.advance(2 * MINUTE_MS)
    const [next] = await claim()
    const nextRun = run(next!)
    release()
    await Promise.all([stoppedRun, nextRun])
    expect(await versions()).toMatchObject([{ fileSize: CSV.length }])
    const connection = await findConnection(deps.db, connectionId, {})
    expect(connection).toMatchObject({ leaseToken: null, consecutiveFailures: 0 })
  })

  it('allow each process as many claims as it has free slots', async () => {
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

  it('keep claimed work in the process that claimed it', async () => {
    await claim()
    expect(syncs()).toMatchObject([{ isLocal: true }])
  })

  it('leave slots for other hosts when one host has many connections', async () => {
    for (let index = 0; index < 60; index++) await connectTo(sourceServer.url('/feed.csv'))
    const claimed = await claim()
    expect(claimed).toHaveLength(MAX_REQUESTS_PER_HOST)
    const elsewhere = await connectTo('http://elsewhere.example.com/')
    expect(await claim()).toMatchObject([{ connectionId: elsewhere.id }])
    await run(claimed[0]!)
    expect(await claim()).toHaveLength(1)
  })

  it('protect the scratch files of live runs from the clean-up', async () => {
    const [lease] = await claim()
    const draft = deps.files.createDraft(lease!.leaseToken)
    const half = await writeContent(draft.path, 'half')
    const { sha256 } = await storeContent(deps.files, 'left behind', 'a dead run')
    await cleanStorage(deps, new AbortController().signal)
    await draft.commit(half)
    expect(await deps.files.has(half.sha256)).toBe(true)
    expect(await deps.files.has(sha256)).toBe(false)
  })

  it('protect a file that a live run has stored but not recorded yet', async () => {
    const [lease] = await claim()
    let release = () => {}
    const requested = new Promise<void>((resolve) => {
      sourceServer.set('/feed.csv', {
        handler: (_request, response) => {
          release = () => response.end(CSV)
          resolve()
        },
      })
    })
    const working = run(lease!)
    await requested
    const { sha256 } = await storeContent(deps.files, 'about to be named', lease!.leaseToken)
    await cleanStorage(deps, new AbortController().signal)
    expect(await deps.files.has(sha256)).toBe(true)
    release()
    await working
    await cleanStorage(deps, new AbortController().signal)
    expect(await deps.files.has(sha256)).toBe(false)
  })

  it('prevent publishing a version whose file was deleted before it was recorded', async () => {
    const [lease] = await claim()
    const { createDraft } = deps.files
    deps.files.createDraft = (owner) => {
      const draft = createDraft(owner)
      return {
        ...draft,
        async commit(content) {
          await draft.commit(content)
          await deleteUnneededFiles(deps, [content.sha256])
        },
      }
    }
    await run(lease!)
    expect(await versions()).toEqual([])
    deps.files.createDraft = createDraft
    deps.clock.advance(2 * MINUTE_MS)
    const [again] = await claim()
    await run(again!)
    expect(await versions()).toHaveLength(1)
  })
})
