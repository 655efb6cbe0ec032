import { PostgresAdapter, sql, type Kysely } from 'kysely'
import type { Migration } from 'kysely/migration'

type Operation = 'insert' | 'update' | 'delete'
type RecordedChange = {
  table: string
  operations: Operation[]
  /** Updates of other columns are not recorded. */
  columns?: string[]
  /** The topic is this word and the value of a column of the row. */
  word: string
  key: string
}

const ALL: Operation[] = ['insert', 'update', 'delete']

const RECORDED: RecordedChange[] = [
  { table: 'users', operations: ['update', 'delete'], word: 'user', key: 'id' },
  { table: 'sessions', operations: ['update', 'delete'], word: 'session', key: 'idHash' },
  { table: 'viewings', operations: ALL, word: 'session', key: 'sessionIdHash' },
  { table: 'notifications', operations: ALL, word: 'user', key: 'userId' },
  { table: 'connections', operations: ALL, word: 'supplier', key: 'supplierId' },
  {
    table: 'connections',
    operations: ALL,
    columns: ['publishedVersionId', 'columnPolicy', 'lastSyncAt'],
    word: 'files',
    key: 'supplierId',
  },
  { table: 'syncRuns', operations: ['insert', 'update'], word: 'connection', key: 'connectionId' },
  { table: 'variants', operations: ALL, word: 'version', key: 'versionId' },
  { table: 'retailers', operations: ALL, word: 'user', key: 'userId' },
  { table: 'pulls', operations: ['insert'], word: 'retailer', key: 'retailerId' },
  {
    table: 'feedAddresses',
    operations: ALL,
    columns: ['expiresAt'],
    word: 'retailer',
    key: 'retailerId',
  },
  { table: 'cronJobs', operations: ALL, word: 'job', key: 'name' },
  { table: 'cronJobRuns', operations: ['insert', 'update'], word: 'job', key: 'jobName' },
]

/**
 * Adds a record of what changes, by topic, for open windows. Triggers write it in the transaction of each
 * change, so that none is missed, whichever process or program makes it.
 */
export const changesMigration: Migration = {
  async up(db: Kysely<unknown>) {
    await db.schema
      .createTable('changes')
      .addColumn('id', 'integer', (column) => column.primaryKey().autoIncrement())
      .addColumn('topic', 'text', (column) => column.notNull())
      .addColumn('transactionId', 'integer')
      .execute()
    const isPostgres = db.getExecutor().adapter instanceof PostgresAdapter
    if (isPostgres) {
      await db.schema
        .createIndex('changesTransaction')
        .on('changes')
        .column('transactionId')
        .execute()
    }
    const write = isPostgres ? writePostgresTrigger : writeSqliteTriggers
    for (const statement of RECORDED.flatMap(write)) await sql.raw(statement).execute(db)
  },
}

const nameOf = ({ table, word }: RecordedChange, operations: Operation[]) =>
  ['changes', table, word, ...operations].join('_')

const toEvent = (operation: Operation, { columns }: RecordedChange) =>
  operation === 'update' && columns
    ? `${operation} of ${columns.map((column) => `"${column}"`).join(', ')}`
    : operation

function writeSqliteTriggers(change: RecordedChange): string[] {
  return change.operations.map((operation) => {
    const row = operation === 'delete' ? 'old' : 'new'
    return `create trigger "${nameOf(change, [operation])}"
      after ${toEvent(operation, change)} on "${change.table}"
      begin insert into "changes" ("topic") values ('${change.word} ' || ${row}."${change.key}"); end`
  })
}

/** On PostgreSQL, ids are not in the order of commits; transactions tell what a reader has seen. */
function writePostgresTrigger(change: RecordedChange): string[] {
  const name = nameOf(change, change.operations)
  const events = change.operations.map((operation) => toEvent(operation, change))
  return [
    `create function "${name}"() returns trigger language plpgsql as $$
    begin
      insert into "changes" ("topic", "transactionId") values (
        '${change.word} ' || coalesce(new."${change.key}", old."${change.key}"),
        pg_current_xact_id()::text::bigint);
      return null;
    end $$`,
    `create trigger "${name}" after ${events.join(' or ')} on "${change.table}"
      for each row execute function "${name}"()`,
  ]
}
