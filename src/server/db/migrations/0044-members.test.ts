import { sql } from 'kysely'
import { expect, it } from 'vitest'

import { migrateToEarlier, migrateToLatest } from '../migrate'
import { openDatabase } from '../open'

const EARLIER_MIGRATIONS = 39

it('keeps users, retailers, what refers to them, their last ids and triggers, and takes members', async () => {
  const db = openDatabase(':memory:')
  await migrateToEarlier(db, EARLIER_MIGRATIONS)
  const insert = (id: number, role: string) =>
    sql`insert into users (id, username, "usernameKey", role, "createdAt")
      values (${id}, ${`user ${id}`}, ${`user ${id}`}, ${role}, 1)`.execute(db)
  await insert(1, 'SUPPLIER')
  await insert(2, 'RETAILER')
  await insert(7, 'RETAILER')
  await sql`insert into retailers ("userId", "supplierId", "syncFrequencyMinutes", "createdAt")
    values (2, 1, 60, 1)`.execute(db)
  await sql`insert into sessions ("idHash", "userId", data, "createdAt", "touchedAt", "expiresAt")
    values ('a', 2, '{}', 1, 1, 1)`.execute(db)
  await sql`delete from users where id = 7`.execute(db)
  await expect(insert(8, 'MEMBER')).rejects.toThrow('CHECK')

  await migrateToLatest(db)

  const count = async (table: string) =>
    (await sql<{ id: number }>`select count(*) as id from ${sql.table(table)}`.execute(db)).rows[0]
      ?.id
  expect([await count('users'), await count('retailers'), await count('sessions')]).toEqual([
    2, 1, 1,
  ])
  const member = await sql<{ id: number }>`
    insert into users (username, "usernameKey", role, "memberOf", "memberRole", "createdAt")
    values ('member', 'member', 'MEMBER', 2, 'BUYER', 1) returning id`.execute(db)
  expect(member.rows[0]?.id).toBe(8)
  await expect(insert(9, 'OTHER')).rejects.toThrow('CHECK')
  await sql`insert into retailers ("userId", "supplierId", "syncFrequencyMinutes", "createdAt")
    values (2, 1, 60, 1)`.execute(db)
  // References are enforced again: what belongs to the login goes with it, and changes are recorded.
  await sql`delete from changes`.execute(db)
  await sql`delete from users where id = 2`.execute(db)
  expect([await count('users'), await count('retailers'), await count('sessions')]).toEqual([
    1, 0, 0,
  ])
  const topics = await sql<{ topic: string }>`select topic from changes`.execute(db)
  expect(topics.rows.map(({ topic }) => topic)).toEqual(
    expect.arrayContaining(['user 2', 'user 8']),
  )
  await db.destroy()
})
