import { setTimeout as sleep } from 'node:timers/promises'

import BetterSqlite3 from 'better-sqlite3'
import {
  CompiledQuery,
  Kysely,
  SqliteAdapter,
  SqliteDialect,
  SqliteDriver,
  sql,
  type DatabaseConnection,
} from 'kysely'
import type { Transaction } from 'kysely'

import type { Database } from './schema'

/** For reading. Whatever writes takes a `WriteTransaction`, so that no write is made outside one. */
export type Db = Kysely<Database>
export type WriteTransaction = Transaction<Database>

/** A native busy wait freezes the event loop, so it is short; the driver waits on asynchronously. */
const BUSY_TIMEOUT_MS = 250
const LOCK_WAIT_MS = 10_000
const LOCK_RETRY_MS = 20

/**
 * Opens the SQLite database in `file` (`:memory:` for one that lives as long as its handle), with
 * the durability the product promises: write-ahead log, full sync, foreign keys.
 */
export function openDatabase(file: string): Db {
  const sqlite = new BetterSqlite3(file)
  sqlite.pragma(`busy_timeout = ${LOCK_WAIT_MS}`)
  sqlite.pragma('journal_mode = WAL')
  sqlite.pragma('synchronous = FULL')
  sqlite.pragma('foreign_keys = ON')
  sqlite.pragma(`busy_timeout = ${BUSY_TIMEOUT_MS}`)
  return new Kysely<Database>({ dialect: new ImmediateSqliteDialect(sqlite) })
}

/** @throws when the database cannot be read */
export async function checkDatabase(db: Db): Promise<void> {
  await sql`select 1`.execute(db)
}

/** Runs `write` in one BEGIN IMMEDIATE transaction; inside, only `trx` may be used. */
export function inTransaction<T>(db: Db, write: (trx: WriteTransaction) => Promise<T>): Promise<T> {
  return db.transaction().execute(write)
}

class ImmediateSqliteDialect extends SqliteDialect {
  readonly #sqlite: BetterSqlite3.Database

  constructor(sqlite: BetterSqlite3.Database) {
    super({ database: sqlite })
    this.#sqlite = sqlite
  }

  override createDriver(): SqliteDriver {
    return new ImmediateSqliteDriver(this.#sqlite)
  }

  override createAdapter(): SqliteAdapter {
    return new TransactionalSqliteAdapter()
  }
}

/** Lets migrations run in one transaction: all or nothing, and one process after the other. */
class TransactionalSqliteAdapter extends SqliteAdapter {
  override get supportsTransactionalDdl(): boolean {
    return true
  }
}

/**
 * Takes the write lock when a transaction begins: a plain BEGIN fails at once, and for good, when
 * another process has written between its first read and its first write.
 */
class ImmediateSqliteDriver extends SqliteDriver {
  readonly #sqlite: BetterSqlite3.Database

  constructor(sqlite: BetterSqlite3.Database) {
    super({ database: cacheStatements(sqlite) })
    this.#sqlite = sqlite
  }

  override async beginTransaction(connection: DatabaseConnection): Promise<void> {
    for (let waitedMs = 0; ; waitedMs += BUSY_TIMEOUT_MS + LOCK_RETRY_MS) {
      try {
        await connection.executeQuery(CompiledQuery.raw('begin immediate'))
        return
      } catch (error) {
        if (!isBusy(error) || waitedMs >= LOCK_WAIT_MS) throw error
        await sleep(LOCK_RETRY_MS)
      }
    }
  }

  /** SQLite itself rolls back on a full disk; another rollback would hide that. */
  override async rollbackTransaction(connection: DatabaseConnection): Promise<void> {
    if (this.#sqlite.inTransaction) await super.rollbackTransaction(connection)
  }
}

/** Whether the disk is full, read-only or broken: reading may go on. */
export function isUnwritable(error: unknown): boolean {
  return (
    error instanceof BetterSqlite3.SqliteError && /^SQLITE_(?:FULL|READONLY|IOERR)/.test(error.code)
  )
}

function isBusy(error: unknown): boolean {
  return error instanceof BetterSqlite3.SqliteError && error.code.startsWith('SQLITE_BUSY')
}

/** Kysely prepares each statement anew; the few hundred texts of this product are kept instead. */
function cacheStatements(sqlite: BetterSqlite3.Database) {
  const statements = new Map<string, BetterSqlite3.Statement>()
  return {
    prepare(text: string) {
      const known = statements.get(text)
      if (known) return known
      const statement = sqlite.prepare(text)
      if (statements.size < 1_000) statements.set(text, statement)
      return statement
    },
    close() {
      statements.clear()
      sqlite.close()
    },
  }
}
