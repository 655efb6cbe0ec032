import { sql, type Kysely } from 'kysely'
import type { Migration } from 'kysely/migration'

const FIGURES = [
  'published',
  'unchanged',
  'held',
  'failed',
  'postponed',
  'cancelled',
  'waitCount',
  'waitedMs',
  'longestWaitMs',
]

/** Adds how long each run has waited, what came of the runs of each hour, and an index for the few that went wrong. */
export const runHoursMigration: Migration = {
  async up(db: Kysely<unknown>) {
    await db.schema.alterTable('syncRuns').addColumn('waitedMs', 'integer').execute()
    await FIGURES.reduce(
      (table, name) => table.addColumn(name, 'integer', (column) => column.notNull()),
      db.schema
        .createTable('runHours')
        .addColumn('startedAt', 'integer', (column) => column.primaryKey()),
    ).execute()
    await sql`create index "syncRunsTroubled" on "syncRuns" ("finishedAt") where "outcome" in ('held', 'failed', 'postponed', 'cancelled')`.execute(
      db,
    )
  },
}
