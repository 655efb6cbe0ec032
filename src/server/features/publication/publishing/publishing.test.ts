import { buffer } from 'node:stream/consumers'

import { afterEach, beforeEach, describe, expect, it } from 'vitest'

import { DAY_MS, HOUR_MS } from '../../../../shared/durations'
import { guardSchema } from '../../../../shared/schemas/publishing'
import {
  createLinkedRetailer,
  createSupplierConnection,
  createSupplierUser,
  NO_GUARD,
} from '../../../testing/fixtures/factories'
import { startSourceServer, type SourceServer } from '../../../testing/servers/source-server'
import { openTestDeps, type TestDeps } from '../../../testing/stages/test-deps'
import { listConnections } from '../../catalogue/connections/connections'
import { getLatestFile, openRetailerFile } from '../../distribution/downloads/retailer-files'
import type { UserRecord } from '../../people/accounts/users.queries'
import { listRuns } from '../syncs/sync-control'
import { readGuard, saveGuard, tryGuard } from './guard'
import { discardVersion, pinVersion, publishVersion } from './publications'
import { listVersionHistory } from './version-list'

const FILE = fileOf(20)
const LARGER = fileOf(25)
const SMALL = fileOf(2)
const SMALLER = fileOf(1)

function fileOf(rows: number): string {
  const lines = Array.from({ length: rows }, (_, row) => `A-${row},Boots,${row + 1}\r\n`)
  return `sku,category,stock\r\n${lines.join('')}`
}

let sourceServer: SourceServer
let deps: TestDeps
let supplier: UserRecord
let id: number
let shop: Awaited<ReturnType<typeof createLinkedRetailer>>

beforeEach(async () => {
  sourceServer = await startSourceServer()
  deps = await openTestDeps({ fetchAllow: [sourceServer.host] })
  sourceServer.set('/feed.csv', { body: FILE })
  supplier = await createSupplierUser(deps)
  id = (await createSupplierConnection(deps, supplier, sourceServer.url('/feed.csv'))).id
  shop = await createLinkedRetailer(deps, supplier)
  await deps.work()
})
afterEach(async () => {
  await deps.close()
  await sourceServer.close()
})

const current = async () => (await listConnections(deps, supplier))[0]!

async function waitForNextSync() {
  const { nextSyncAt } = await current()
  deps.clock.advance(Math.max(0, Date.parse(nextSyncAt ?? '') - deps.clock.now()))
  await deps.work()
}

async function receive(body: string) {
  sourceServer.set('/feed.csv', { body })
  await waitForNextSync()
}

const versions = async () => (await listVersionHistory(deps, supplier, id)).versions
const newest = async () => (await versions())[0]!
const states = async () => (await versions()).map(({ state }) => state)
const lastRun = async () => (await listRuns(deps, supplier, id))[0]

/** The file that the retailer gets now. */
async function served(): Promise<string> {
  const latest = await getLatestFile(deps, shop.user, shop.id)
  if ('message' in latest) throw new Error(latest.message)
  const file = await openRetailerFile(deps, shop.user, { id: shop.id, fileName: latest.fileName })
  return (await buffer(await deps.files.read(file.sha256))).toString()
}

async function servedADayLater(): Promise<string> {
  deps.clock.advance(DAY_MS)
  return served()
}

