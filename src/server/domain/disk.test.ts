import { readdir } from 'node:fs/promises'
import { join } from 'node:path'

import { afterEach, beforeEach, describe, expect, it } from 'vitest'

import { listConnections } from '../features/catalogue/connections/connections'
import { listFiles } from '../features/catalogue/versions/connection-files'
import type { UserRecord } from '../features/people/accounts/users.queries'
import { syncHeartbeatTask } from '../features/publication/syncs/sync-heartbeat-task'
import { createSupplierConnection, createSupplierUser } from '../testing/fixtures/factories'
import { startSourceServer, type SourceServer } from '../testing/servers/source-server'
import { openTestDeps, type TestDeps } from '../testing/stages/test-deps'
import { findShortage } from './disk'

const MB = 1024 * 1024
const GB = 1024 * MB
const CSV = 'sku,qty\r\n1,5\r\n'

let deps: TestDeps
let sourceServer: SourceServer
let supplier: UserRecord
let connectionId: number

beforeEach(async () => {
  sourceServer = await startSourceServer()
  sourceServer.set('/feed.csv', { body: CSV })
  deps = await openTestDeps({ fetchAllow: [sourceServer.host] })
  supplier = await createSupplierUser(deps)
  connectionId = (await createSupplierConnection(deps, supplier, sourceServer.url('/feed.csv'))).id
})
afterEach(async () => {
  await deps.close()
  await sourceServer.close()
})

const connection = async () => (await listConnections(deps, supplier))[0]
const versions = async () => (await listFiles(deps, supplier, connectionId)).files

function setFree(freeBytes: number, totalBytes = 8 * GB) {
  deps.files.measureSpace = async () => ({ freeBytes, totalBytes })
}

describe('a disk that is short of space', () => {
  it.each([
    ['512 MB free on a small disk', 8 * GB, 512 * MB],
    ['5 % free on a large disk', 200 * GB, 10 * GB],
  ])('is one with less than %s', async (_text, totalBytes, least) => {
    deps.config.minFreeBytes = undefined
    setFree(least, totalBytes)
    expect(await findShortage(deps)).toBeUndefined()
    setFree(least - 1, totalBytes)
    expect(await findShortage(deps)).toContain('syncs wait until there are')
  })

  it('is one with less than MIN_FREE_BYTES, and 0 switches the check off', async () => {
    deps.config.minFreeBytes = 100 * MB
    setFree(99 * MB)
    expect(await findShortage(deps)).toBe(
      'The disk has 99 MB of 8 GB left; syncs wait until there are 100 MB',
    )
    deps.config.minFreeBytes = 0
    setFree(0)
    expect(await findShortage(deps)).toBeUndefined()
  })

  it('makes syncs wait with a message, without counting a failure', async () => {
    deps.config.minFreeBytes = 100 * MB
    setFree(99 * MB)
    await deps.work()
    expect(sourceServer.requests).toEqual([])
    expect(await deps.db.selectFrom('syncRuns').selectAll().execute()).toEqual([])
    expect(await connection()).toMatchObject({
      status: 'queued',
      lastError: 'The server is short of disk space. The sync waits until there is room.',
      consecutiveFailures: 0,
    })
  })

  it('lets syncs continue once there is enough space', async () => {
    deps.config.minFreeBytes = 100 * MB
    setFree(99 * MB)
    await deps.work()
    setFree(100 * MB)
    await deps.work()
    expect(await versions()).toHaveLength(1)
    expect(await connection()).toMatchObject({ status: 'synced', lastError: null })
  })

  it('is reported to the administrator by the sync heartbeat', async () => {
    deps.config.minFreeBytes = 100 * MB
    setFree(99 * MB)
    const run = { leaseToken: 'x', signal: new AbortController().signal, report: async () => {} }
    await expect(syncHeartbeatTask.run(deps, run)).rejects.toThrow(
      'The disk has 99 MB of 8 GB left',
    )
  })
})

describe('a disk that becomes unwritable during a sync', () => {
  it.each(['ENOSPC', 'EROFS'])(
    'does not count as a failure of the source, and leaves no drafts: %s',
    async (code) => {
      await deps.work()
      const { run } = deps.readers
      deps.readers.run = async (kind, task, options) => {
        await run(kind, task, options)
        throw Object.assign(new Error(`${code}: no write`), { code })
      }
      deps.clock.advance(60 * 60_000)
      await deps.work()
      expect(await connection()).toMatchObject({
        lastError: 'The server cannot write at the moment. The sync will be tried again.',
        consecutiveFailures: 0,
      })
      expect(await versions()).toHaveLength(1)
      expect(await readdir(join(deps.config.filesDir, 'drafts'))).toEqual([])

      deps.readers.run = run
      sourceServer.set('/feed.csv', { body: `${CSV}2,6\r\n` })
      deps.clock.advance(60_000)
      await deps.work()
      expect(await versions()).toHaveLength(2)
    },
  )
})
