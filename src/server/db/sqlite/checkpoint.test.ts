import { mkdtemp, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'

import { afterEach, beforeEach, describe, expect, it } from 'vitest'

import { migrateToLatest } from '../migrate'
import { openDatabase, type Db, inTransaction } from '../open'
import { checkpointSqliteLog } from './checkpoint'

describe('a checkpoint of the write-ahead log', () => {
  let directory: string
  let file: string
  let db: Db

  beforeEach(async () => {
    directory = await mkdtemp(join(tmpdir(), 'stockbridge-test-'))
    file = join(directory, 'app.db')
    db = openDatabase(file)
    await migrateToLatest(db)
  })
  afterEach(async () => {
    await db.destroy()
    await rm(directory, { recursive: true })
  })

  const logSize = async () => (await stat(`${file}-wal`)).size

  it('empties the log into the database file', async () => {
    const written = await logSize()
    expect(written).toBeGreaterThan(0)
    const { pages, isEmptied } = await checkpointSqliteLog(db)
    expect([pages > 0, isEmptied, await logSize()]).toEqual([true, true, 0])
    expect(await checkpointSqliteLog(db)).toEqual({ pages: 0, isEmptied: true })
  })

  it('is made by a thread after some writes, long before a commit would have to make it', async () => {
    await checkpointSqliteLog(db)
    const before = (await stat(file)).size
    for (let count = 0; count < 120; count++) {
      await inTransaction(db, (trx) =>
        trx
          .insertInto('changes')
          .values({ topic: 'x'.repeat(10_000) })
          .execute(),
      )
    }
    // SQLite alone would begin when the log has 16 MB.
    expect(await logSize()).toBeLessThan(8_000_000)
    await expect.poll(async () => (await stat(file)).size).toBeGreaterThan(before + 1_000_000)
  })

  it('empties it once whoever is in the way has ended', async () => {
    const other = openDatabase(file)
    const checkpointing = await inTransaction(other, async () => {
      const begun = checkpointSqliteLog(db)
      await sleep(100)
      return { begun }
    })
    expect(await checkpointing.begun).toMatchObject({ isEmptied: true })
    expect(await logSize()).toBe(0)
    await other.destroy()
  })

  it('leaves the log in place while another process writes', async () => {
    const other = openDatabase(file)
    await inTransaction(other, async () => {
      expect(await checkpointSqliteLog(db)).toMatchObject({ isEmptied: false })
      expect(await logSize()).toBeGreaterThan(0)
    })
    await other.destroy()
  })
})
