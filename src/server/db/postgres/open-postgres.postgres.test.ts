import { sql, type PostgresPoolClient } from 'kysely'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'

import { startPostgresServer } from '../../testing/servers/postgres-server'
import { createPostgresDatabase } from '../../testing/stages/test-database'
import { engineOf, type ChangedTopics } from '../engine'
import { migrateToLatest } from '../migrate'
import { inTransaction, UnreachableDatabaseError, type Db } from '../open'
import { prepare } from '../queries-kit/prepare'
import { openPostgres, openPostgresPool } from './open-postgres'
import { createPostgresPool } from './postgres-pool'

const INCREMENTS = 20
/** Longer than two transactions take that meet each other. */
const REFUSING_MS = 5_000

let here: Db
/** As another process has it. */
let there: Db
let broken: Error[]

beforeEach(async () => {
  const url = await createPostgresDatabase()
  broken = []
  here = openPostgres(url, (error) => broken.push(error))
  there = openPostgres(url, () => undefined)
  await migrateToLatest(here)
})
afterEach(async () => {
  await here.destroy()
  await there.destroy()
})

const insertUser = (db: Db, username: string) =>
  db
    .insertInto('users')
    .values({
      username,
      usernameKey: username,
      role: 'SUPPLIER',
      createdAt: 2 ** 41,
      maxRetailers: 0,
    })
    .returningAll()
    .executeTakeFirstOrThrow()

describe('a database on PostgreSQL', () => {
  it('returns values as they were written, but for the character NUL', async () => {
    expect(await insertUser(here, 'a\0b')).toMatchObject({
      username: 'a\uFFFDb',
      isActive: true,
      createdAt: 2 ** 41,
      settings: {},
      companyName: null,
    })
    const count = here
      .selectFrom('users')
      .select(({ fn }) => [fn.countAll().as('count'), fn.sum('createdAt').as('sum')])
    expect(await count.executeTakeFirst()).toEqual({ count: 1, sum: 2 ** 41 })
  })

  it('compares texts byte by byte', async () => {
    for (const name of ['b', 'Ä', 'a', 'B', 'z']) await insertUser(here, name)
    const users = await here.selectFrom('users').select('username').orderBy('username').execute()
    expect(users.map(({ username }) => username)).toEqual(['B', 'a', 'b', 'z', 'Ä'])
  })

  it('finds nothing in an empty list', async () => {
    await insertUser(here, 'a')
    expect(await here.selectFrom('users').select('id').where('id', 'in', []).execute()).toEqual([])
  })

  it('loses no write of two processes that read before they write', async () => {
    const { id } = await insertUser(here, 'a')
    const increment = (db: Db) =>
      inTransaction(db, async (trx) => {
        const { maxRetailers } = await trx
          .selectFrom('users')
          .select('maxRetailers')
          .where('id', '=', id)
          .executeTakeFirstOrThrow()
        const next = { maxRetailers: (maxRetailers ?? 0) + 1 }
        await trx.updateTable('users').set(next).where('id', '=', id).execute()
      })
    const all = Array.from({ length: INCREMENTS }, () => [increment(here), increment(there)])
    await Promise.all(all.flat())
    const user = await here.selectFrom('users').select('maxRetailers').executeTakeFirst()
    expect(user).toEqual({ maxRetailers: 2 * INCREMENTS })
  })

  it('tells soon what another process has changed, and at once what this one has', async () => {
    const { follower } = engineOf(here)
    const told: ChangedTopics[] = []
    follower.listen((changed) => told.push(changed))
    await follower.catchUp()
    expect([follower.isCaughtUp(), told]).toEqual([true, ['all']])
    const change = (db: Db, topic: string) =>
      inTransaction(db, (trx) => trx.insertInto('changes').values(toRow(topic)).execute())
    const toRow = (topic: string) => ({
      topic,
      transactionId: sql<number>`pg_current_xact_id()::text::bigint`,
    })
    await change(here, 'user 1')
    expect(follower.isCaughtUp()).toBe(false)
    await Promise.all([follower.catchUp(), follower.catchUp()])
    expect([follower.isCaughtUp(), told.flat()]).toEqual([true, ['all', 'user 1']])
    await change(there, 'user 2')
    await expect
      .poll(() => follower.isCaughtUp() && told.flat())
      .toEqual(['all', 'user 1', 'user 2'])
  })

  it('fails a transaction whose connection breaks, and works again at once', async () => {
    const failed = inTransaction(here, async (trx) => {
      const own = await sql<{ pid: number }>`select pg_backend_pid() as pid`.execute(trx)
      await sql`select pg_terminate_backend(${own.rows[0]?.pid})`.execute(there)
      await expect.poll(() => broken).not.toEqual([])
      await sql`select 1`.execute(trx)
    })
    await expect(failed).rejects.toBeInstanceOf(UnreachableDatabaseError)
    expect(await insertUser(here, 'a')).toMatchObject({ username: 'a' })
  })

  it('uses a connection no more whose transaction could not be rolled back', async () => {
    const pool = createPostgresPool(await createPostgresDatabase(), () => undefined)
    const db = openPostgresPool({ ...pool, connect: async () => keepOpen(await pool.connect()) })
    const failing = inTransaction(db, (trx) => sql`select no_such_column`.execute(trx))
    await expect(failing).rejects.toThrow('No rollback')
    expect((await sql<{ one: number }>`select 1 as one`.execute(db)).rows).toEqual([{ one: 1 }])
    await db.destroy()
  })

  it('fails a transaction that the server rolls back because one of its statements failed', async () => {
    const swallowing = inTransaction(here, async (trx) => {
      await insertUser(trx, 'a')
      await sql`select no_such_column`.execute(trx).catch(() => undefined)
    })
    await expect(swallowing).rejects.toThrow('rolled back instead of committed')
    expect(await here.selectFrom('users').selectAll().execute()).toEqual([])
  })
})

