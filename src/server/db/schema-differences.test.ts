import { createHash } from 'node:crypto'

import { sql } from 'kysely'
import { describe, expect, it } from 'vitest'

import { isOurHistory, migrateToEarlier } from './migrate'
import { openDatabase } from './open'

/** A hash of the exact SQL of the schema after the first `count` migrations. */
async function hashSchema(count: number): Promise<string> {
  const db = openDatabase(':memory:')
  await migrateToEarlier(db, count)
  const { rows } = await sql`select type, name, tbl_name, sql from sqlite_schema`.execute(db)
  await db.destroy()
  return createHash('sha256').update(JSON.stringify(rows)).digest('hex').slice(0, 16)
}

describe('the schema that migrations create', () => {
  // Backups are compared with it: if a new release of Kysely or SQLite generated other SQL, backups of
  // earlier databases would be refused.
  it.each([
    [1, 'f362dad1a7a32316'],
    [2, 'd5bc8efe61b7c4d6'],
    [3, 'cf955d7246956811'],
    [4, '0ed97dd904074b87'],
  ])('has the same SQL as ever after the first %i', async (count, hash) => {
    expect(await hashSchema(count)).toBe(hash)
  })
})

describe('the migration history of a database', () => {
  it('is valid when it has the first of our migrations, in their order', () => {
    expect(isOurHistory([])).toBe(true)
    expect(isOurHistory(['0001-initial', '0002-cron-jobs'])).toBe(true)
    expect(isOurHistory(['0002-cron-jobs'])).toBe(false)
    expect(isOurHistory(['0002-cron-jobs', '0001-initial'])).toBe(false)
    expect(isOurHistory(['0001-initial', '0001-initial'])).toBe(false)
  })
})
