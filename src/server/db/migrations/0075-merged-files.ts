import type { Kysely } from 'kysely'
import type { Migration } from 'kysely/migration'

import { ALL, recordChanges } from './record-changes'

/** Adds files that retailers have made of their files of several suppliers. */
export const mergedFilesMigration: Migration = {
  async up(db: Kysely<unknown>) {
    await createMergedFiles(db)
    await createMergedParts(db)
    await createMergedVersions(db)
    await createMergedOutputs(db)
    await createMergedAddresses(db)
    await indexFiles(db)
    await recordChanges(db, [
      { table: 'mergedFiles', operations: ['insert', 'delete'], word: 'user', key: 'userId' },
      {
        table: 'mergedFiles',
        operations: ['update'],
        columns: ['profile', 'mergedRules', 'matchingSha256'],
        word: 'user',
        key: 'userId',
      },
      { table: 'mergedVersions', operations: ALL, word: 'merged', key: 'mergedFileId' },
      { table: 'mergedOutputs', operations: ALL, word: 'merged', key: 'mergedFileId' },
      { table: 'mergedAddresses', operations: ['delete'], word: 'merged', key: 'mergedFileId' },
      {
        table: 'mergedAddresses',
        operations: ['update'],
        columns: ['expiresAt'],
        word: 'merged',
        key: 'mergedFileId',
      },
    ])
  },
}

async function createMergedFiles(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('mergedFiles')
    .addColumn('id', 'integer', (column) => column.primaryKey().autoIncrement())
    .addColumn('userId', 'integer', (column) =>
      column.notNull().unique().references('users.id').onDelete('cascade'),
    )
    .addColumn('profile', 'text', (column) => column.notNull())
    .addColumn('mergedRules', 'text', (column) => column.notNull())
    .addColumn('matchingSha256', 'text')
    .addColumn('matchingBytes', 'integer')
    .addColumn('matchingRows', 'integer')
    .addColumn('checkAt', 'integer')
    .addColumn('madeAt', 'integer')
    .addColumn('failure', 'text')
    .addColumn('leaseToken', 'text')
    .addColumn('leaseUntil', 'integer')
    .addColumn('readCount', 'integer', (column) => column.notNull().defaultTo(0))
    .addColumn('createdAt', 'integer', (column) => column.notNull())
    .execute()
  await db.schema.createIndex('mergedFiles_checkAt').on('mergedFiles').column('checkAt').execute()
}

async function createMergedParts(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('mergedParts')
    .addColumn('id', 'integer', (column) => column.primaryKey().autoIncrement())
    .addColumn('mergedFileId', 'integer', (column) =>
      column.notNull().references('mergedFiles.id').onDelete('cascade'),
    )
    .addColumn('retailerId', 'integer', (column) =>
      column.notNull().unique().references('retailers.id').onDelete('cascade'),
    )
    .addColumn('place', 'integer', (column) => column.notNull())
    .addColumn('prefix', 'text', (column) => column.notNull())
    .addColumn('currency', 'text')
    .addColumn('costColumn', 'text')
    .addColumn('versionId', 'integer', (column) =>
      column.references('versions.id').onDelete('set null'),
    )
    .addColumn('versionSince', 'integer')
    .addColumn('seenKey', 'text')
    .addColumn('partKey', 'text')
    .addColumn('sha256', 'text')
    .addColumn('sizeBytes', 'integer')
    .addColumn('rowCount', 'integer')
    .addColumn('dataAt', 'integer')
    .addColumn('problems', 'text', (column) => column.notNull().defaultTo('[]'))
    .addColumn('failure', 'text')
    .execute()
  await db.schema
    .createIndex('mergedParts_mergedFileId')
    .on('mergedParts')
    .column('mergedFileId')
    .execute()
}

