import { sql } from 'kysely'
import { inject, type ProvidedContext } from 'vitest'

import { openDatabase, type Db } from '../../db/open'
import { openPostgres, openPostgresPool } from '../../db/postgres/open-postgres'
import { createPostgresPool } from '../../db/postgres/postgres-pool'
import { copyRows, listTables } from '../../db/queries-kit/copy-rows'
import { createTestPool, type TestPool } from './test-pool'

declare module 'vitest' {
  interface ProvidedContext {
    /** The address of the databases of a PostgreSQL server, in a run of the tests on PostgreSQL. */
    postgresUrl?: { admin: string; template: string }
  }
}

type TestDatabase = { db: Db; close(): Promise<void> }

/** Opens a copy of `image`, on the engine that this run of the tests is about. */
export async function openTestDatabase(image: Buffer, isEmpty: boolean): Promise<TestDatabase> {
  // Programs of the suites open databases as well.
  const url = process.env.VITEST ? inject('postgresUrl') : undefined
  if (!url) {
    const db = openDatabase(image)
    return { db, close: () => db.destroy() }
  }
  const { plain, pool } = free.pop() ?? (await createTestPools(url))
  const db = openPostgresPool({ ...pool, end: async () => undefined })
  pools.set(db, pool)
  if (!isEmpty) await fill(plain, image)
  return {
    db,
    async close() {
      await db.destroy()
      pool.setReadOnly(false)
      pool.forget()
      await empty(plain)
      free.push({ plain, pool })
    },
  }
}

const pools = new WeakMap<Db, TestPool>()

/** Lets all writes to a database fail, as when its disk is full; or no longer. */
export async function setReadOnly(db: Db, isReadOnly: boolean): Promise<void> {
  const pool = pools.get(db)
  if (pool) pool.setReadOnly(isReadOnly)
  else await sql`pragma query_only = ${sql.lit(Number(isReadOnly))}`.execute(db)
}

/** Emptying a database takes a tenth of the time that creating one takes. */
const free: TestPools[] = []

/** Two ways to one database: for what a test does, and for what is done for it. */
type TestPools = { pool: TestPool; plain: Db }

async function createTestPools({ admin, template }: ProvidedContext['postgresUrl'] & {}) {
  const pool = createPostgresPool(await createDatabase(admin, template), () => undefined)
  return { pool: createTestPool(pool), plain: openPostgresPool(pool) }
}

/** Creates an empty PostgreSQL database for a test; returns its address. */
export function createPostgresDatabase(): Promise<string> {
  const url = inject('postgresUrl')
  if (!url) throw new Error('This test runs on PostgreSQL only')
  return createDatabase(url.admin, 'template0')
}

async function createDatabase(admin: string, template: string): Promise<string> {
  const name = `test_${process.pid}_${createdCount++}`
  const server = openPostgres(admin, () => undefined)
  await sql`create database ${sql.ref(name)} template ${sql.ref(template)}`.execute(server)
  await server.destroy()
  const address = new URL(admin)
  address.pathname = name
  return address.href
}

let createdCount = 0

async function fill(db: Db, image: Buffer): Promise<void> {
  const source = openDatabase(image)
  await copyRows(source, db, new AbortController().signal)
  await source.destroy()
}

/** Deletes all rows, in one round trip; ids begin at 1 again. */
async function empty(db: Db): Promise<void> {
  await sql.raw(await (emptying ??= writeEmptying(db))).execute(db)
}

let emptying: Promise<string> | undefined

/** Of so many users, each row's references would be looked up by plans that were made while the tables were small. */
const MANY_USERS = 1_000

async function writeEmptying(db: Db): Promise<string> {
  const names = [...(await listTables(db)).map(({ name }) => `"${name}"`), 'changes']
  return `do $$ begin
    if (select count(*) from users) > ${MANY_USERS} then
      truncate ${names.join(', ')};
    else
      set constraints all deferred;
      ${names.map((name) => `delete from ${name};`).join(' ')}
    end if;
    perform setval(format('%I.%I', schemaname, sequencename)::regclass, 1, false)
    from pg_sequences where last_value is not null;
    end $$`
}
