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

import { decodeRows, encodeValue } from './codec'

const LOCK_WAIT_MS = 10_000
const LOCK_RETRY_MS = { least: 1, spread: 4 }

/** A connection to the database that keeps the statements it has prepared. */
export type SqliteHandle = {
  sqlite: BetterSqlite3.Database
  prepare(text: string): BetterSqlite3.Statement
}

/**
 * SQLite on two connections to one file. What only reads takes the reader, and waits for nobody; what
 * writes takes its turn at the writer. In memory there is one connection, and reading waits as well.
 */
export function createSqliteDialect(reader: SqliteHandle, writer: SqliteHandle): Dialect {
  return {
    createDriver: () => createDriver(reader, writer),
    createAdapter: () => new TransactionalSqliteAdapter(),
    createQueryCompiler: () => new SqliteQueryCompiler(),
    createIntrospector: (db) => new SqliteIntrospector(db),
  }
}

/** Lets migrations run in one transaction: all or nothing, and one process after the other. */
class TransactionalSqliteAdapter extends SqliteAdapter {
  override get supportsTransactionalDdl(): boolean {
    return true
  }
}

function createDriver(reader: SqliteHandle, writer: SqliteHandle): Driver {
  const takeTurn = createTurns()
  const sessionOf = (connection: DatabaseConnection) => connection as SqliteConnection
  return {
    init: async () => undefined,
    acquireConnection: async () => new SqliteConnection(reader, writer, takeTurn),
    beginTransaction: (connection) => sessionOf(connection).begin(),
    commitTransaction: (connection) => sessionOf(connection).commit(),
    rollbackTransaction: (connection) => sessionOf(connection).rollback(),
    releaseConnection: async () => undefined,
    async destroy() {
      reader.sqlite.close()
      // The last one to close tidies the write-ahead log away, which a reader may not.
      writer.sqlite.close()
    },
  }
}

/** What Kysely takes for a connection of its own: the reader, and within a transaction the writer. */
class SqliteConnection implements DatabaseConnection {
  readonly #reader: SqliteHandle
  readonly #writer: SqliteHandle
  readonly #takeTurn: () => Promise<() => void>
  /** Ends the turn at the writer that this transaction has. */
  #endTurn: (() => void) | undefined

  constructor(reader: SqliteHandle, writer: SqliteHandle, takeTurn: () => Promise<() => void>) {
    this.#reader = reader
    this.#writer = writer
    this.#takeTurn = takeTurn
  }

  async executeQuery<Row>(query: CompiledQuery): Promise<QueryResult<Row>> {
    if (this.#endTurn) return run(this.#writer, query)
    const isRead = this.#reader.prepare(query.sql).readonly
    if (isRead && this.#reader !== this.#writer) {
      return whenUnlocked(() => run(this.#reader, query))
    }
    const endTurn = await this.#takeTurn()
    return whenUnlocked(() => run<Row>(this.#writer, query)).finally(endTurn)
  }

  streamQuery(): never {
    throw new Error(
      'Streaming is not supported: an open cursor would keep the write-ahead log from shrinking',
    )
  }

  /**
   * Takes the write lock at once: a plain BEGIN fails, and for good, when another process has written
   * between its first read and its first write.
   */
  async begin(): Promise<void> {
    const endTurn = await this.#takeTurn()
    try {
      await whenUnlocked(() => this.#writer.prepare('begin immediate').run())
      this.#endTurn = endTurn
    } catch (error) {
      endTurn()
      throw error
    }
  }

  async commit(): Promise<void> {
    this.#writer.prepare('commit').run()
    this.#leave()
  }

  async rollback(): Promise<void> {
    try {
      // SQLite itself rolls back on a full disk; another rollback would hide that.
      if (this.#writer.sqlite.inTransaction) this.#writer.prepare('rollback').run()
    } finally {
      this.#leave()
    }
  }

  #leave(): void {
    this.#endTurn?.()
    this.#endTurn = undefined
  }
}

function run<Row>({ prepare }: SqliteHandle, query: CompiledQuery): QueryResult<Row> {
  const statement = prepare(query.sql)
  const parameters = query.parameters.map(encodeValue)
  if (statement.reader) {
    const rows = statement.all(parameters) as Record<string, unknown>[]
    decodeRows(rows)
    return { rows: rows as Row[] }
  }
  const { changes, lastInsertRowid } = statement.run(parameters)
  return { numAffectedRows: BigInt(changes), insertId: BigInt(lastInsertRowid), rows: [] }
}

/**
 * Tries again while another process holds the lock. The wait is ours: SQLite's own would freeze the
 * event loop. It is short and uneven, so that nobody always comes too late.
 */
async function whenUnlocked<T>(attempt: () => T): Promise<T> {
  const givesUpAt = performance.now() + LOCK_WAIT_MS
  for (;;) {
    try {
      return attempt()
    } catch (error) {
      if (!isBusy(error) || performance.now() >= givesUpAt) throw error
    }
    await sleep(LOCK_RETRY_MS.least + Math.random() * LOCK_RETRY_MS.spread)
  }
}

function isBusy(error: unknown): boolean {
  return error instanceof BetterSqlite3.SqliteError && error.code.startsWith('SQLITE_BUSY')
}

/** One after the other, in the order of asking; each ends its turn by calling what it was given. */
function createTurns(): () => Promise<() => void> {
  let last = Promise.resolve()
  return async () => {
    const before = last
    let end = (): void => undefined
    last = new Promise((resolve) => (end = resolve))
    await before
    return end
  }
}
