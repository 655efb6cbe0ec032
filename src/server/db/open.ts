import { setTimeout as sleep } from 'node:timers/promises'

import BetterSqlite3 from 'better-sqlite3'
import { Kysely, sql, type IsolationLevel, type Transaction } from 'kysely'

import { codeOf } from '../process/error-code'
import { engineOf, setEngine } from './engine'
import type { Database } from './schema'
import { checkpointSqliteLog } from './sqlite/checkpoint'
import { createCheckpoints } from './sqlite/checkpoint-thread'
import { createLogFlush, UnflushedLogError } from './sqlite/flush-log'
import { createSqliteFollower } from './sqlite/sqlite-change-follower'
import { readSqliteChanges } from './sqlite/sqlite-change-topics'
import { createSqliteDialect, type SqliteHandle } from './sqlite/sqlite-driver'
import { sqliteTables } from './sqlite/sqlite-tables'

/** For reading. Functions that write take a `WriteTransaction`, so that every write is inside one. */
export type Db = Kysely<Database>
export type WriteTransaction = Transaction<Database>

const IN_MEMORY = ':memory:'
/** So many pages of the log are copied into the database file by whoever commits, at once: 16 MB. */
const MOST_LOG_PAGES = 4_000
/** Another process may be migrating; until a database is open, this process may block. */
const OPENING_WAIT_MS = 10_000

/**
 * Beyond what two transactions do to each other: while any transaction of a PostgreSQL server takes long,
 * the server forgets after some thousand others which of them met, and then refuses nearly all.
 */
const RETRY_FOR_MS = 15_000
/** Longer after each attempt, and random, so that those who met do not meet again. */
const PAUSE_MS = { first: 2, longest: 250 }

/** What runs after a transaction. */
const afterCommit = new WeakMap<WriteTransaction, (() => void)[]>()

/** PostgreSQL's codes: a serialization failure, a deadlock, a key that a concurrent transaction wrote. */
const CONFLICTS = new Set(['40001', '40P01', '23505'])
/** PostgreSQL's codes: a full disk, a read-only database, an error of the disk. */
const UNWRITABLE = new Set(['53100', '25006', '58030'])

/**
 * Required of every connection: a write-ahead log, foreign keys, and a log that is flushed before the
 * database file is changed. `inTransaction` flushes it after commits (`sqlite/flush-log.ts`).
 */
const PRAGMAS = { journal_mode: 'wal', synchronous: 1, foreign_keys: 1 }

/** For the operator: what is wrong with the database file, and which settings choose it. */
export class UnusableDatabaseError extends Error {
  constructor(file: string, reason: string) {
    super(`The database ${file} cannot be used: ${reason}. See DATA_DIR and DATABASE_URL.`)
  }
}

/** The database server does not answer, or has ended the connection: what was asked may work again soon. */
export class UnreachableDatabaseError extends Error {}

/**
 * Opens the SQLite database in `file`. With `:memory:` or the bytes of a database file, the database is
 * in memory and disappears when it is closed.
 * @throws UnusableDatabaseError when it cannot be opened, or cannot be made durable, as on some network
 *   file systems
 */
export function openDatabase(file: string | Buffer): Db {
  const writer = openHandle(file)
  const reader = isInMemory(file) ? writer : openReader(file, writer)
  const log = isInMemory(file) ? undefined : createLogFlush(file)
  const checkpoints = isInMemory(file) ? undefined : createCheckpoints(file)
  const close = async () => {
    await checkpoints?.close()
    await log?.close()
  }
  const noteCommit = () => checkpoints?.noteCommit()
  const db = new Kysely<Database>({
    dialect: createSqliteDialect(reader, writer, { noteCommit, beforeClose: close }),
  })
  setEngine(db, {
    name: 'SQLite',
    async readServer() {
      const found = sql<{ version: string }>`select sqlite_version() as version`
      return { version: (await found.execute(db)).rows[0]?.version ?? '?', now: null }
    },
    async measureBytes() {
      const found = sql<{ bytes: number }>`
        select page_count * page_size as bytes from pragma_page_count, pragma_page_size`
      return (await found.execute(db)).rows[0]?.bytes ?? 0
    },
    follower: createSqliteFollower(db, reader),
    readChanges: (since) => readSqliteChanges(db, since),
    ...(log && { flush: log.flush }),
    checkpointLog: () => checkpointSqliteLog(db),
    async withoutReferences(work) {
      writer.sqlite.pragma('foreign_keys = OFF')
      try {
        return await work()
      } finally {
        writer.sqlite.pragma('foreign_keys = ON')
      }
    },
    tables: sqliteTables,
  })
  return db
}

/** @throws when the database cannot be read */
export async function checkDatabase(db: Db): Promise<void> {
  await sql`select count(*) from kysely_migration`.execute(db)
}

/**
 * Runs `write` in one transaction as if no other one ran at the same time; inside, only `trx` may be
 * used. On SQLite writers wait for each other. On PostgreSQL they do not, and one that met another is
 * run again: `write` must change nothing but rows, or set what it changes anew each time.
 * @throws what `write` throws; nothing is written then
 */
export async function inTransaction<T>(
  db: Db,
  write: (trx: WriteTransaction) => Promise<T>,
): Promise<T> {
  const committed = await runAlone(db, write)
  await engineOf(db).flush?.()
  return finish(committed)
}

/**
 * Like `inTransaction`, but a power failure may undo what was acknowledged. For what does not matter after
 * a new start: leases, progress, requests for what is requested again.
 */
export async function inLossyTransaction<T>(
  db: Db,
  write: (trx: WriteTransaction) => Promise<T>,
): Promise<T> {
  return finish(await runAlone(db, write))
}

