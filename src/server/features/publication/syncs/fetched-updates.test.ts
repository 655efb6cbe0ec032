import { afterEach, beforeEach, describe, expect, it } from 'vitest'

import { DAY_MS, HOUR_MS } from '../../../../shared/durations'
import type { UpdateSettingsInput } from '../../../../shared/schemas/updates'
import type { FileReaders } from '../../../files/file-readers'
import { NO_GUARD } from '../../../testing/fixtures/factories'
import { startSourceServer, type SourceServer } from '../../../testing/servers/source-server'
import { openByHandStage, type ByHandStage } from '../../../testing/stages/by-hand-stage'
import { updateConnection } from '../../catalogue/connections/connections'
import { saveGuard } from '../publishing/guard'
import { discardVersion, publishVersion } from '../publishing/publications'
import { listVersionHistory } from '../publishing/version-list'
import { listRuns } from './sync-control'

const REMOVAL = { column: 'action', value: 'delete' }
const UPDATES = { removal: REMOVAL, fullName: 'full.csv' }
const fileOf = (items: number) =>
  `sku,qty\r\n${Array.from({ length: items }, (_, item) => `S${item},1\r\n`).join('')}`
const updateOf = (rows: string) => `sku,qty,action\n${rows}`

let server: SourceServer
let stage: ByHandStage

beforeEach(async () => {
  server = await startSourceServer()
  server.set('/latest', { status: 302, headers: { location: server.url('/full.csv') } })
  server.set('/full.csv', { body: fileOf(40) })
  stage = await openByHandStage(
    { url: server.url('/latest') },
    { fetchAllow: [server.host] },
    { updates: UPDATES },
  )
  await stage.deps.work()
})
afterEach(async () => {
  await stage.close()
  await server.close()
})

const change = (updates: UpdateSettingsInput) =>
  updateConnection(stage.deps, stage.supplier, { id: stage.id, updates })
const versions = async () =>
  (await listVersionHistory(stage.deps, stage.supplier, stage.id)).versions
const lastRun = async () => (await listRuns(stage.deps, stage.supplier, stage.id))[0]!
const gap = async () => (await stage.current()).updates?.gap ?? null

/** Lets the address have an update, and syncs. */
async function offer(rows: string, headers: Parameters<SourceServer['set']>[1] = {}) {
  server.set('/latest', { body: updateOf(rows), ...headers })
  await sync()
}
async function sync(ms = HOUR_MS) {
  stage.deps.clock.advance(ms)
  await stage.deps.work()
}
const removeMost = Array.from({ length: 30 }, (_, item) => `S${item},,delete\n`).join('')
const withStock = (item: number, quantity: number) =>
  fileOf(40).replace(`S${item},1`, `S${item},${quantity}`)

describe('an update at an address', () => {
  it('is merged onto the full file, which the name after redirects told', async () => {
    expect(await stage.publishedText()).toBe(fileOf(40))
    await offer('S3,7,\n')
    expect(await stage.publishedText()).toBe(withStock(3, 7))
    expect(await lastRun()).toMatchObject({
      outcome: 'published',
      update: { items: 1, changed: 1, added: 0, removed: 0 },
    })
  })

  it('is a full file if the server calls it so', async () => {
    const headers = { 'content-disposition': 'attachment; filename="full.csv"' }
    server.set('/latest', { body: fileOf(39), headers })
    await sync()
    expect(await stage.publishedText()).toBe(fileOf(39))
  })

  it('is merged once, however often the address has it, and not when a later one was sent', async () => {
    await offer('S3,7,\n')
    await stage.send('u2.csv', updateOf('S3,9,\n'))
    await stage.deps.work()
    for (const ms of [HOUR_MS, DAY_MS + HOUR_MS]) {
      await sync(ms)
      expect(await stage.publishedText()).toBe(withStock(3, 9))
      expect(await lastRun()).toMatchObject({ outcome: 'unchanged' })
    }
    await offer('S3,4,\n')
    expect(await stage.publishedText()).toBe(withStock(3, 4))
  })

  it('is merged again when it comes back after another one', async () => {
    await offer('S3,7,\n')
    await offer('S3,0,\n')
    await offer('S3,7,\n')
    expect(await stage.publishedText()).toBe(withStock(3, 7))
  })

  it('that its server says is older than the one before is refused, unless a full file is expected', async () => {
    const lastModified = (day: number) => `0${day} Oct 2026 10:00:00 GMT`
    await offer('S3,7,\n', { lastModified: `Fri, ${lastModified(2)}` })
    await offer('S3,0,\n', { lastModified: `Thu, ${lastModified(1)}` })
    expect(await stage.publishedText()).toBe(withStock(3, 7))
    expect(await stage.current()).toMatchObject({
      status: 'failed',
      lastError: expect.stringContaining('older than the one that was read before'),
    })
    server.set('/latest', { body: fileOf(38), lastModified: `Thu, ${lastModified(1)}` })
    await change({ ...UPDATES, nextIsFull: true })
    await sync(0)
    expect(await stage.publishedText()).toBe(fileOf(38))
    expect(await stage.current()).toMatchObject({
      updates: { nextIsFull: false },
      status: 'synced',
    })
  })

  it('is not merged again because of other settings, after which the order would be another one', async () => {
    await offer('S3,7,\n')
    await stage.send('u2.csv', updateOf('S3,9,\n'))
    await stage.deps.work()
    await change({ ...UPDATES, fullName: 'all.csv' })
    await sync(0)
    expect(await stage.publishedText()).toBe(withStock(3, 9))
  })

  it('is none if it is the full file that was published before updates were taken', async () => {
    const { deps, supplier, id } = stage
    await updateConnection(deps, supplier, { id, updates: null })
    server.set('/latest', { body: fileOf(39) })
    await sync(0)
    await change({ removal: REMOVAL, fullName: null })
    await sync(0)
    expect(await stage.current()).toMatchObject({ status: 'synced' })
    expect(await lastRun()).toMatchObject({ outcome: 'unchanged' })
    await offer('S3,7,\n')
    expect((await versions())[0]).toMatchObject({ rowCount: 39, update: { changed: 1 } })
    await updateConnection(deps, supplier, { id, updates: null })
    await sync(0)
    // What was an update is a full file of one row now, as far as anybody can tell.
    expect(await stage.current()).toMatchObject({ status: 'held' })
  })

  it('is read again as a full file when its supplier says that it is one', async () => {
    await offer('S3,7,\n')
    server.set('/latest', { body: fileOf(39) })
    await sync()
    expect(await stage.current()).toMatchObject({
      lastError: expect.stringContaining('lacks the column “action”'),
    })
    await change({ ...UPDATES, nextIsFull: true })
    await sync(0)
    expect(await stage.publishedText()).toBe(fileOf(39))
  })
})

