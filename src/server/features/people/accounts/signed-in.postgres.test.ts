import { afterEach, beforeEach, describe, expect, it } from 'vitest'

import { HOUR_MS } from '../../../../shared/durations'
import { migrateToLatest } from '../../../db/migrate'
import { inTransaction, type Db } from '../../../db/open'
import { openPostgres } from '../../../db/postgres/open-postgres'
import { createPostgresDatabase } from '../../../testing/stages/test-database'
import { deleteSession, endUserSessions, insertSession } from './sessions.queries'
import { createSignedInReader, type SignedInReader } from './signed-in'
import { updateUser } from './users.queries'

let here: Db
/** As another process has it. */
let there: Db
let reader: SignedInReader
let userId: number
const now = 1_000 * HOUR_MS

beforeEach(async () => {
  const url = await createPostgresDatabase()
  here = openPostgres(url, () => undefined)
  there = openPostgres(url, () => undefined)
  await migrateToLatest(here)
  reader = createSignedInReader(here, { now: () => now })
  await inTransaction(there, async (trx) => {
    const user = { username: 'a', usernameKey: 'a', role: 'SUPPLIER' as const, createdAt: now }
    const { id } = await trx
      .insertInto('users')
      .values(user)
      .returning('id')
      .executeTakeFirstOrThrow()
    userId = id
    const session = { idHash: 'hash', userId, data: {}, createdAt: now, touchedAt: now }
    await insertSession(trx, { ...session, expiresAt: now + HOUR_MS })
  })
})
afterEach(async () => {
  await here.destroy()
  await there.destroy()
})

describe('who is signed in, on PostgreSQL', () => {
  it('is remembered while nothing of it changes, and never told without asking the database', async () => {
    const first = await reader.find('hash')
    expect(first?.user).toMatchObject({ id: userId })
    await there
      .insertInto('users')
      .values({ username: 'b', usernameKey: 'b', role: 'SUPPLIER', createdAt: now })
      .execute()
    expect(await reader.find('hash')).toBe(first)
    expect(reader.recall('hash')).toBeUndefined()
  })

  it('is another one at once when another process changes it', async () => {
    expect((await reader.find('hash'))?.user).toMatchObject({ isActive: true })
    await inTransaction(there, (trx) => updateUser(trx, userId, { isActive: false }))
    expect((await reader.find('hash'))?.user).toMatchObject({ isActive: false })
    await inTransaction(there, (trx) => deleteSession(trx, 'hash'))
    expect(await reader.find('hash')).toBeUndefined()
  })

  it('is nobody at once when another process ends all sessions of the user', async () => {
    expect(await reader.find('hash')).toBeDefined()
    await inTransaction(there, (trx) => endUserSessions(trx, userId))
    expect(await reader.find('hash')).toBeUndefined()
  })
})
