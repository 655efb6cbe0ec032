import { sql, type Kysely, type Migration } from 'kysely'

/**
 * Adds how the numbers of versions are written, and what the files of a connection have shown of that. All
 * sources are read once more, because files may have been published with other quantities.
 */
export const decimalMarksMigration: Migration = {
  async up(db: Kysely<unknown>) {
    await db.schema
      .alterTable('connections')
      .addColumn('decimalMarks', 'text', (column) => column.notNull().defaultTo('[]'))
      .execute()
    await db.schema.alterTable('versions').addColumn('numbers', 'text').execute()
    await sql`update connections set etag = null, "lastModified" = null`.execute(db)
  },
}
