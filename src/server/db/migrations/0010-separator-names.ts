import { sql, type Kysely } from 'kysely'
import type { Migration } from 'kysely/migration'

/** The tables with a JSON column `categoryReading`, whose separators were called signs. */
const TABLES = ['connections', 'versions'] as const

export const separatorNamesMigration: Migration = {
  async up(db: Kysely<unknown>) {
    for (const table of TABLES) {
      await sql`
        update ${sql.table(table)}
        set "categoryReading" = json_object(
          'column', json_extract("categoryReading", '$.column'),
          'pathSeparator', json_extract("categoryReading", '$.pathSign'),
          'listSeparator', json_extract("categoryReading", '$.listSign')
        )
        where "categoryReading" is not null
      `.execute(db)
    }
  },
}
