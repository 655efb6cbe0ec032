import { sql, type Kysely } from 'kysely'
import type { Migration } from 'kysely/migration'

/** Adds the lists of items that have left the files of versions. */
export const goneItemsMigration: Migration = {
  async up(db: Kysely<unknown>) {
    await db.schema.alterTable('versions').addColumn('goneSha256', 'text').execute()
    for (const name of ['goneBytes', 'goneCount', 'goneDropped']) {
      await db.schema.alterTable('versions').addColumn(name, 'integer').execute()
    }
    await sql`create index "versionsGoneSha256" on versions ("goneSha256")
      where "goneSha256" is not null`.execute(db)
  },
}
