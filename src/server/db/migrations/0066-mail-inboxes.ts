import { sql, type Kysely } from 'kysely'
import type { Migration } from 'kysely/migration'

import { ALL, recordChanges } from './record-changes'

/** Adds the addresses to which files are sent by mail, and the mails that came. */
export const mailInboxesMigration: Migration = {
  async up(db: Kysely<unknown>) {
    await createMailInboxes(db)
    await createMails(db)
    await recordChanges(db, [
      { table: 'mailInboxes', operations: ALL, word: 'connection', key: 'connectionId' },
      { table: 'mails', operations: ALL, word: 'connection', key: 'connectionId' },
    ])
  },
}

async function createMailInboxes(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('mailInboxes')
    .addColumn('id', 'integer', (column) => column.primaryKey().autoIncrement())
    .addColumn('connectionId', 'integer', (column) =>
      column.notNull().unique().references('connections.id').onDelete('cascade'),
    )
    .addColumn('tokenHash', 'text', (column) => column.notNull().unique())
    .addColumn('sealedToken', 'text', (column) => column.notNull())
    .addColumn('allowedSenders', 'text', (column) => column.notNull().defaultTo('[]'))
    .addColumn('createdAt', 'integer', (column) => column.notNull())
    .addColumn('lastMailAt', 'integer')
    .addColumn('toldAt', 'integer')
    .execute()
}

async function createMails(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('mails')
    .addColumn('id', 'integer', (column) => column.primaryKey().autoIncrement())
    .addColumn('connectionId', 'integer', (column) =>
      column.notNull().references('connections.id').onDelete('cascade'),
    )
    .addColumn('digest', 'text', (column) => column.notNull())
    .addColumn('sender', 'text')
    .addColumn('subject', 'text')
    .addColumn('fileName', 'text')
    .addColumn('sizeBytes', 'integer')
    .addColumn('sha256', 'text')
    .addColumn('state', 'text', (column) => column.notNull())
    .addColumn('reason', 'text')
    .addColumn('otherFiles', 'integer', (column) => column.notNull().defaultTo(0))
    .addColumn('receivedFileId', 'integer', (column) =>
      column.references('receivedFiles.id').onDelete('set null'),
    )
    .addColumn('receivedAt', 'integer', (column) => column.notNull())
    .addColumn('decidedBy', 'integer', (column) =>
      column.references('users.id').onDelete('set null'),
    )
    .addColumn('endedAt', 'integer')
    .addColumn('toldAt', 'integer')
    .execute()
  await db.schema
    .createIndex('mailsConnectionIdDigest')
    .on('mails')
    .columns(['connectionId', 'digest'])
    .unique()
    .execute()
  const indexes = [
    ['mailsConnectionId', ['connectionId', 'id']],
    ['mailsReceivedFileId', ['receivedFileId']],
    ['mailsDecidedBy', ['decidedBy']],
    ['mailsStateReceivedAt', ['state', 'receivedAt']],
  ] as const
  for (const [name, columns] of indexes) {
    await db.schema
      .createIndex(name)
      .on('mails')
      .columns([...columns])
      .execute()
  }
  await sql`create index "mailsSha256" on "mails" ("sha256") where "sha256" is not null`.execute(db)
}