/** A connection whose transactions stay open instead of being rolled back. */
function keepOpen(client: PostgresPoolClient): PostgresPoolClient {
  const query = (text: string, parameters: readonly unknown[]) =>
    text === 'rollback' ? Promise.reject(new Error('No rollback')) : client.query(text, parameters)
  return { ...client, query: query as PostgresPoolClient['query'] }
}

describe('a long transaction in another database of the same server', () => {
  it('delays the writes that the server refuses because of it, and fails none', async () => {
    const server = await startPostgresServer()
    const other = openPostgres(server.toUrl('template1'), () => undefined)
    const db = openPostgres(server.toUrl('postgres'), () => undefined)
    await migrateToLatest(db)
    const { id } = await insertUser(db, 'a')
    const [began, end] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
    let attempts = 0
    const write = (maxRetailers: number) =>
      inTransaction(db, async (trx) => {
        attempts += 1
        if (attempts === maxRetailers + 2) setTimeout(end.resolve, REFUSING_MS)
        await trx.selectFrom('users').selectAll().execute()
        await trx.updateTable('users').set({ maxRetailers }).where('id', '=', id).execute()
      })
    const long = inTransaction(other, async (trx) => {
      await sql`create table held (id integer)`.execute(trx)
      began.resolve()
      await end.promise
    })
    await began.promise
    let count = 0
    while (attempts === count) await write(count++)
    await long
    const user = await db.selectFrom('users').select('maxRetailers').executeTakeFirst()
    expect(user).toEqual({ maxRetailers: count - 1 })
    await db.destroy()
    await other.destroy()
    await server.close()
  })
})

const findUser = prepare((db, { username }: { username: string }) =>
  db.selectFrom('users').selectAll().where('username', '=', username),
)

/** The names that the connection of a database knows, which is one as long as nothing runs at the same time. */
async function listNames(db: Db): Promise<string[]> {
  const found = sql<{ name: string }>`select name from pg_prepared_statements order by name`
  return (await found.execute(db)).rows.map(({ name }) => name)
}

describe('a prepared statement on PostgreSQL', () => {
  const find = (db: Db) => findUser(db, { username: 'a' }).executeTakeFirst()

  beforeEach(async () => {
    await insertUser(there, 'a')
  })

  it('has a name, by which it is parsed once', async () => {
    await inTransaction(here, find)
    for (let time = 0; time < 2; time += 1) expect(await find(here)).toMatchObject({ id: 1 })
    const [name = '', ...others] = await listNames(here)
    expect(others).toEqual([])
    expect(name).toMatch(/^stockbridge_0_[0-9a-f]{32}$/)
    await find(there)
    expect(await listNames(there)).toEqual([name])
  })

  it('gets another name when its table has got a column', async () => {
    await find(here)
    await sql`alter table users add column later text`.execute(there)
    for (let time = 0; time < 2; time += 1) {
      expect(await find(here)).toMatchObject({ id: 1, later: null })
    }
    expect((await listNames(here)).map((name) => name.slice(0, 13))).toEqual([
      'stockbridge_0',
      'stockbridge_1',
    ])
  })

  it('has its transaction run again when its table has got a column', async () => {
    await find(here)
    await sql`alter table users add column later text`.execute(there)
    let attempts = 0
    const found = await inTransaction(here, async (trx) => {
      attempts += 1
      return find(trx)
    })
    expect([attempts, found]).toMatchObject([2, { id: 1, later: null }])
  })

  it('does without a name when a pooler has given its connection to others', async () => {
    await find(here)
    const [name = ''] = await listNames(here)
    await sql`deallocate all`.execute(here)
    await sql.raw(`prepare "${name}" as select 1`).execute(there)
    for (const db of [here, there, here, there]) expect(await find(db)).toMatchObject({ id: 1 })
    expect([await listNames(here), await listNames(there)]).toEqual([[], [name]])
    expect(await inTransaction(here, find)).toMatchObject({ id: 1 })
  })

  it('fails as others do when it cannot be executed', async () => {
    await sql`alter table users rename to people`.execute(there)
    await expect(find(here)).rejects.toMatchObject({ code: '42P01' })
  })
})
