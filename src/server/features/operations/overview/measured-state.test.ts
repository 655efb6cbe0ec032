import { afterEach, beforeEach, describe, expect, it } from 'vitest'

import { DAY_MS, HOUR_MS } from '../../../../shared/durations'
import { openFileDeps } from '../../../testing/fixtures/stock'
import { FIRST, openSyncStage, type SyncStage } from '../../../testing/stages/sync-stage'
import type { TestDeps } from '../../../testing/stages/test-deps'
import { backUpNow } from '../backups/backup-now'

let stage: SyncStage

beforeEach(async () => {
  stage = await openSyncStage()
})
afterEach(() => stage.close())

/** The value of a metric, as written in the text. */
async function read(name: string, { metrics }: TestDeps = stage.deps): Promise<string | undefined> {
  const { text } = await metrics.scrape()
  const line = text.split('\n').find((each) => each.startsWith(`${name} `))
  return line?.slice(name.length + 1)
}

const states = async () =>
  Promise.all(
    ['failing', 'held', 'late'].map((state) => read(`stockbridge_feeds{state="${state}"}`)),
  )

const rows = (count: number) =>
  `sku,qty\r\n${Array.from({ length: count }, (_, row) => `A-${row},7\r\n`).join('')}`

describe('the last backup', () => {
  let deps: TestDeps
  beforeEach(async () => {
    deps = await openFileDeps()
  })
  afterEach(() => deps.close())

  const lastBackup = () => read('stockbridge_last_backup_timestamp_seconds', deps)
  const silent = () => undefined
  const backUp = async () => {
    const madeAt = `${deps.clock.now() / 1_000}`
    await backUpNow(deps, silent)
    return madeAt
  }

  it('is told by its time, also after one that failed, and by 0 without any', async () => {
    expect(await lastBackup()).toBe('0')
    const madeAt = await backUp()
    expect(await lastBackup()).toBe(madeAt)
    deps.clock.advance(DAY_MS)
    deps.backups.createDraft = () => Promise.reject(new Error('no'))
    await expect(backUp()).rejects.toThrow('went wrong')
    expect(await lastBackup()).toBe(madeAt)
  })

  it('counts when its run failed afterwards, removing old ones', async () => {
    for (let night = 0; night < 9; night++) {
      await backUp()
      deps.clock.advance(DAY_MS)
    }
    deps.backups.delete = () => Promise.reject(new Error('no'))
    const madeAt = `${deps.clock.now() / 1_000}`
    await expect(backUp()).rejects.toThrow('went wrong')
    expect(await lastBackup()).toBe(madeAt)
  })

  it('is told when its run is no longer recorded, and no more when it has been deleted', async () => {
    const madeAt = await backUp()
    await deps.db.deleteFrom('cronJobRuns').execute()
    expect(await lastBackup()).toBe(madeAt)
    for (const { name } of await deps.backups.list()) await deps.backups.delete(name)
    expect(await lastBackup()).toBe('0')
  })

  it('is unknown while the backups cannot be read, unlike all else', async () => {
    deps.backups.findNewestTime = () => Promise.reject(new Error('no'))
    expect(await lastBackup()).toMatch(/^nan$/i)
    expect(await read('stockbridge_syncs_waiting', deps)).toBe('0')
  })
})

it('counts the feeds that fail, are held or late', async () => {
  stage.sourceServer.set('/feed.csv', { body: FIRST })
  await stage.connect()
  await stage.deps.work()
  expect(await states()).toEqual(['0', '0', '0'])
  stage.sourceServer.set('/feed.csv', { status: 503 })
  stage.deps.clock.advance(2 * HOUR_MS)
  await stage.deps.work()
  expect(await states()).toEqual(['1', '0', '1'])
  await stage.deps.db.updateTable('connections').set({ isActive: false }).execute()
  expect(await states()).toEqual(['0', '0', '0'])
})

it('counts a feed whose file is held', async () => {
  stage.sourceServer.set('/feed.csv', { body: rows(20) })
  await stage.connect()
  await stage.deps.work()
  stage.sourceServer.set('/feed.csv', { body: rows(2) })
  stage.deps.clock.advance(HOUR_MS)
  await stage.deps.work()
  expect(await states()).toEqual(['0', '1', '0'])
})

it('tells what is free on the disk, and below which space syncs wait', async () => {
  stage.deps.files.measureSpace = async () => ({ freeBytes: 1_000, totalBytes: 4_000 })
  expect(await read('stockbridge_disk_free_bytes')).toBe('1000')
  expect(await read('stockbridge_disk_reserved_bytes')).toBe(`${stage.deps.config.minFreeBytes}`)
})

it('tells of the database while the disk cannot be read', async () => {
  stage.deps.files.measureSpace = () => Promise.reject(new Error('no'))
  expect(await read('stockbridge_disk_free_bytes')).toMatch(/^nan$/i)
  expect(await read('stockbridge_syncs_waiting')).toBe('0')
})
