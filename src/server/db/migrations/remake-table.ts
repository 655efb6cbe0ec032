import { sql, type Kysely } from 'kysely'

/** @throws Error when the text does not have the old part */
export function replaceIn(text: string, old: string, current: string): string {
  if (!text.includes(old)) throw new Error(`The schema does not have ${old}`)
  return text.replace(old, current)
}

/** Makes a table of SQLite anew, with its rows, last id, indexes and triggers, while references are not enforced. */
export async function remakeTable(
  db: Kysely<unknown>,
  table: string,
  change: (text: string) => string,
): Promise<void> {
  const parts = await sql<{ type: string; text: string }>`
    select type, sql as text from sqlite_schema where tbl_name = ${table} and sql is not null`.execute(
    db,
  )
  const ids = await sql<{ seq: number }>`
    select seq from sqlite_sequence where name = ${table}`.execute(db)
  const draft = `new ${table}`
  for (const { type, text } of parts.rows) {
    if (type !== 'table') continue
    await sql.raw(change(replaceIn(text, `"${table}"`, `"${draft}"`))).execute(db)
  }
  await sql`insert into ${sql.table(draft)} select * from ${sql.table(table)}`.execute(db)
  await db.schema.dropTable(table).execute()
  await db.schema.alterTable(draft).renameTo(table).execute()
  for (const { seq } of ids.rows) {
    await sql`update sqlite_sequence set seq = ${seq} where name = ${table}`.execute(db)
  }
  for (const { type, text } of parts.rows) {
    if (type !== 'table') await sql.raw(text).execute(db)
  }
}
