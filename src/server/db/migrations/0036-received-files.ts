import { sql, type Kysely } from 'kysely'
import type { Migration } from 'kysely/migration'

import { ALL, recordChanges, type RecordedChange } from './record-changes'

const RECORDED: RecordedChange[] = [
  { table: 'receivedFiles', operations: ALL, word: 'connection', key: 'connectionId' },
  {
    table: 'uploadLinks',
    operations: ALL,
    columns: ['expiresAt'],
    word: 'connection',
    key: 'connectionId',
  },
]

/** Adds the files that were sent to connections, those that are being sent, and the links for it. */
export const receivedFilesMigration: Migration = {
  async up(db: Kysely<unknown>) {
    await db.schema.alterTable('connections').addColumn('outdatedSha256', 'text').execute()
    await createReceivedFiles(db)
    await createUploads(db)
    await createUploadLinks(db)
    await recordChanges(db, RECORDED)
  },
}

async function createReceivedFiles(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('receivedFiles')
    .addColumn('id', 'integer', (column) => column.primaryKey().autoIncrement())
    .addColumn('connectionId', 'integer', (column) =>
      column.notNull().references('connections.id').onDelete('cascade'),
    )
    .addColumn('fileName', 'text', (column) => column.notNull())
    .addColumn('sizeBytes', 'integer', (column) => column.notNull())
    .addColumn('sha256', 'text')
    .addColumn('state', 'text', (column) => column.notNull())
    .addColumn('message', 'text')
    .addColumn('receivedAt', 'integer', (column) => column.notNull())
    .addColumn('receivedBy', 'integer', (column) =>
      column.references('users.id').onDelete('set null'),
    )
    .addColumn('linkEnd', 'text')
    .addColumn('leaseToken', 'text')
    .addColumn('versionId', 'integer', (column) =>
      column.references('versions.id').onDelete('set null'),
    )
    .addColumn('rowCount', 'integer')
    .addColumn('endedAt', 'integer')
    .execute()
  const indexes = [
    ['receivedFilesConnectionId', ['connectionId', 'id']],
    ['receivedFilesReceivedBy', ['receivedBy']],
    ['receivedFilesVersionId', ['versionId']],
  ] as const
  for (const [name, columns] of indexes) {
    await db.schema
      .createIndex(name)
      .on('receivedFiles')
      .columns([...columns])
      .execute()
  }
  await sql`create index "receivedFilesSha256" on "receivedFiles" ("sha256")
    where "sha256" is not null`.execute(db)
}

async function createUploads(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('uploads')
    .addColumn('id', 'integer', (column) => column.primaryKey().autoIncrement())
    .addColumn('connectionId', 'integer', (column) =>
      column.notNull().references('connections.id').onDelete('cascade'),
    )
    .addColumn('startedAt', 'integer', (column) => column.notNull())
    .addColumn('leaseToken', 'text', (column) => column.notNull())
    .addColumn('leaseUntil', 'integer', (column) => column.notNull())
    .execute()
  await db.schema
    .createIndex('uploadsConnectionId')
    .on('uploads')
    .columns(['connectionId'])
    .execute()
}

async function createUploadLinks(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('uploadLinks')
    .addColumn('id', 'integer', (column) => column.primaryKey().autoIncrement())
    .addColumn('connectionId', 'integer', (column) =>
      column.notNull().references('connections.id').onDelete('cascade'),
    )
    .addColumn('tokenHash', 'text', (column) => column.notNull().unique())
    .addColumn('tokenEnd', 'text', (column) => column.notNull())
    .addColumn('createdAt', 'integer', (column) => column.notNull())
    .addColumn('expiresAt', 'integer')
    .addColumn('lastUsedAt', 'integer')
    .addColumn('lastClient', 'text')
    .execute()
  await db.schema
    .createIndex('uploadLinksConnectionId')
    .on('uploadLinks')
    .columns(['connectionId', 'id'])
    .execute()
}