describe('a held update of an address', () => {
  beforeEach(() => offer(removeMost))
  const heldId = async () => (await versions()).find(({ state }) => state === 'held')!.id

  it('stays held while the address has it, and the next one is merged onto it', async () => {
    await sync()
    expect(await stage.current()).toMatchObject({ status: 'held' })
    await offer('S39,5,\n')
    const [held] = await versions()
    expect(held).toMatchObject({
      state: 'held',
      rowCount: 10,
      update: { items: 1, changed: 1 },
      difference: { removed: 30, changed: 1, added: 0 },
    })
    expect(await stage.publishedText()).toBe(fileOf(40))
  })

  it('is judged again by another guard', async () => {
    const { deps, supplier, id } = stage
    const guard = {
      minRowsPercent: 1,
      minQuantityPercent: 1,
      maxLostKeysPercent: 99,
      needsColumns: true,
    }
    await saveGuard(deps, supplier, { id, guard })
    await sync(0)
    expect(await stage.current()).toMatchObject({ status: 'synced' })
    expect((await versions())[0]).toMatchObject({ state: 'current', rowCount: 10 })
  })

  it('is not merged again onto what was sent after it when the guard changes', async () => {
    const { deps, supplier, id } = stage
    await stage.send('u2.csv', updateOf('S3,9,\n'))
    await deps.work()
    const guard = { ...NO_GUARD, minRowsPercent: 99 }
    await saveGuard(deps, supplier, { id, guard })
    await sync(0)
    expect((await versions())[0]).toMatchObject({ state: 'held', rowCount: 11 })
  })

  it('does not come back once it is discarded, though the address still has it', async () => {
    const { deps, supplier, id } = stage
    await discardVersion(deps, supplier, { id, versionId: await heldId() })
    for (const ms of [0, HOUR_MS, DAY_MS]) {
      await sync(ms)
      expect(await stage.publishedText()).toBe(fileOf(40))
    }
    expect(await stage.current()).toMatchObject({
      lastError: 'It is still the file that you discarded.',
    })
    expect(await gap()).toMatchObject({ cause: 'discarded' })
    await offer('S39,5,\n')
    expect(await stage.publishedText()).toBe(withStock(39, 5))
  })
})

describe('an older file that is published again', () => {
  it('does not get the update at the address a second time', async () => {
    await offer('S3,7,\n')
    const { deps, supplier, id } = stage
    const [, older] = await versions()
    await publishVersion(deps, supplier, { id, versionId: older!.id })
    await sync()
    expect(await stage.publishedText()).toBe(fileOf(40))
    expect(await stage.current()).toMatchObject({
      lastError: 'It is still the update before which you went back.',
    })
    await offer('S4,6,\n')
    expect(await stage.publishedText()).toBe(withStock(4, 6))
    expect(await gap()).toMatchObject({ cause: 'rolled-back' })
  })
})

describe('a decision while an update is merged', () => {
  /** Lets something happen after the next file has been read. */
  function afterReading(happen: () => Promise<unknown>) {
    const { readers } = stage.deps
    const run = readers.run.bind(readers)
    let isFirst = true
    readers.run = (async (kind, task, options) => {
      const result = await run(kind, task, options)
      if (kind === 'ingest' && isFirst) {
        isFirst = false
        await happen()
      }
      return result
    }) as FileReaders['run']
  }

  beforeEach(() => offer('S3,7,\n'))
  const older = async () => (await versions())[1]!.id

  it('stops it, and it is merged onto what was decided', async () => {
    const { deps, supplier, id } = stage
    const versionId = await older()
    afterReading(() => publishVersion(deps, supplier, { id, versionId }))
    await offer('S4,6,\n')
    await sync(0)
    expect(await stage.publishedText()).toBe(withStock(4, 6))
  })

  it('that does not stop it lets it be merged again', async () => {
    const { deps, supplier, id } = stage
    const publishedVersionId = await older()
    afterReading(() => deps.db.updateTable('connections').set({ publishedVersionId }).execute())
    await offer('S4,6,\n')
    const reasons = (await listRuns(deps, supplier, id)).map(({ reason }) => reason)
    expect(reasons).toContain('Another file was published meanwhile. The update is read again.')
    expect(await stage.publishedText()).toBe(withStock(4, 6))
  })
})
