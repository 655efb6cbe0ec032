import { afterEach, beforeEach, describe, expect, it } from 'vitest'

import { HOUR_MS, MINUTE_MS } from '../../../../shared/durations'
import { createSupplierConnection, createSupplierUser } from '../../../testing/fixtures/factories'
import { putBackup } from '../../../testing/fixtures/stock'
import { startSourceServer, type SourceServer } from '../../../testing/servers/source-server'
import { openTestDeps, type TestDeps } from '../../../testing/stages/test-deps'
import { listTroubles, readOverview, readStorageState } from './overview'

let sourceServer: SourceServer
let deps: TestDeps

beforeEach(async () => {
  sourceServer = await startSourceServer()
  sourceServer.set('/good.csv', { body: 'sku,qty\r\n1,5\r\n' })
  sourceServer.set('/bad.csv', { status: 503 })
  deps = await openTestDeps({ fetchAllow: [sourceServer.host] })
})
afterEach(async () => {
  await deps.close()
  await sourceServer.close()
})

async function addConnection(path: string, isActive = true) {
  const supplier = await createSupplierUser(deps, { isActive })
  await createSupplierConnection(deps, supplier, sourceServer.url(path))
}

/** Holds a file of the connection that has one. */
async function setHeld() {
  const { id, connectionId } = await deps.db
    .selectFrom('versions')
    .select(['id', 'connectionId'])
    .executeTakeFirstOrThrow()
  await deps.db
    .updateTable('connections')
    .set({ heldVersionId: id })
    .where('id', '=', connectionId)
    .execute()
}

describe('the overview', () => {
  it('counts the connections that would sync, and those that fail', async () => {
    await addConnection('/good.csv')
    await addConnection('/bad.csv')
    await addConnection('/bad.csv', false)
    await createSupplierUser(deps)
    await deps.work()
    expect(await readOverview(deps)).toMatchObject({
      connectionCount: 2,
      failingCount: 1,
      troubledCount: 1,
    })
  })

  it('counts the connections whose data are late', async () => {
    await addConnection('/good.csv')
    await addConnection('/bad.csv')
    await deps.work()
    expect(await readOverview(deps)).toMatchObject({ lateCount: 0, heldCount: 0 })
    deps.clock.advance(HOUR_MS + 15 * MINUTE_MS + 1)
    expect(await readOverview(deps)).toMatchObject({ lateCount: 2, troubledCount: 2 })
    await deps.work()
    expect(await readOverview(deps)).toMatchObject({ lateCount: 1 })
  })

  it('lists the connections that need somebody, those that fail first, and why', async () => {
    await addConnection('/good.csv')
    await addConnection('/bad.csv')
    await addConnection('/bad.csv', false)
    await deps.work()
    expect(await listTroubles(deps)).toMatchObject([
      { trouble: 'failing', lastSync: null, reason: expect.stringContaining('503') },
    ])
    deps.clock.advance(HOUR_MS + 15 * MINUTE_MS + 1)
    expect((await listTroubles(deps)).map(({ trouble }) => trouble)).toEqual(['failing', 'late'])
    await setHeld()
    expect((await listTroubles(deps)).map(({ trouble }) => trouble)).toEqual(['failing', 'held'])
  })

  it('counts waiting syncs, and says since when the first one waits', async () => {
    const dueAt = new Date(deps.clock.now()).toISOString()
    await addConnection('/good.csv')
    deps.clock.advance(MINUTE_MS)
    await addConnection('/good.csv')
    const { queue } = await readOverview(deps)
    expect(queue).toMatchObject({ runningCount: 0, waitingCount: 2, waitingSince: dueAt })
    await deps.work()
    expect((await readOverview(deps)).queue).toEqual({
      driver: 'database',
      runningCount: 0,
      waitingCount: 0,
      waitingSince: null,
      waitingFileCount: 0,
    })
  })

  it('says when any worker last began a job', async () => {
    expect((await readOverview(deps)).workers).toEqual({
      isInline: true,
      processCount: null,
      lastActiveAt: null,
      isSilent: true,
    })
    await addConnection('/good.csv')
    const lastActiveAt = new Date(deps.clock.now()).toISOString()
    await deps.work()
    deps.clock.advance(5 * MINUTE_MS)
    expect((await readOverview(deps)).workers).toMatchObject({ lastActiveAt })
  })
})

describe('the state of the storage', () => {
  it('warns when there is no backup, and when the newest one is older than a night', async () => {
    const readBackup = async () => (await readStorageState(deps)).backup
    expect(await readBackup()).toEqual({ last: null, isOverdue: true, isRunning: false })
    const createdAt = new Date(deps.clock.now()).toISOString()
    await putBackup(deps)
    expect(await readBackup()).toEqual({
      last: { createdAt, sizeBytes: expect.any(Number) as number },
      isOverdue: false,
      isRunning: false,
    })
    deps.clock.advance(33 * HOUR_MS)
    expect(await readBackup()).toMatchObject({ isOverdue: false })
    deps.clock.advance(1)
    expect(await readBackup()).toMatchObject({ isOverdue: true })
  })

  it('says why syncs wait for room on the disk', async () => {
    const { disk } = await readStorageState(deps)
    expect(disk.shortage).toBeNull()
    expect(disk.freeBytes).toBeLessThanOrEqual(disk.totalBytes)
    deps.config.minFreeBytes = disk.totalBytes * 2
    expect((await readStorageState(deps)).disk.shortage).toMatch(
      /^The disk has .* syncs wait until/,
    )
  })
})
