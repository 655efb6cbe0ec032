import { PostgresAdapter, sql, type Kysely } from 'kysely'

type Operation = 'insert' | 'update' | 'delete'
export type RecordedChange = {
  table: string
  operations: Operation[]
  /** Updates of other columns are not recorded. */
  columns?: string[]
  /** The topic is this word and the value of a column of the row. */
  word: string
  key: string
  /** Takes the place of a null there; without it, such rows have no topic. */
  withoutKey?: number
  /** The topic of rows that have a null there. */
  otherwise?: { word: string; key: string }
  /** Tells its triggers from earlier ones of the same table and word. */
  of?: string
}

export const ALL: Operation[] = ['insert', 'update', 'delete']

export const isPostgres = (db: Kysely<unknown>) =>
  db.getExecutor().adapter instanceof PostgresAdapter

/** Adds triggers that write what changes to `changes`, by topic, in the transaction of each change. */
export async function recordChanges(
  db: Kysely<unknown>,
  changes: readonly RecordedChange[],
): Promise<void> {
  const write = isPostgres(db) ? writePostgresTrigger : writeSqliteTriggers
  for (const statement of changes.flatMap(write)) await sql.raw(statement).execute(db)
}

const nameOf = ({ table, word, of }: RecordedChange, operations: Operation[]) =>
  ['changes', table, word, ...operations, ...(of === undefined ? [] : [of])].join('_')

const toValue = (value: string, { withoutKey }: RecordedChange) =>
  withoutKey === undefined ? value : `coalesce(${value}, ${withoutKey})`

const toTopic = (value: (key: string) => string, change: RecordedChange) => {
  const { word, key, otherwise } = change
  const topic = `'${word} ' || ${toValue(value(key), change)}`
  return otherwise ? `coalesce(${topic}, '${otherwise.word} ' || ${value(otherwise.key)})` : topic
}

const toEvent = (operation: Operation, { columns }: RecordedChange) =>
  operation === 'update' && columns
    ? `${operation} of ${columns.map((column) => `"${column}"`).join(', ')}`
    : operation

function writeSqliteTriggers(change: RecordedChange): string[] {
  return change.operations.map((operation) => {
    const row = operation === 'delete' ? 'old' : 'new'
    const topic = toTopic((key) => `${row}."${key}"`, change)
    return `create trigger "${nameOf(change, [operation])}"
      after ${toEvent(operation, change)} on "${change.table}"
      begin insert into "changes" ("topic") values (${topic}); end`
  })
}

/** On PostgreSQL, ids are not in the order of commits; transactions tell what a reader has seen. */
function writePostgresTrigger(change: RecordedChange): string[] {
  const name = nameOf(change, change.operations)
  const topic = toTopic((key) => `coalesce(new."${key}", old."${key}")`, change)
  const events = change.operations.map((operation) => toEvent(operation, change))
  return [
    `create function "${name}"() returns trigger language plpgsql as $$
    begin
      insert into "changes" ("topic", "transactionId") values (
        ${topic},
        pg_current_xact_id()::text::bigint);
      return null;
    end $$`,
    `create trigger "${name}" after ${events.join(' or ')} on "${change.table}"
      for each row execute function "${name}"()`,
  ]
}