describe('a file that breaks the guard', () => {
  beforeEach(() => receive(SMALL))

  it('is held with its reasons, and retailers keep the last good one', async () => {
    const { status, lastError, consecutiveFailures, lastSync } = await current()
    expect({ status, lastError, consecutiveFailures }).toEqual({
      status: 'held',
      lastError:
        'The new file is held, and retailers keep the last good one. ' +
        'It has 2 rows; the published file has 20 (−90.0 %). ' +
        'Its quantities in “stock” add up to 3; those of the published file to 210 (−98.6 %). ' +
        'Of 20 items, found by “sku”, 18 are gone, for example A-11, A-5, A-2, A-9, A-6.',
      consecutiveFailures: 0,
    })
    expect(Date.parse(lastSync ?? '')).toBeLessThan(deps.clock.now())
    expect(await newest()).toMatchObject({ state: 'held', rowCount: 2 })
    expect((await newest()).holdReasons).toHaveLength(3)
    expect(await lastRun()).toMatchObject({ outcome: 'held', rows: 2, fileName: null })
    expect(await servedADayLater()).toBe(FILE)
  })

  it('is still held when it comes again, as the same version', async () => {
    const { id: heldId } = await newest()
    await waitForNextSync()
    expect(await newest()).toMatchObject({ id: heldId, state: 'held' })
    expect(await current()).toMatchObject({ status: 'held' })
    expect(await states()).toEqual(['held', 'current'])
  })

  it('is still held when the source reports no change, also after a failure', async () => {
    const tagged = { body: SMALL, headers: { etag: '"1"' } }
    sourceServer.set('/feed.csv', tagged)
    await waitForNextSync()
    sourceServer.set('/feed.csv', { status: 500, body: '' })
    await waitForNextSync()
    expect(await current()).toMatchObject({ status: 'failed' })
    sourceServer.set('/feed.csv', { ...tagged, status: 304, body: '' })
    await waitForNextSync()
    const { status, lastError } = await current()
    expect({ status, isExplained: lastError?.includes('It has 2 rows') }).toEqual({
      status: 'held',
      isExplained: true,
    })
  })

  it('gives way to another one that is held', async () => {
    await receive(SMALLER)
    expect(await states()).toEqual(['held', 'discarded', 'current'])
    expect(await newest()).toMatchObject({ rowCount: 1 })
  })

  it('gives way to a good one, which publishes itself', async () => {
    await receive(LARGER)
    expect(await states()).toEqual(['current', 'discarded', 'replaced'])
    expect(await current()).toMatchObject({ status: 'synced', lastError: null })
    expect(await servedADayLater()).toBe(LARGER)
  })

  it('is dropped when the source has the published file again', async () => {
    await receive(FILE)
    expect(await states()).toEqual(['discarded', 'current'])
    expect(await current()).toMatchObject({ status: 'synced' })
  })

  it('is published anyway when the supplier says so', async () => {
    const held = await newest()
    deps.clock.advance(HOUR_MS / 2)
    await publishVersion(deps, supplier, { id, versionId: held.id })
    expect(await newest()).toMatchObject({ id: held.id, state: 'current', publishedBy: 'Acme' })
    expect(await current()).toMatchObject({ status: 'synced', lastError: null })
    expect(await servedADayLater()).toBe(SMALL)
    await waitForNextSync()
    expect(await states()).toEqual(['current', 'replaced'])
    expect(await lastRun()).toMatchObject({ outcome: 'unchanged' })
  })

  it('says when its data are from after it was published anyway', async () => {
    const { createdAt, id: versionId } = await newest()
    deps.clock.advance(HOUR_MS / 2)
    await publishVersion(deps, supplier, { id, versionId })
    await servedADayLater()
    expect(await getLatestFile(deps, shop.user, shop.id)).toMatchObject({ dataAsOf: createdAt })
  })

  it('is not published, however often it comes, once it is discarded', async () => {
    await discardVersion(deps, supplier, { id, versionId: (await newest()).id })
    expect(await current()).toMatchObject({ status: 'synced' })
    for (const _ of [1, 2]) {
      await waitForNextSync()
      expect(await current()).toMatchObject({
        status: 'delayed',
        lastError: 'It is still the file that you discarded.',
      })
      expect(await states()).toEqual(['discarded', 'current'])
    }
    expect(await servedADayLater()).toBe(FILE)
  })

  it('can be published after it was discarded', async () => {
    const { id: versionId } = await newest()
    await discardVersion(deps, supplier, { id, versionId })
    await publishVersion(deps, supplier, { id, versionId })
    await waitForNextSync()
    expect(await states()).toEqual(['current', 'discarded', 'rolled-back'])
    expect(await current()).toMatchObject({ status: 'synced' })
  })

  it('is published by the next sync when the thresholds allow it', async () => {
    await saveGuard(deps, supplier, { id, guard: NO_GUARD })
    await deps.work()
    expect(await states()).toEqual(['current', 'replaced'])
    expect(await newest()).toMatchObject({ publishedBy: null, holdReasons: [] })
  })

  it('is decided on by its supplier only', async () => {
    const stranger = await createSupplierUser(deps)
    const { id: versionId } = await newest()
    const refusal = { code: 'NOT_FOUND' }
    await expect(publishVersion(deps, stranger, { id, versionId })).rejects.toMatchObject(refusal)
    await expect(discardVersion(deps, stranger, { id, versionId })).rejects.toMatchObject(refusal)
    await expect(listVersionHistory(deps, stranger, id)).rejects.toMatchObject(refusal)
    expect(await states()).toEqual(['held', 'current'])
  })
})

