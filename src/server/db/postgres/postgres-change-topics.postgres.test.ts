import { afterEach, beforeEach, describe, expect, it } from 'vitest'

import { createPostgresDatabase } from '../../testing/stages/test-database'
import { readChanges } from '../change-topics'
import { migrateToLatest } from '../migrate'
import { inTransaction, type Db } from '../open'
import { openPostgres } from './open-postgres'

let here: Db
/** As another process has it. */
let there: Db
let ids: number[]

beforeEach(async () => {
  const url = await createPostgresDatabase()
  here = openPostgres(url, () => undefined)
  there = openPostgres(url, () => undefined)
  await migrateToLatest(here)
  const users = ['a', 'b'].map((username) => ({ username, usernameKey: username, createdAt: 1 }))
  const values = users.map((user) => ({ ...user, role: 'SUPPLIER' as const }))
  ids = (await here.insertInto('users').values(values).returning('id').execute()).map(
    ({ id }) => id,
  )
})
afterEach(async () => {
  await here.destroy()
  await there.destroy()
})

const rename = (db: Pick<Db, 'updateTable'>, id = 0) =>
  db.updateTable('users').set({ displayName: 'X' }).where('id', '=', id).execute()

describe('the changes since a mark on PostgreSQL', () => {
  it('include those of a transaction that was open before others, and ends after them', async () => {
    const [early, late] = ids
    const { mark } = await readChanges(here, undefined)
    const other = Promise.withResolvers<void>()
    const hasWritten = Promise.withResolvers<void>()
    const slow = inTransaction(there, async (trx) => {
      await rename(trx, early)
      hasWritten.resolve()
      await other.promise
    })
    await hasWritten.promise
    await rename(here, late)
    const first = await readChanges(here, mark)
    expect(first.topics).toEqual([`user ${late}`])
    other.resolve()
    await slow
    const second = await readChanges(here, first.mark)
    expect(second.topics).toEqual([`user ${early}`])
    expect((await readChanges(here, second.mark)).topics).toEqual([])
  })
})
