import type { Kysely, Migration } from 'kysely'

/** What columns of JSON were called, by table. */
const COLUMNS = {
  users: ['settings'],
  sessions: ['data'],
  googleSignIns: ['identity'],
  connections: ['config', 'categoryReading'],
  retailers: ['categories'],
  versions: ['categoryReading', 'columns', 'dialect', 'problems', 'categoryCounts', 'headRows'],
  variants: ['headRows'],
}

/** Columns are called what records call them: `config`, where it was `configJson`. */
export const recordNamesMigration: Migration = {
  async up(db: Kysely<unknown>) {
    for (const [table, columns] of Object.entries(COLUMNS)) {
      for (const name of columns) {
        await db.schema.alterTable(table).renameColumn(`${name}Json`, name).execute()
      }
    }
  },
}
