import type { Kysely } from 'kysely'
import type { Migration } from 'kysely/migration'

/** Adds to whom a file was sent by mail, and the links to files that are too large to be attached. */
export const fileMailsMigration: Migration = {
  async up(db: Kysely<unknown>) {
    await createFileMails(db)
    await createFileLinks(db)
  },
}

async function createFileMails(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('fileMails')
    .addColumn('id', 'integer', (column) => column.primaryKey().autoIncrement())
    .addColumn('dispatchId', 'integer', (column) =>
      column.notNull().references('dispatches.id').onDelete('cascade'),
    )
    .addColumn('userId', 'integer', (column) =>
      column.notNull().references('users.id').onDelete('cascade'),
    )
    .addColumn('status', 'text', (column) => column.notNull())
    .addColumn('answer', 'text')
    .addUniqueConstraint('fileMails_dispatchId_userId', ['dispatchId', 'userId'])
    .execute()
  await db.schema.createIndex('fileMails_userId').on('fileMails').column('userId').execute()
}

async function createFileLinks(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('fileLinks')
    .addColumn('id', 'integer', (column) => column.primaryKey().autoIncrement())
    .addColumn('tokenHash', 'text', (column) => column.notNull().unique())
    .addColumn('retailerId', 'integer', (column) =>
      column.notNull().references('retailers.id').onDelete('cascade'),
    )
    .addColumn('destinationId', 'integer', (column) =>
      column.notNull().references('destinations.id').onDelete('cascade'),
    )
    .addColumn('userId', 'integer', (column) =>
      column.notNull().references('users.id').onDelete('cascade'),
    )
    .addColumn('versionId', 'integer', (column) => column.notNull())
    .addColumn('versionName', 'text', (column) => column.notNull())
    .addColumn('fileName', 'text', (column) => column.notNull())
    .addColumn('mediaType', 'text', (column) => column.notNull())
    .addColumn('sha256', 'text', (column) => column.notNull())
    .addColumn('sizeBytes', 'integer', (column) => column.notNull())
    .addColumn('rowCount', 'integer', (column) => column.notNull())
    .addColumn('dataAsOf', 'integer', (column) => column.notNull())
    .addColumn('createdAt', 'integer', (column) => column.notNull())
    .addColumn('endsAt', 'integer', (column) => column.notNull())
    .execute()
  for (const column of ['retailerId', 'destinationId', 'userId', 'sha256'] as const) {
    await db.schema.createIndex(`fileLinks_${column}`).on('fileLinks').column(column).execute()
  }
}
