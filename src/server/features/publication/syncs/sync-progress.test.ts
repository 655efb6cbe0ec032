import { afterEach, beforeEach, describe, expect, it } from 'vitest'

import { inTransaction } from '../../../db/open'
import { LEASE_MS } from '../../../domain/lease'
import { createSupplierConnection, createSupplierUser } from '../../../testing/fixtures/factories'
import { openTestDeps, type TestDeps } from '../../../testing/stages/test-deps'
import {
  findConnection,
  updateConnectionRow,
} from '../../catalogue/connections/connections.queries'
import { insertSyncRun, listSyncRuns } from '../../catalogue/connections/sync-runs.queries'
import { insertHostRequest } from './host-requests.queries'
import { startSourcePace } from './source-pace'
import type { SyncRun } from './sync-lease'
import { trackProgress } from './sync-progress'

let deps: TestDeps
let run: SyncRun

beforeEach(async () => {
  deps = await openTestDeps()
  const supplier = await createSupplierUser(deps)
  const { id } = await createSupplierConnection(deps, supplier, 'https://example.com/feed.csv')
  const lease = { leaseToken: 'token', leaseUntil: deps.clock.now() + LEASE_MS }
  run = await inTransaction(deps.db, async (trx) => {
    const connection = await findConnection(trx, id, {})
    await updateConnectionRow(trx, connection!, lease)
    const open = { connectionId: id, leaseToken: lease.leaseToken }
    const runId = await insertSyncRun(trx, { ...open, startedAt: deps.clock.now(), waitedMs: null })
    return { ...open, runId, received: null, host: null }
  })
})
afterEach(() => deps.close())

const written = async () => (await listSyncRuns(deps.db, run.connectionId, 1))[0]

describe('the progress of a run', () => {
  it('is written on flush only, however often it is noted', async () => {
    const { note, flush } = trackProgress(deps, run, startSourcePace(deps.clock.now))
    const before = await written()
    note({ expectedBytes: 900 })
    for (let bytes = 0; bytes <= 500; bytes += 100) note({ bytes, rows: bytes / 10 })
    expect(await written()).toEqual(before)
    expect(await flush()).toBe(true)
    expect(await written()).toMatchObject({ sizeBytes: 500, rowCount: 50 })
  })

  it('is not written again when nothing has changed', async () => {
    const { note, flush } = trackProgress(deps, run, startSourcePace(deps.clock.now))
    note({ bytes: 100 })
    await flush()
    // What another write would undo.
    await deps.db.updateTable('syncRuns').set({ sizeBytes: 7 }).execute()
    expect(await flush()).toBe(true)
    expect(await written()).toMatchObject({ sizeBytes: 7 })
  })

  it('is not written once the lease is lost, and flush returns false', async () => {
    const { note, flush } = trackProgress(deps, run, startSourcePace(deps.clock.now))
    deps.clock.advance(LEASE_MS)
    note({ bytes: 100 })
    expect(await flush()).toBe(false)
    expect(await written()).toMatchObject({ sizeBytes: null })
  })

  it('leaves the host once everything has been received, though the run goes on', async () => {
    const requestId = await inTransaction(deps.db, (trx) =>
      insertHostRequest(trx, { host: 'example.com', startedAt: deps.clock.now() }),
    )
    const host = { name: 'example.com', requestId }
    const { note, flush } = trackProgress(deps, { ...run, host }, startSourcePace(deps.clock.now))
    const requests = () => deps.db.selectFrom('hostRequests').select('id').execute()
    note({ bytes: 100 })
    await flush()
    expect(await requests()).toHaveLength(1)
    note({ bytes: 200, isReceived: true })
    await flush()
    expect(await requests()).toEqual([])
  })

  it('does not count time after the last byte against the source', () => {
    const pace = startSourcePace(deps.clock.now)
    const { note } = trackProgress(deps, run, pace)
    note({ bytes: 100 })
    deps.clock.advance(4_000)
    note({ bytes: 100, isReceived: true })
    deps.clock.advance(60_000)
    expect(pace.wasSlow()).toBe(false)
  })
})
