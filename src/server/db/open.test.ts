import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { sql } from 'kysely'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'

import { migrateToLatest } from './migrate'
import { inTransaction, openDatabase, type Db, type WriteTransaction } from './open'

function createGate() {
  let open = () => {}
  const opened = new Promise<void>((resolve) => (open = resolve))
  return { opened, open }
}

const insertUser = (trx: WriteTransaction, name: string) =>
  trx
    .insertInto('users')
    .values({ username: name, usernameKey: name, role: 'SUPPLIER', createdAt: 0 })
    .execute()

async function listUsers(db: Db): Promise<string[]> {
  const rows = await db.selectFrom('users').select('username').orderBy('id').execute()
  return rows.map(({ username }) => username)
}

/** Holds the write lock, with an uncommitted row, until the returned function is called. */
async function holdLock(db: Db, name: string) {
  const [taken, gate] = [createGate(), createGate()]
  const done = inTransaction(db, async (trx) => {
    await insertUser(trx, name)
    taken.open()
    await gate.opened
  })
  await taken.opened
  return async () => {
    gate.open()
    await done
  }
}

describe('a database that two processes write', () => {
  let directory: string
  let db: Db
  /** A second connection to the file: for SQLite the same as another process. */
  let other: Db

  beforeEach(async () => {
    directory = await mkdtemp(join(tmpdir(), 'stockbridge-test-'))
    db = openDatabase(join(directory, 'app.db'))
    await migrateToLatest(db)
    other = openDatabase(join(directory, 'app.db'))
  })
  afterEach(async () => {
    await db.destroy()
    await other.destroy()
    await rm(directory, { recursive: true, force: true })
  })

  it('can be read while another process writes and a write of this process waits', async () => {
    const release = await holdLock(other, 'theirs')
    const writing = inTransaction(db, (trx) => insertUser(trx, 'ours'))
    // The write begins to wait during the first read.
    for (const _ of ['first', 'second']) expect(await listUsers(db)).toEqual([])
    await release()
    await writing
    expect(await listUsers(db)).toEqual(['theirs', 'ours'])
  })

  it('can be read while this process writes, without its uncommitted rows', async () => {
    const release = await holdLock(db, 'ours')
    expect(await listUsers(db)).toEqual([])
    await release()
    expect(await listUsers(db)).toEqual(['ours'])
  })

  it('queues a write outside a transaction behind the current transaction', async () => {
    const release = await holdLock(db, 'first')
    const writing = sql`update users set username = 'second'`.execute(db)
    await release()
    await writing
    expect(await listUsers(db)).toEqual(['second'])
  })

  it('accepts the next write after a failed one', async () => {
    const failing = inTransaction(db, async (trx) => {
      await insertUser(trx, 'gone')
      throw new Error('no')
    })
    await expect(failing).rejects.toThrow('no')
    await inTransaction(db, (trx) => insertUser(trx, 'kept'))
    expect(await listUsers(other)).toEqual(['kept'])
  })

  it.each([
    ['durable and checked', 'pragma_journal_mode, pragma_synchronous, pragma_foreign_keys'],
    ['never waiting inside SQLite, which would block the process', 'pragma_busy_timeout'],
  ])('has a reader and a writer that are %s', async (_what, pragmas) => {
    const read = (reader: Db) => sql`select * from ${sql.raw(pragmas)}`.execute(reader)
    const required = { journal_mode: 'wal', synchronous: 1, foreign_keys: 1, timeout: 0 }
    const { rows } = await read(db)
    expect(required).toMatchObject(rows[0] as object)
    await inTransaction(db, async (trx) => expect((await read(trx)).rows).toEqual(rows))
  })
})

it('makes readers of a database in memory wait for the current transaction', async () => {
  const db = openDatabase(':memory:')
  await migrateToLatest(db)
  const release = await holdLock(db, 'ours')
  const reading = listUsers(db)
  await release()
  expect(await reading).toEqual(['ours'])
  await db.destroy()
})

it('refuses a database without a write-ahead log', () => {
  // The empty name means a temporary file, for which SQLite has no write-ahead log.
  expect(() => openDatabase('')).toThrow(/journal_mode is delete.*DATA_DIR/)
})

it('names the file that is not a database', () => {
  expect(() => openDatabase('package.json')).toThrow(/package\.json.*not a database.*DATA_DIR/)
})