/**
 * Runs `claim`, which takes work that is due, in one transaction. On SQLite like `inTransaction`. On
 * PostgreSQL claims do not fail because of each other, since each statement sees what others have
 * committed by then: so `claim` changes only rows that it has locked by `selectUnlocked`, or in the
 * same statement that finds them free. Like `write`, it may run more than once. A power failure may undo
 * a claim: whoever has made it is gone then too.
 * @throws what `claim` throws; nothing is claimed then
 */
export async function inClaim<T>(db: Db, claim: (trx: WriteTransaction) => Promise<T>): Promise<T> {
  if (engineOf(db).lockClaims === undefined) return inLossyTransaction(db, claim)
  return finish(await runTransaction(db, 'read committed', claim))
}

/**
 * Runs `work`, which must not throw, once the transaction is committed: never after one that fails, and
 * once however often it is tried.
 */
export function onCommit(trx: WriteTransaction, work: () => void): void {
  const works = afterCommit.get(trx)
  if (!works) throw new Error('Only a transaction of inTransaction or inClaim tells of its commit')
  works.push(work)
}

async function runAlone<T>(
  db: Db,
  write: (trx: WriteTransaction) => Promise<T>,
): Promise<Committed<T>> {
  const unlock = await engineOf(db).lockWriter?.()
  try {
    return await runTransaction(db, 'serializable', write)
  } finally {
    unlock?.()
  }
}

/** The result of a transaction, and what is to run after it. */
type Committed<T> = { result: T; works: (() => void)[] }

function finish<T>({ result, works }: Committed<T>): T {
  for (const work of works) work()
  return result
}

async function runTransaction<T>(
  db: Db,
  level: IsolationLevel,
  write: (trx: WriteTransaction) => Promise<T>,
): Promise<Committed<T>> {
  const engine = engineOf(db)
  const attempt = () =>
    db
      .transaction()
      .setIsolationLevel(level)
      .execute(async (trx) => {
        setEngine(trx, engine)
        const pending: (() => void)[] = []
        afterCommit.set(trx, pending)
        return { result: await write(trx), works: pending }
      })
  // Also after an error: a connection may break when the commit has been made.
  return retryConflicts(attempt).finally(() => engine.follower.noteCommit?.())
}

async function retryConflicts<T>(attempt: () => Promise<T>): Promise<T> {
  const startedAt = performance.now()
  for (let count = 1; ; count++) {
    try {
      return await attempt()
    } catch (error) {
      if (!CONFLICTS.has(codeOf(error))) throw error
      if (performance.now() - startedAt > RETRY_FOR_MS) throw error
    }
    await sleep(Math.random() * Math.min(PAUSE_MS.first * 2 ** count, PAUSE_MS.longest))
  }
}

/** Whether an error means that the disk is full, read-only or broken; reading may still work. */
export function isUnwritable(error: unknown): boolean {
  if (error instanceof UnflushedLogError) return true
  const isSqlite = error instanceof BetterSqlite3.SqliteError
  return isSqlite
    ? /^SQLITE_(?:FULL|READONLY|IOERR)/.test(error.code)
    : UNWRITABLE.has(codeOf(error))
}

const isInMemory = (file: string | Buffer): file is Buffer | typeof IN_MEMORY =>
  file === IN_MEMORY || typeof file !== 'string'

/** On a full disk the second connection may fail, and the first must not stay open. */
function openReader(file: string | Buffer, writer: SqliteHandle): SqliteHandle {
  try {
    return openHandle(file, { readonly: true })
  } catch (error) {
    writer.sqlite.close()
    throw error
  }
}

function openHandle(file: string | Buffer, options: BetterSqlite3.Options = {}): SqliteHandle {
  let sqlite: BetterSqlite3.Database | undefined
  try {
    sqlite = new BetterSqlite3(file, { ...options, timeout: OPENING_WAIT_MS })
    if (!options.readonly) sqlite.pragma('journal_mode = WAL')
    sqlite.pragma('synchronous = NORMAL')
    sqlite.pragma('foreign_keys = ON')
    // Deleted and changed rows are overwritten with zeros, so that the file keeps no text of a deleted account.
    sqlite.pragma('secure_delete = ON')
    // Before that, a thread has copied it (`checkpoint-thread.ts`).
    sqlite.pragma(`wal_autocheckpoint = ${MOST_LOG_PAGES}`)
    if (!isInMemory(file)) assertPragmas(sqlite)
    // From here on the driver waits for locks itself, without blocking the event loop.
    sqlite.pragma('busy_timeout = 0')
    return { sqlite, prepare: cacheStatements(sqlite) }
  } catch (error) {
    sqlite?.close()
    const isSqlite = error instanceof BetterSqlite3.SqliteError
    throw isSqlite ? new UnusableDatabaseError(String(file), error.message) : error
  }
}

/** Reads the pragmas back, because SQLite silently ignores settings that it cannot apply. */
function assertPragmas(sqlite: BetterSqlite3.Database): void {
  for (const [name, required] of Object.entries(PRAGMAS)) {
    const value = sqlite.pragma(name, { simple: true })
    if (value === required) continue
    const reason = `its ${name} is ${String(value)}, not ${required}, so a crash could lose data`
    throw new UnusableDatabaseError(sqlite.name, reason)
  }
}

/** Caches prepared statements: Kysely would prepare each of the few hundred texts every time. */
function cacheStatements(sqlite: BetterSqlite3.Database): SqliteHandle['prepare'] {
  const statements = new Map<string, BetterSqlite3.Statement>()
  return (text) => {
    const known = statements.get(text)
    if (known) return known
    const statement = sqlite.prepare(text)
    if (statements.size < 1_000) statements.set(text, statement)
    return statement
  }
}
