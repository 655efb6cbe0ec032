import { sql, type Kysely, type Migration } from 'kysely'

/** Adds the key file of each version, and how the version differs from the one published before it. */
export const keyFilesMigration: Migration = {
  async up(db: Kysely<unknown>) {
    const columns = [
      ['keysSha256', 'text'],
      ['keysBytes', 'integer'],
      ['keyColumn', 'text'],
      ['keyCount', 'integer'],
      ['repeatedKeys', 'integer'],
      ['keylessRows', 'integer'],
      ['difference', 'text'],
    ] as const
    for (const [name, type] of columns) {
      await db.schema.alterTable('versions').addColumn(name, type).execute()
    }
    await sql`create index versionsKeysSha256 on versions (keysSha256)
      where keysSha256 is not null`.execute(db)
  },
}