async function createMergedVersions(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('mergedVersions')
    .addColumn('id', 'integer', (column) => column.primaryKey().autoIncrement())
    .addColumn('mergedFileId', 'integer', (column) =>
      column.notNull().references('mergedFiles.id').onDelete('cascade'),
    )
    .addColumn('mergedFrom', 'text', (column) => column.notNull())
    .addColumn('fingerprint', 'text', (column) => column.notNull())
    .addColumn('sha256', 'text', (column) => column.notNull())
    .addColumn('sizeBytes', 'integer', (column) => column.notNull())
    .addColumn('keysSha256', 'text', (column) => column.notNull())
    .addColumn('keysBytes', 'integer', (column) => column.notNull())
    .addColumn('goneSha256', 'text')
    .addColumn('goneBytes', 'integer')
    .addColumn('unmatchedSha256', 'text', (column) => column.notNull())
    .addColumn('unmatchedBytes', 'integer', (column) => column.notNull())
    .addColumn('unmatchedCount', 'integer', (column) => column.notNull())
    .addColumn('sharedCount', 'integer', (column) => column.notNull())
    .addColumn('rowCount', 'integer', (column) => column.notNull())
    .addColumn('problems', 'text', (column) => column.notNull())
    .addColumn('createdAt', 'integer', (column) => column.notNull())
    .execute()
  await db.schema
    .createIndex('mergedVersions_mergedFileId')
    .on('mergedVersions')
    .columns(['mergedFileId', 'id'])
    .execute()
}

async function createMergedOutputs(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('mergedOutputs')
    .addColumn('id', 'integer', (column) => column.primaryKey().autoIncrement())
    .addColumn('mergedFileId', 'integer', (column) =>
      column.notNull().references('mergedFiles.id').onDelete('cascade'),
    )
    .addColumn('mergedVersionId', 'integer', (column) =>
      column.notNull().references('mergedVersions.id').onDelete('cascade'),
    )
    .addColumn('form', 'text', (column) => column.notNull())
    .addColumn('sinceVersionId', 'integer', (column) => column.notNull().defaultTo(0))
    .addColumn('profile', 'text', (column) => column.notNull())
    .addColumn('status', 'text', (column) => column.notNull())
    .addColumn('sha256', 'text')
    .addColumn('sizeBytes', 'integer')
    .addColumn('rowCount', 'integer')
    .addColumn('problems', 'text', (column) => column.notNull().defaultTo('[]'))
    .addColumn('failure', 'text')
    .addColumn('createdAt', 'integer', (column) => column.notNull())
    .execute()
  await db.schema
    .createIndex('mergedOutputs_version')
    .on('mergedOutputs')
    .columns(['mergedVersionId', 'form', 'sinceVersionId'])
    .unique()
    .execute()
  await db.schema
    .createIndex('mergedOutputs_mergedFileId')
    .on('mergedOutputs')
    .columns(['mergedFileId', 'status'])
    .execute()
}

async function createMergedAddresses(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('mergedAddresses')
    .addColumn('id', 'integer', (column) => column.primaryKey().autoIncrement())
    .addColumn('mergedFileId', 'integer', (column) =>
      column.notNull().references('mergedFiles.id').onDelete('cascade'),
    )
    .addColumn('tokenHash', 'text', (column) => column.notNull().unique())
    .addColumn('tokenEnd', 'text', (column) => column.notNull())
    .addColumn('createdAt', 'integer', (column) => column.notNull())
    .addColumn('expiresAt', 'integer')
    .addColumn('lastUsedAt', 'integer')
    .addColumn('lastClient', 'text')
    .execute()
  await db.schema
    .createIndex('mergedAddresses_mergedFileId')
    .on('mergedAddresses')
    .column('mergedFileId')
    .execute()
}

/** Whether a stored file is named is asked whenever one is removed, and what refers to a version whenever that is. */
async function indexFiles(db: Kysely<unknown>): Promise<void> {
  const columns = {
    mergedFiles: ['matchingSha256'],
    mergedParts: ['sha256', 'versionId'],
    mergedVersions: ['sha256', 'keysSha256', 'goneSha256', 'unmatchedSha256'],
    mergedOutputs: ['sha256'],
    dispatches: ['versionId'],
  }
  for (const [table, names] of Object.entries(columns)) {
    for (const name of names) {
      await db.schema.createIndex(`${table}_${name}`).on(table).column(name).execute()
    }
  }
}
