import { sql, type Kysely } from 'kysely'
import type { Migration } from 'kysely/migration'

/** Adds the key files of versions, and what differs from the version that was published before. */
export const differencesMigration: Migration = {
  async up(db: Kysely<unknown>) {
    const texts = ['keysSha256', 'keyColumn', 'keyQuantityColumn', 'difference']
    const numbers = ['keysBytes', 'keyCount', 'repeatedRows', 'keylessRows']
    for (const name of texts) {
      await db.schema.alterTable('versions').addColumn(name, 'text').execute()
    }
    for (const name of numbers) {
      await db.schema.alterTable('versions').addColumn(name, 'integer').execute()
    }
    await sql`create index versionsKeysSha256 on versions (keysSha256)
      where keysSha256 is not null`.execute(db)
  },
}
