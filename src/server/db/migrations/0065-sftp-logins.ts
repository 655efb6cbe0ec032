import type { Kysely } from 'kysely'
import type { Migration } from 'kysely/migration'

import { ALL, recordChanges, type RecordedChange } from './record-changes'

const table = 'sftpLogins'

/** For the server, whose sessions end with a login or what opens it, and for windows that show it. */
const RECORDED: RecordedChange[] = [
  {
    table,
    operations: ['update', 'delete'],
    columns: ['passwordHash', 'publicKeys'],
    word: 'sftp-login',
    key: 'id',
  },
  { table, operations: ALL, word: 'connection', key: 'connectionId', withoutKey: 0 },
  { table, operations: ALL, word: 'retailer', key: 'retailerId', withoutKey: 0 },
]

/** Adds the logins of our SFTP server, and by which way and from whom a file was received. */
export const sftpLoginsMigration: Migration = {
  async up(db: Kysely<unknown>) {
    await db.schema
      .createTable(table)
      .addColumn('id', 'integer', (column) => column.primaryKey().autoIncrement())
      .addColumn('connectionId', 'integer', (column) =>
        column.unique().references('connections.id').onDelete('cascade'),
      )
      .addColumn('retailerId', 'integer', (column) =>
        column.unique().references('retailers.id').onDelete('cascade'),
      )
      .addColumn('username', 'text', (column) => column.notNull().unique())
      .addColumn('passwordHash', 'text')
      .addColumn('passwordEnd', 'text')
      .addColumn('publicKeys', 'text', (column) => column.notNull().defaultTo('[]'))
      .addColumn('createdAt', 'integer', (column) => column.notNull())
      .addColumn('lastUsedAt', 'integer')
      .addColumn('lastClient', 'text')
      .execute()
    for (const column of ['way', 'sender']) {
      await db.schema.alterTable('receivedFiles').addColumn(column, 'text').execute()
    }
    await recordChanges(db, RECORDED)
  },
}
