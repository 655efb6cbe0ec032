import { afterEach, beforeEach, describe, expect, it } from 'vitest'

import type { Coding } from '../../../../shared/content-codings'
import { HOUR_MS } from '../../../../shared/durations'
import { inTransaction } from '../../../db/open'
import type { StoredFile } from '../../../storage/file-store'
import { openFileDeps, runBackup, seedStock } from '../../../testing/fixtures/stock'
import {
  findBrokenFiles,
  listStoredFiles,
  loseContent,
} from '../../../testing/fixtures/stored-files'
import type { TestDeps } from '../../../testing/stages/test-deps'
import { deleteVersions } from '../../catalogue/versions/versions.queries'
import { cleanStorage, deleteUnneededFiles } from '../stored-files/storage-cleaning'
import { enforceStorageLimits } from '../stored-files/storage-quota'
import { requestCopy } from './compressed-files'

const SIGNAL = new AbortController().signal
const CSV = `sku,qty\r\n${'1,5\r\n'.repeat(1_000)}`
/** No room for copies of the file. */
const QUOTA = 20

let deps: TestDeps
let source: StoredFile
let connectionId: number

beforeEach(async () => {
  await open()
})
afterEach(() => deps.close())

async function open(overrides: Parameters<typeof openFileDeps>[0] = {}) {
  deps = await openFileDeps(overrides)
  const stock = await seedStock(deps, { files: [CSV] })
  source = stock.stored[0]!
  connectionId = stock.connectionId
}

const find = () => deps.compressedFiles.find(source.sha256)
const status = async () =>
  (await deps.db.selectFrom('compressedFiles').select('status').execute()).map((row) => row.status)

async function compress(coding: Coding = 'gzip') {
  await requestCopy(deps, source.sha256, coding)
  await deps.queue.idle()
}

async function deleteSource() {
  const versions = await deps.db.selectFrom('versions').select('id').execute()
  const ids = versions.map(({ id }) => id)
  await deps.db.updateTable('connections').set({ publishedVersionId: null }).execute()
  await inTransaction(deps.db, (trx) => deleteVersions(trx, ids))
}

