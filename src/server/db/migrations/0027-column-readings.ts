import { sql, type Kysely } from 'kysely'
import type { Migration } from 'kysely/migration'

/**
 * Adds how the numbers of versions are written, what the files of a connection have shown of that, and examples
 * of categories. All sources are read once more, because files may have been published with other quantities.
 */
export const columnReadingsMigration: Migration = {
  async up(db: Kysely<unknown>) {
    await db.schema
      .alterTable('connections')
      .addColumn('decimalMarks', 'text', (column) => column.notNull().defaultTo('[]'))
      .execute()
    for (const name of ['numbers', 'categoryExamples']) {
      await db.schema.alterTable('versions').addColumn(name, 'text').execute()
    }
    await sql`update connections set etag = null, "lastModified" = null`.execute(db)
  },
}
