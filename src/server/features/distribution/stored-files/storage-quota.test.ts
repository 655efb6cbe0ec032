import { stat } from 'node:fs/promises'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'

import { afterEach, beforeEach, describe, expect, it } from 'vitest'

import { BACKUP_JOB } from '../../../../shared/constants'
import { MINUTE_MS } from '../../../../shared/durations'
import {
  createLinkedRetailer,
  createSupplierConnection,
  createSupplierUser,
  removeGuards,
} from '../../../testing/fixtures/factories'
import { listStoredFiles, loseContent } from '../../../testing/fixtures/stored-files'
import { setSlowSource } from '../../../testing/servers/slow-source'
import { startSourceServer, type SourceServer } from '../../../testing/servers/source-server'
import { openTestDeps, type TestDeps } from '../../../testing/stages/test-deps'
import { listConnections } from '../../catalogue/connections/connections'
import { claimDueWork } from '../../operations/scheduling/claim-due-work'
import type { UserRecord } from '../../people/accounts/users.queries'
import { getLatestFile, openRetailerFile } from '../downloads/retailer-files'
import { updateRetailer } from '../retailers/retailers'
import { openContent } from './open-content'
import { enforceStorageLimits } from './storage-quota'

const KB = 1_024
const CATEGORIES = 30
const HEADER = 'sku,category\r\n'
/** About 20 KB, with one row for each category. */
const FILE = `${HEADER}${Array.from(
  { length: CATEGORIES },
  (_, index) => `${'x'.repeat(660)},C${index}\r\n`,
).join('')}`
const QUOTA = 100 * KB

let sourceServer: SourceServer
let elsewhere: SourceServer
let deps: TestDeps
let supplier: UserRecord
let retailer: { id: number; user: UserRecord }

beforeEach(async () => {
  sourceServer = await startSourceServer()
  elsewhere = await startSourceServer()
  deps = await openTestDeps({
    fetchAllow: [sourceServer.host, elsewhere.host],
    maxStoragePerSupplierBytes: QUOTA,
  })
  supplier = await createSupplierUser(deps)
  retailer = await createLinkedRetailer(deps, supplier, allBut(0))
  await publish(supplier, FILE)
})
afterEach(async () => {
  await deps.close()
  await sourceServer.close()
  await elsewhere.close()
})

/** Visibility settings with all categories but one, which select nearly the whole file. */
function allBut(left: number) {
  const names = Array.from({ length: CATEGORIES }, (_, index) => `C${index}`)
  return { allProducts: false, categories: names.filter((_name, index) => index !== left) }
}

const withoutCategory = (left: number) => FILE.replace(new RegExp(`x+,C${left}\\r\\n`), '')

async function publish(owner: UserRecord, body: string) {
  const path = `/${owner.id}.csv`
  sourceServer.set(path, { body })
  const [known] = await listConnections(deps, owner)
  if (!known) await createSupplierConnection(deps, owner, sourceServer.url(path))
  await deps.db
    .updateTable('connections')
    .set({ nextSyncAt: deps.clock.now() })
    .where('supplierId', '=', owner.id)
    .execute()
  await claimDueWork(deps)
  await expect.poll(async () => (await listConnections(deps, owner))[0]?.status).toBe('synced')
  await deps.queue.idle()
}

const restrict = (left: number) =>
  updateRetailer(deps, supplier, { id: retailer.id, visibilitySettings: allBut(left) })

const latest = () => getLatestFile(deps, retailer.user, retailer.id)

async function download(): Promise<string> {
  const file = await latest()
  if (!('fileName' in file)) return file.message
  const { sha256, onRead } = await openRetailerFile(deps, retailer.user, {
    id: retailer.id,
    fileName: file.fileName,
  })
  await onRead?.({ isSent: true })
  await deps.pulls.flush()
  return text(await deps.files.read(sha256))
}

async function measureStored(): Promise<number> {
  let bytes = 0
  for (const sha256 of await listStoredFiles(deps)) {
    const path = join(deps.config.filesDir, sha256.slice(0, 2), `${sha256}.csv`)
    bytes += (await stat(path)).size
  }
  return bytes
}

const variants = () => deps.db.selectFrom('variants').selectAll().orderBy('id').execute()

