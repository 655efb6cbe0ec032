import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { sql } from 'kysely'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'

import { engineOf, type ChangedTopics } from '../engine'
import { migrateToLatest } from '../migrate'
import { inTransaction, openDatabase, type Db } from '../open'

const followerOf = (db: Db) => engineOf(db).follower

let folder: string
let here: Db
/** A second connection to the file, as another process has. */
let there: Db
let told: ChangedTopics[]

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'stockbridge-follower-'))
  here = openDatabase(join(folder, 'app.db'))
  there = openDatabase(join(folder, 'app.db'))
  await migrateToLatest(here)
  told = []
  followerOf(here).listen((changed) => told.push(changed))
  await followerOf(here).catchUp()
})
afterEach(async () => {
  await here.destroy()
  await there.destroy()
  await rm(folder, { recursive: true })
})

const write = (db: Db, topic: string) =>
  inTransaction(db, (trx) => trx.insertInto('changes').values({ topic }).execute())
const isCaughtUp = () => followerOf(here).isCaughtUp()

describe('what has changed in a database', () => {
  it('is anything, when it is asked for the first time', () => {
    expect(told).toEqual(['all'])
  })

  it.each([
    ['this process', () => here],
    ['another process', () => there],
  ])('is told at once, and once, when %s has changed it', async (_who, writer) => {
    await write(writer(), 'user 1')
    await write(writer(), 'user 2')
    expect([isCaughtUp(), isCaughtUp()]).toEqual([true, true])
    expect(told.slice(1)).toEqual([['user 1', 'user 2']])
  })

  it('is nothing that is not committed', async () => {
    await inTransaction(there, async (trx) => {
      await trx.insertInto('changes').values({ topic: 'user 1' }).execute()
      expect(isCaughtUp()).toBe(true)
    })
    expect(told.slice(1).flat()).toEqual([])
    expect(isCaughtUp()).toBe(true)
    expect(told.slice(1).flat()).toEqual(['user 1'])
  })

  it('is nothing that was rolled back, and the next change is not missed', async () => {
    const failed = inTransaction(here, async (trx) => {
      await trx.insertInto('changes').values({ topic: 'user 1' }).execute()
      isCaughtUp()
      throw new Error('no')
    })
    await expect(failed).rejects.toThrow('no')
    await write(here, 'user 2')
    isCaughtUp()
    expect(told.slice(1).flat()).toEqual(['user 2'])
  })

  it('is anything, when changes were deleted before they were read', async () => {
    await write(there, 'user 1')
    await write(there, 'user 2')
    await inTransaction(there, (trx) => trx.deleteFrom('changes').where('id', '=', 1).execute())
    isCaughtUp()
    expect(told.slice(1)).toEqual(['all'])
  })
})

describe('in memory, where one connection sees what is not committed', () => {
  it('nothing is told in the middle of a transaction', async () => {
    const db = openDatabase(':memory:')
    await migrateToLatest(db)
    const follower = followerOf(db)
    follower.listen((changed) => told.push(changed))
    await follower.catchUp()
    await inTransaction(db, async (trx) => {
      await sql`insert into changes (topic) values ('user 1')`.execute(trx)
      expect(follower.isCaughtUp()).toBe(false)
    })
    await follower.catchUp()
    expect(told.at(-1)).toEqual(['user 1'])
    await db.destroy()
  })
})
