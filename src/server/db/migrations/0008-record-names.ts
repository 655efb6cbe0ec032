import type { Kysely } from 'kysely'
import type { Migration } from 'kysely/migration'

/** The JSON columns to rename, by table. */
const COLUMNS = {
  users: ['settings'],
  sessions: ['data'],
  googleSignIns: ['identity'],
  connections: ['config', 'categoryReading'],
  retailers: ['categories'],
  versions: ['categoryReading', 'columns', 'dialect', 'problems', 'categoryCounts', 'headRows'],
  variants: ['headRows'],
}

/** Names JSON columns like the fields of records: `config` instead of `configJson`. */
export const recordNamesMigration: Migration = {
  async up(db: Kysely<unknown>) {
    for (const [table, columns] of Object.entries(COLUMNS)) {
      for (const name of columns) {
        await db.schema.alterTable(table).renameColumn(`${name}Json`, name).execute()
      }
    }
  },
}
