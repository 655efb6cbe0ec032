import { setTimeout as sleep } from 'node:timers/promises'

import BetterSqlite3 from 'better-sqlite3'
import {
  SqliteAdapter,
  SqliteIntrospector,
  SqliteQueryCompiler,
  type CompiledQuery,
  type DatabaseConnection,
  type Dialect,
  type Driver,
  type QueryResult,
} from 'kysely'

import { createMutex } from '../../concurrency/mutex'
import { decodeRows, encodeValue } from '../codec'

const LOCK_WAIT_MS = 10_000
const LOCK_RETRY_MS = { least: 1, spread: 4 }

/** How many writes this process has made, to any database. */
let writes = 0
export const countWrites = () => writes

/** A connection to the database, and its cache of prepared statements. */
export type SqliteHandle = {
  sqlite: BetterSqlite3.Database
  prepare(text: string): BetterSqlite3.Statement
}

type Hooks = {
  /** Called after each transaction. */
  noteCommit(): void
  beforeClose(): Promise<void>
}

/**
 * SQLite with two connections to one file. Statements that only read use the reader and never wait;
 * writes are queued for the writer. In memory there is one connection, so that reads are queued too.
 * A commit is not durable before the log is flushed.
 */
export function createSqliteDialect(
  reader: SqliteHandle,
  writer: SqliteHandle,
  hooks: Hooks,
): Dialect {
  return {
    createDriver: () => createDriver(reader, writer, hooks),
    createAdapter: () => new ConcurrentSqliteAdapter(),
    createQueryCompiler: () => new SteadyPlansCompiler(),
    createIntrospector: (db) => new SqliteIntrospector(db),
  }
}

/** What Kysely takes SQLite to be unable to do, because its own driver cannot. */
class ConcurrentSqliteAdapter extends SqliteAdapter {
  /** Without this, Kysely makes each query wait for the previous one: reads for writes. */
  override get supportsMultipleConnections(): boolean {
    return true
  }

  /** Makes Kysely run all migrations in one transaction, so that two processes cannot interleave. */
  override get supportsTransactionalDdl(): boolean {
    return true
  }
}

/**
 * SQLite looks at a parameter's value when it plans, and then prepares the statement anew whenever it is run
 * with another one, which for most takes longer than running them. Behind a sign, which changes no value, it
 * does not look.
 */
class SteadyPlansCompiler extends SqliteQueryCompiler {
  protected override getCurrentParameterPlaceholder(): string {
    return '+?'
  }
}

function createDriver(
  reader: SqliteHandle,
  writer: SqliteHandle,
  { noteCommit, beforeClose }: Hooks,
): Driver {
  const lockWriter = createMutex()
  const sessionOf = (connection: DatabaseConnection) => connection as SqliteConnection
  return {
    init: async () => undefined,
    acquireConnection: async () => new SqliteConnection(reader, writer, lockWriter),
    beginTransaction: (connection) => sessionOf(connection).begin(),
    async commitTransaction(connection) {
      await sessionOf(connection).commit()
      noteCommit()
    },
    rollbackTransaction: (connection) => sessionOf(connection).rollback(),
    releaseConnection: async () => undefined,
    async destroy() {
      await beforeClose()
      reader.sqlite.close()
      // The last connection to close removes the write-ahead log, which a read-only one cannot do.
      writer.sqlite.close()
    },
  }
}

/** A connection for Kysely: uses the reader, or the writer for writes and inside a transaction. */
class SqliteConnection implements DatabaseConnection {
  readonly #reader: SqliteHandle
  readonly #writer: SqliteHandle
  readonly #lockWriter: () => Promise<() => void>
  /** Set while a transaction of this connection holds the writer. */
  #unlockWriter: (() => void) | undefined

  constructor(reader: SqliteHandle, writer: SqliteHandle, lockWriter: () => Promise<() => void>) {
    this.#reader = reader
    this.#writer = writer
    this.#lockWriter = lockWriter
  }

  async executeQuery<Row>(query: CompiledQuery): Promise<QueryResult<Row>> {
    if (this.#unlockWriter) return run(this.#writer, query)
    const isRead = this.#reader.prepare(query.sql).readonly
    if (isRead && this.#reader !== this.#writer) {
      return whenUnlocked(() => run(this.#reader, query))
    }
    const unlockWriter = await this.#lockWriter()
    return whenUnlocked(() => run<Row>(this.#writer, query)).finally(unlockWriter)
  }

  streamQuery(): never {
    throw new Error(
      'Streaming is not supported: an open cursor would keep the write-ahead log from shrinking',
    )
  }

  /**
   * Takes the write lock at once: with a plain BEGIN the transaction would fail, and could not be
   * retried, if another process wrote between its first read and its first write.
   */
  async begin(): Promise<void> {
    const unlockWriter = await this.#lockWriter()
    try {
      await whenUnlocked(() => this.#writer.prepare('begin immediate').run())
      this.#unlockWriter = unlockWriter
    } catch (error) {
      unlockWriter()
      throw error
    }
  }

  async commit(): Promise<void> {
    this.#writer.prepare('commit').run()
    writes += 1
    this.#leave()
  }

  async rollback(): Promise<void> {
    try {
      // SQLite rolls back by itself on a full disk; another rollback would throw and hide that error.
      if (this.#writer.sqlite.inTransaction) this.#writer.prepare('rollback').run()
    } finally {
      this.#leave()
    }
  }

  #leave(): void {
    this.#unlockWriter?.()
    this.#unlockWriter = undefined
  }
}

function run<Row>({ prepare }: SqliteHandle, query: CompiledQuery): QueryResult<Row> {
  const statement = prepare(query.sql)
  const parameters = query.parameters.map(encodeValue)
  if (statement.reader) {
    if (!statement.readonly) writes += 1
    const rows = statement.all(parameters) as Record<string, unknown>[]
    decodeRows(rows)
    return { rows: rows as Row[] }
  }
  const { changes, lastInsertRowid } = statement.run(parameters)
  writes += 1
  return { numAffectedRows: BigInt(changes), insertId: BigInt(lastInsertRowid), rows: [] }
}

/**
 * Retries while another process holds the lock. SQLite's own busy timeout would block the event loop.
 * The delays are short and random, so that no process starves.
 */
async function whenUnlocked<T>(attempt: () => T): Promise<T> {
  const expiresAt = performance.now() + LOCK_WAIT_MS
  for (;;) {
    try {
      return attempt()
    } catch (error) {
      if (!isBusy(error) || performance.now() >= expiresAt) throw error
    }
    await sleep(LOCK_RETRY_MS.least + Math.random() * LOCK_RETRY_MS.spread)
  }
}

function isBusy(error: unknown): boolean {
  return error instanceof BetterSqlite3.SqliteError && error.code.startsWith('SQLITE_BUSY')
}