describe('the compressed copies of a file', () => {
  it('are stored files, which take less room, made when they are first asked for', async () => {
    expect(await find()).toEqual({ copies: [], missing: ['gzip', 'br'] })
    await compress('gzip')
    const { copies: first, missing } = await find()
    expect([first.map(({ coding }) => coding), missing]).toEqual([['gzip'], ['br']])
    expect(await listStoredFiles(deps)).toHaveLength(2)
    await compress('br')
    const { copies, ...rest } = await find()
    expect(rest).toEqual({ missing: [] })
    expect(copies.map(({ coding }) => coding).toSorted()).toEqual(['br', 'gzip'])
    for (const { sizeBytes } of copies) expect(sizeBytes).toBeLessThan(source.sizeBytes)
    expect(copies).toContainEqual(first[0])
    expect(await listStoredFiles(deps)).toHaveLength(3)
    expect(await findBrokenFiles(deps)).toEqual([])
  })

  it('are both made of a file that a version before has asked for', async () => {
    const requestedAt = deps.clock.now()
    const { sha256 } = source
    await inTransaction(deps.db, (trx) =>
      trx
        .insertInto('compressedFiles')
        .values({ sha256, requestedAt, status: 'waiting' })
        .execute(),
    )
    await deps.work()
    expect(await find()).toMatchObject({ missing: [] })
    expect(await listStoredFiles(deps)).toHaveLength(3)
  })

  it('are asked for again if the other one was being made', async () => {
    await requestCopy(deps, source.sha256, 'gzip')
    await compress('br')
    expect(await find()).toMatchObject({ copies: [{ coding: 'gzip' }], missing: ['br'] })
  })

  it('stay when the other one could not be made', async () => {
    await compress('gzip')
    const { copies } = await find()
    const run = deps.readers.run
    deps.readers.run = () => Promise.reject(new Error('The disk is broken'))
    await compress('br')
    deps.readers.run = run
    expect(await status()).toEqual(['failed'])
    expect(await find()).toEqual({ copies, missing: [] })
    await cleanStorage(deps, SIGNAL)
    expect(await listStoredFiles(deps)).toHaveLength(2)
    deps.clock.advance(HOUR_MS + 1)
    expect(await find()).toEqual({ copies, missing: ['br'] })
    expect(await findBrokenFiles(deps)).toEqual([])
  })

  it('are made although the queue has lost the request', async () => {
    const add = deps.queue.add
    deps.queue.add = async () => undefined
    await requestCopy(deps, source.sha256, 'gzip')
    deps.queue.add = add
    expect(await status()).toEqual(['waiting'])
    await deps.work()
    expect(await status()).toEqual(['ready'])
  })

  it('are made once, however many readers request them', async () => {
    await Promise.all([compress(), compress()])
    await requestCopy(deps, source.sha256, 'gzip')
    expect(await status()).toEqual(['ready'])
  })

  it('stay while the file is needed, and are deleted with it', async () => {
    await compress('gzip')
    await compress('br')
    await cleanStorage(deps, SIGNAL)
    expect(await listStoredFiles(deps)).toHaveLength(3)
    await deleteSource()
    expect(await deleteUnneededFiles(deps, [source.sha256])).toBe(1)
    expect(await listStoredFiles(deps)).toEqual([])
    expect(await status()).toEqual([])
  })

  it('are deleted by the cleaning after a crash that left them without the file', async () => {
    await compress()
    await deleteSource()
    await loseContent(deps.files, source.sha256)
    await cleanStorage(deps, SIGNAL)
    expect(await listStoredFiles(deps)).toEqual([])
    expect(await status()).toEqual([])
  })

  it('are given up when the file is deleted before they are made', async () => {
    const run = deps.readers.run
    deps.readers.run = async (...task) => {
      const result = await run(...task)
      await deleteSource()
      return result
    }
    await compress()
    deps.readers.run = run
    await cleanStorage(deps, SIGNAL)
    expect(await listStoredFiles(deps)).toEqual([])
    expect(await status()).toEqual([])
  })

  it('that could not be made are tried again after an hour', async () => {
    const run = deps.readers.run
    deps.readers.run = () => Promise.reject(new Error('The disk is broken'))
    await compress()
    expect(await status()).toEqual(['failed'])
    deps.readers.run = run
    expect(await find()).toEqual({ copies: [], missing: [] })
    await compress()
    expect(await status()).toEqual(['failed'])
    deps.clock.advance(HOUR_MS + 1)
    expect((await find()).missing).toContain('gzip')
    await compress()
    expect(await status()).toEqual(['ready'])
  })

  it('are left out of backups', async () => {
    await compress()
    await runBackup(deps)
    const [backup] = await deps.backups.list()
    expect(backup?.manifest.files).toEqual([source])
  })

  it('are not made while the disk is short of space', async () => {
    await deps.close()
    await open({ minFreeBytes: Number.MAX_SAFE_INTEGER })
    await compress()
    expect(await status()).toEqual(['waiting'])
  })

  it('count in the room for files made of versions, and are the first to be deleted', async () => {
    await deps.close()
    await open({ maxStoragePerSupplierBytes: QUOTA })
    await deps.db.updateTable('versions').set({ isPinned: true }).execute()
    await compress()
    expect(await status()).toEqual(['failed'])
    expect(await listStoredFiles(deps)).toEqual([source.sha256])
    expect(await find()).toEqual({ copies: [], missing: [] })
    const versions = await deps.db.selectFrom('versions').select('id').execute()
    expect(versions).toHaveLength(1)
    expect(await enforceStorageLimits(deps, connectionId)).toMatchObject({ isFull: false })
  })
})