describe('a rollback', () => {
  let first: number

  beforeEach(async () => {
    first = (await newest()).id
    await receive(LARGER)
    await servedADayLater()
    await publishVersion(deps, supplier, { id, versionId: first })
  })

  it('publishes an older version again as a new one, which retailers read at once', async () => {
    expect(await states()).toEqual(['current', 'rolled-back', 'replaced'])
    const [version, , original] = await versions()
    expect(version).toMatchObject({ restoredFrom: original?.fileName, publishedBy: 'Acme' })
    expect(await served()).toBe(FILE)
  })

  it('is not undone by a sync that brings the content again', async () => {
    await waitForNextSync()
    expect(await current()).toMatchObject({ status: 'held' })
    const { holdReasons } = await newest()
    expect(holdReasons.join()).toContain('It is the file that you replaced by an older one')
    expect(await served()).toBe(FILE)
  })

  it('ends with new content', async () => {
    await receive(fileOf(30))
    expect((await states())[0]).toBe('current')
    expect(await servedADayLater()).toBe(fileOf(30))
  })

  it('can be taken back', async () => {
    await waitForNextSync()
    await publishVersion(deps, supplier, { id, versionId: (await newest()).id })
    await waitForNextSync()
    expect(await current()).toMatchObject({ status: 'synced' })
    expect(await servedADayLater()).toBe(LARGER)
  })

  it('keeps the age of the data', async () => {
    const { createdAt } = (await versions())[2] ?? {}
    const latest = await getLatestFile(deps, shop.user, shop.id)
    expect(latest).toMatchObject({ dataAsOf: createdAt })
  })

  it('of the published version is refused', async () => {
    const { id: versionId } = await newest()
    const refusal = { code: 'CONFLICT' }
    await expect(publishVersion(deps, supplier, { id, versionId })).rejects.toMatchObject(refusal)
    await expect(discardVersion(deps, supplier, { id, versionId })).rejects.toMatchObject(refusal)
  })
})

describe('a pinned version', () => {
  it('stays when others go, until it is unpinned', async () => {
    const { id: versionId } = await newest()
    await pinVersion(deps, supplier, { id, versionId, isPinned: true })
    for (let rows = 21; rows <= 55; rows++) await receive(fileOf(rows))
    expect(await versions()).toHaveLength(31)
    expect((await versions()).at(-1)).toMatchObject({ id: versionId, isPinned: true })
    await pinVersion(deps, supplier, { id, versionId, isPinned: false })
    await receive(fileOf(56))
    expect(await versions()).toHaveLength(30)
  })

  it('has at most nine others beside it', async () => {
    for (let rows = 21; rows <= 30; rows++) await receive(fileOf(rows))
    const [last, ...others] = await versions()
    for (const { id: versionId } of others) {
      await pinVersion(deps, supplier, { id, versionId, isPinned: true })
    }
    const attempt = pinVersion(deps, supplier, { id, versionId: last?.id ?? 0, isPinned: true })
    await expect(attempt).rejects.toMatchObject({ code: 'CONFLICT' })
  })
})

describe('the guard of a connection', () => {
  it('has defaults, and is tried on the published files before it is saved', async () => {
    expect(await readGuard(deps, supplier, id)).toEqual(guardSchema.parse({}))
    await receive(fileOf(15))
    await receive(fileOf(14))
    const guard = guardSchema.parse({ minRowsPercent: 90, minQuantityPercent: null })
    const trial = await tryGuard(deps, supplier, { id, guard })
    expect(trial).toMatchObject({ compared: 2 })
    expect(trial.held.map(({ reasons }) => reasons)).toEqual([
      ['It has 15 rows; the published file has 20 (−25.0 %).'],
    ])
    expect(await readGuard(deps, supplier, id)).toEqual(guardSchema.parse({}))
    await saveGuard(deps, supplier, { id, guard })
    expect(await readGuard(deps, supplier, id)).toEqual(guard)
  })
})
