import type { Kysely } from 'kysely'

/** What a database can do in its own way; everything else is the same for all of them. */
export type Engine = {
  name: 'SQLite' | 'PostgreSQL'
  /** `now` is the server's time in Unix milliseconds; null where there is no server. */
  readServer(): Promise<{ version: string; now: number | null }>
  /** How many bytes the database takes, without its log. */
  measureBytes(): Promise<number>
  follower: ChangeFollower
  /** See `readChanges`. */
  readChanges(since: string | undefined): Promise<Changes>
  /**
   * Creates the schema of the first of `migrations` in a database without any, and records them as run.
   * For engines whose databases are younger than the first migrations.
   */
  createSchema?(migrations: string[]): Promise<void>
  /** Lets `work` make tables anew that others refer to; absent where constraints can be changed. */
  withoutReferences?<T>(work: () => Promise<T>): Promise<T>
  /**
   * Waits until no other write transaction of this process runs, and returns a function that lets the
   * next one run; absent where the database sees to that.
   */
  lockWriter?(): Promise<() => void>
  /** Makes all that is committed durable; absent where a commit already does. */
  flush?(): Promise<void>
  /** See `lockClaims`; absent where one write transaction runs at a time. */
  lockClaims?(trx: AnyTransaction): Promise<void>
  /** Empties the write-ahead log; absent where the database does so by itself. */
  checkpointLog?(): Promise<CheckpointedLog>
  /** See `lockFileNames`; absent where one write transaction runs at a time. */
  lockFileNames?(trx: AnyTransaction, purpose: 'delete' | 'name'): Promise<void>
  /** Told of a statement that will be executed again and again; absent where that needs no preparation. */
  nameStatement?(text: string): void
  /** For copying rows from one engine to another, value by value. */
  tables: TableAccess
}

/** Topics (`change-topics.ts`), some perhaps repeated; all of them when nobody knows which. */
export type ChangedTopics = readonly string[] | 'all'

/** What has changed, and the point up to which that was read. */
export type Changes = { mark: string; topics: ChangedTopics }

/** Tells what has changed in a database, whichever process changed it. */
export type ChangeFollower = {
  /** Whether other processes' changes are told of within milliseconds, not within two seconds. */
  isImmediate: boolean
  /** Tells of changes if that can be done at once. False when some may not have been told of. */
  isCaughtUp(): boolean
  /**
   * Tells of all changes that are committed.
   * @throws what reading them throws
   */
  catchUp(): Promise<void>
  listen(listener: (changed: ChangedTopics) => void): void
  /** Told when a transaction of this process is committed; absent where such changes are found anyway. */
  noteCommit?(): void
}

export type CheckpointedLog = { pages: number; isEmptied: boolean }

/** In a transaction of any database. */
export type AnyTransaction = Pick<Kysely<unknown>, 'getExecutor'>

/** A table of the product, as opposed to those that record its migrations. */
export type Table = { name: string; columns: string[] }

export type TableAccess = {
  list(db: AnyTransaction): Promise<Table[]>
  /** Checks references between rows only at the end of a transaction. */
  deferReferences(trx: AnyTransaction): Promise<void>
  /** Yields all rows of a table in batches, with values as stored, in the order of `columns`. */
  readRows(trx: AnyTransaction, table: string, columns: string[]): AsyncGenerator<unknown[][]>
  /** The last id given in each table whose ids are never reused, by table. */
  readLastIds(trx: AnyTransaction): Promise<Map<string, number>>
  writeLastIds(trx: AnyTransaction, lastIds: Map<string, number>): Promise<void>
}

const engines = new WeakMap<object, Engine>()

/** Records how an open database, or a transaction in it, does what engines do in their own ways. */
export function setEngine(db: object, engine: Engine): void {
  engines.set(db, engine)
}

/** @throws Error for a database that was not opened by `openDatabase` or `openPostgres` */
export function engineOf(db: object): Engine {
  const engine = engines.get(db)
  if (!engine) throw new Error('This database was opened by other means')
  return engine
}
