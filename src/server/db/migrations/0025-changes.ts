import type { Kysely } from 'kysely'
import type { Migration } from 'kysely/migration'

import { ALL, isPostgres, recordChanges, type RecordedChange } from './record-changes'

const RECORDED: RecordedChange[] = [
  { table: 'users', operations: ['update', 'delete'], word: 'user', key: 'id' },
  { table: 'sessions', operations: ['update', 'delete'], word: 'session', key: 'idHash' },
  { table: 'viewings', operations: ALL, word: 'session', key: 'sessionIdHash' },
  { table: 'notifications', operations: ALL, word: 'user', key: 'userId' },
  { table: 'connections', operations: ALL, word: 'supplier', key: 'supplierId' },
  {
    table: 'connections',
    operations: ALL,
    columns: ['publishedVersionId', 'columnPolicy', 'lastSyncAt'],
    word: 'files',
    key: 'supplierId',
  },
  { table: 'syncRuns', operations: ['insert', 'update'], word: 'connection', key: 'connectionId' },
  { table: 'variants', operations: ALL, word: 'version', key: 'versionId' },
  { table: 'retailers', operations: ALL, word: 'user', key: 'userId' },
  { table: 'pulls', operations: ['insert'], word: 'retailer', key: 'retailerId' },
  {
    table: 'feedAddresses',
    operations: ALL,
    columns: ['expiresAt'],
    word: 'retailer',
    key: 'retailerId',
  },
  { table: 'cronJobs', operations: ALL, word: 'job', key: 'name' },
  { table: 'cronJobRuns', operations: ['insert', 'update'], word: 'job', key: 'jobName' },
]

/**
 * Adds a record of what changes, by topic, for open windows. Triggers write it in the transaction of each
 * change, so that none is missed, whichever process or program makes it.
 */
export const changesMigration: Migration = {
  async up(db: Kysely<unknown>) {
    await db.schema
      .createTable('changes')
      .addColumn('id', 'integer', (column) => column.primaryKey().autoIncrement())
      .addColumn('topic', 'text', (column) => column.notNull())
      .addColumn('transactionId', 'integer')
      .execute()
    if (isPostgres(db)) {
      await db.schema
        .createIndex('changesTransaction')
        .on('changes')
        .column('transactionId')
        .execute()
    }
    await recordChanges(db, RECORDED)
  },
}
