import { sql, type Kysely } from 'kysely'
import type { Migration } from 'kysely/migration'

/** Adds the scheduled jobs that the administrator manages, and the history of their runs. */
export const cronJobsMigration: Migration = {
  async up(db: Kysely<unknown>) {
    await db.schema
      .createTable('cronJobs')
      .addColumn('name', 'text', (column) => column.primaryKey())
      .addColumn('schedule', 'text', (column) => column.notNull())
      .addColumn('isActive', 'integer', (column) => column.notNull().defaultTo(1))
      .addColumn('deletedAt', 'integer')
      .addColumn('nextRunAt', 'integer')
      .addColumn('requestedAt', 'integer')
      .addColumn('leaseToken', 'text')
      .addColumn('leaseUntil', 'integer')
      .addColumn('isRunning', 'integer', (column) => column.notNull().defaultTo(0))
      .execute()
    await db.schema
      .createTable('cronJobRuns')
      .addColumn('id', 'integer', (column) => column.primaryKey().autoIncrement())
      .addColumn('jobName', 'text', (column) =>
        column.notNull().references('cronJobs.name').onDelete('cascade'),
      )
      .addColumn('leaseToken', 'text', (column) => column.notNull())
      .addColumn('isRequested', 'integer', (column) => column.notNull())
      .addColumn('startedAt', 'integer', (column) => column.notNull())
      .addColumn('finishedAt', 'integer')
      .addColumn('outcome', 'text')
      .addColumn('step', 'text')
      .addColumn('summary', 'text')
      .addColumn('error', 'text')
      .execute()
    await sql`create index cronJobRunsJobName on cronJobRuns (jobName, id)`.execute(db)
    await sql`create index cronJobRunsFinishedAt on cronJobRuns (finishedAt)`.execute(db)
    // The announced size of a source, which the progress of a sync is compared with.
    await sql`alter table syncRuns add column expectedBytes integer`.execute(db)
  },
}