describe('the filtered files of a supplier', () => {
  it('stay within the quota however often categories change, even during a sync', async () => {
    const slow = setSlowSource(elsewhere, '/slow.csv', HEADER)
    await createSupplierConnection(deps, await createSupplierUser(deps), elsewhere.url('/slow.csv'))
    await claimDueWork(deps)
    const response = await slow.asked
    for (let left = 1; left < CATEGORIES; left++) {
      await deps.db.updateTable('variants').set({ usedAt: 0 }).execute()
      await restrict(left)
      await expect.poll(download).toBe(withoutCategory(left))
      await expect.poll(measureStored).toBeLessThanOrEqual(QUOTA)
    }
    response.end('1,C1\r\n')
    await deps.queue.idle()
  })

  it('are not built while the quota is full of files built within the last minute', async () => {
    for (let left = 1; left < CATEGORIES; left++) {
      await restrict(left)
      await latest()
      await deps.queue.idle()
      expect(await measureStored()).toBeLessThanOrEqual(QUOTA + FILE.length)
    }
    expect(await download()).toMatch('being prepared')
    deps.clock.advance(MINUTE_MS)
    await deps.work()
    expect(await download()).toBe(withoutCategory(29))
    expect(await measureStored()).toBeLessThanOrEqual(QUOTA)
  })

  it('cost no version, and are removed when no retailer reads them', async () => {
    await removeGuards(deps)
    deps.config.maxStoragePerSupplierBytes = 4.5 * FILE.length
    const idsOf = async (table: 'versions' | 'variants') =>
      (await deps.db.selectFrom(table).select('id').orderBy('id').execute()).map(({ id }) => id)
    const [unread] = await idsOf('variants')
    await restrict(1)
    await latest()
    await deps.queue.idle()
    for (const letter of ['w', 'y', 'z']) {
      deps.clock.advance(MINUTE_MS)
      await publish(supplier, FILE.replace('x', letter))
    }
    // Two filtered files have room: those that the retailer reads now and next.
    const [first, second, , published] = await idsOf('versions')
    expect(await idsOf('versions')).toHaveLength(4)
    expect(await idsOf('variants')).not.toContain(unread)
    expect((await variants()).map(({ versionId }) => versionId)).toEqual([first, published])
    deps.clock.advance(MINUTE_MS)
    await publish(supplier, FILE.replace('x', 'v'))
    expect(await idsOf('versions')).toHaveLength(4)
    expect(await idsOf('versions')).not.toContain(second)
  })

  it('are kept one at a time when the published file alone fills the quota', async () => {
    deps.config.maxStoragePerSupplierBytes = 1
    for (const left of [1, 2, 3]) {
      deps.clock.advance(MINUTE_MS)
      await restrict(left)
      await latest()
      await deps.queue.idle()
      expect(await download()).not.toMatch('being prepared')
      expect((await variants()).map(({ status }) => status)).toEqual(['ready'])
    }
  })

  it('are not removed during a backup, and new ones wait for its end', async () => {
    deps.config.maxStoragePerSupplierBytes = 1
    deps.clock.advance(MINUTE_MS)
    const lease = { leaseToken: 'backup', leaseUntil: deps.clock.now() + MINUTE_MS }
    await deps.db
      .insertInto('cronJobs')
      .values({ name: BACKUP_JOB, schedule: '0 3 * * *', isRunning: true, ...lease })
      .execute()
    await restrict(1)
    await latest()
    await deps.queue.idle()
    expect((await variants()).map(({ status }) => status)).toEqual(['ready', 'processing'])
    deps.clock.advance(MINUTE_MS)
    await deps.db.deleteFrom('cronJobs').execute()
    await deps.work()
    expect((await variants()).map(({ status }) => status)).toEqual(['ready'])
  })

  it('are not built until the disk has enough free space', async () => {
    deps.config.minFreeBytes = 100
    let freeBytes = 99
    deps.files.measureSpace = async () => ({ freeBytes, totalBytes: 1_000 })
    await restrict(1)
    expect(await download()).toMatch('being prepared')
    await deps.work()
    expect(await download()).toMatch('being prepared')
    freeBytes = 100
    await deps.work()
    expect(await download()).toContain('C0\r\n')
  })

  it('are at most 200 per version: unread ones are removed first, least recently used first', async () => {
    deps.config.maxStoragePerSupplierBytes = 100 * QUOTA
    const [read] = await variants()
    const since = deps.clock.now()
    deps.clock.advance(60 * MINUTE_MS)
    const { versionId, sizeBytes, rowCount } = read!
    const unread = Array.from({ length: 199 }, (_, index) => ({
      versionId,
      sizeBytes,
      rowCount,
      viewKey: `${index}`,
      view: { categories: [`${index}`], hidden: [] },
      status: 'ready' as const,
      sha256: `${index}`.padStart(64, '0'),
      createdAt: since,
      usedAt: since + 199 - index,
    }))
    await deps.db.insertInto('variants').values(unread).execute()
    await restrict(1)
    await latest()
    await deps.queue.idle()
    // No retailer reads the first one any more, and it was the oldest.
    const left = await variants()
    expect(left).toHaveLength(200)
    expect(left.map(({ id }) => id)).not.toContain(read!.id)
    const now = deps.clock.now()
    const another = { ...unread[0]!, viewKey: 'x', createdAt: now, usedAt: now }
    await deps.db.updateTable('variants').set({ usedAt: 0 }).where('createdAt', '=', now).execute()
    await deps.db.insertInto('variants').values(another).execute()
    const connection = await deps.db.selectFrom('connections').select('id').executeTakeFirst()
    expect(await enforceStorageLimits(deps, connection!.id)).toMatchObject({
      variants: 1,
      isFull: false,
    })
    const keys = (await variants()).map(({ viewKey }) => viewKey)
    expect(keys).not.toContain('198')
  })

  it('record when they were last downloaded, at most once an hour', async () => {
    const usedAt = async () => (await variants())[0]?.usedAt
    const built = await usedAt()
    deps.clock.advance(59 * MINUTE_MS)
    await download()
    expect(await usedAt()).toBe(built)
    deps.clock.advance(MINUTE_MS)
    await download()
    expect(await usedAt()).toBe(deps.clock.now())
  })

  it('respond 503 with Retry-After when they were deleted after the look-up', async () => {
    const [{ sha256, sizeBytes } = { sha256: null, sizeBytes: null }] = await variants()
    await loseContent(deps.files, sha256!)
    const file = { sha256: sha256!, sizeBytes: sizeBytes! }
    await expect(openContent(deps, file, { start: 0, end: 1 })).rejects.toMatchObject({
      status: 503,
      retryAfterSeconds: 2,
    })
  })
})
