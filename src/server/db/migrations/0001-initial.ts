import { sql, type ColumnDefinitionBuilder, type Kysely } from 'kysely'
import type { Migration } from 'kysely/migration'

/** A primary key whose values are never reused, since ids are part of file names and URLs. */
const AUTO_ID = (column: ColumnDefinitionBuilder) => column.primaryKey().autoIncrement()

export const initialMigration: Migration = {
  async up(db: Kysely<unknown>) {
    await createAccounts(db)
    await createConnections(db)
    await createFiles(db)
    await createRetailers(db)
    await createIndexes(db)
    await createLeaseIndexes(db)
  },
}

async function createAccounts(db: Kysely<unknown>) {
  await db.schema
    .createTable('users')
    .addColumn('id', 'integer', AUTO_ID)
    .addColumn('username', 'text', (column) => column.notNull())
    .addColumn('usernameKey', 'text', (column) => column.notNull().unique())
    .addColumn('passwordHash', 'text')
    .addColumn('role', 'text', (column) =>
      column.notNull().check(sql`role IN ('SUPER_ADMIN', 'SUPPLIER', 'RETAILER')`),
    )
    .addColumn('isActive', 'integer', (column) => column.notNull().defaultTo(1))
    .addColumn('settingsJson', 'text', (column) => column.notNull().defaultTo('{}'))
    .addColumn('companyName', 'text')
    .addColumn('maxRetailers', 'integer')
    .addColumn('contactEmail', 'text')
    .addColumn('googleIssuer', 'text')
    .addColumn('googleUid', 'text')
    .addColumn('displayName', 'text')
    .addColumn('photoUrl', 'text')
    .addColumn('registeredByUserId', 'integer', (column) =>
      column.references('users.id').onDelete('set null'),
    )
    .addColumn('sessionEpoch', 'integer', (column) => column.notNull().defaultTo(0))
    .addColumn('createdAt', 'integer', (column) => column.notNull())
    .addUniqueConstraint('usersGoogleIdentity', ['googleIssuer', 'googleUid'])
    .execute()
  await db.schema
    .createTable('sessions')
    .addColumn('idHash', 'text', (column) => column.primaryKey())
    .addColumn('userId', 'integer', (column) => column.references('users.id').onDelete('cascade'))
    .addColumn('dataJson', 'text', (column) => column.notNull())
    .addColumn('createdAt', 'integer', (column) => column.notNull())
    .addColumn('touchedAt', 'integer', (column) => column.notNull())
    .addColumn('expiresAt', 'integer', (column) => column.notNull())
    .execute()
}

async function createConnections(db: Kysely<unknown>) {
  await db.schema
    .createTable('connections')
    .addColumn('id', 'integer', AUTO_ID)
    // A supplier has at most one connection.
    .addColumn('supplierId', 'integer', (column) =>
      column.notNull().unique().references('users.id').onDelete('cascade'),
    )
    .addColumn('name', 'text', (column) => column.notNull())
    .addColumn('type', 'text', (column) => column.notNull())
    .addColumn('configJson', 'text', (column) => column.notNull())
    .addColumn('fileFormat', 'text', (column) => column.notNull())
    .addColumn('syncFrequencyMinutes', 'integer', (column) => column.notNull())
    .addColumn('isActive', 'integer', (column) => column.notNull().defaultTo(1))
    .addColumn('categoryReadingJson', 'text')
    .addColumn('publishedVersionId', 'integer', (column) =>
      column.references('versions.id').onDelete('set null'),
    )
    .addColumn('lastSyncAt', 'integer')
    .addColumn('lastAttemptAt', 'integer')
    .addColumn('lastError', 'text')
    .addColumn('consecutiveFailures', 'integer', (column) => column.notNull().defaultTo(0))
    .addColumn('nextSyncAt', 'integer')
    .addColumn('leaseToken', 'text')
    .addColumn('leaseUntil', 'integer')
    .addColumn('isRunning', 'integer', (column) => column.notNull().defaultTo(0))
    .addColumn('etag', 'text')
    .addColumn('lastModified', 'text')
    .addColumn('lastFullFetchAt', 'integer')
    .addColumn('createdAt', 'integer', (column) => column.notNull())
    .execute()
  await db.schema
    .createTable('syncRuns')
    .addColumn('id', 'integer', AUTO_ID)
    .addColumn('connectionId', 'integer', (column) =>
      column.notNull().references('connections.id').onDelete('cascade'),
    )
    .addColumn('leaseToken', 'text', (column) => column.notNull())
    .addColumn('startedAt', 'integer', (column) => column.notNull())
    .addColumn('finishedAt', 'integer')
    .addColumn('outcome', 'text')
    .addColumn('errorCode', 'text')
    .addColumn('error', 'text')
    .addColumn('versionId', 'integer', (column) =>
      column.references('versions.id').onDelete('set null'),
    )
    .addColumn('sizeBytes', 'integer')
    .addColumn('rowCount', 'integer')
    .execute()
}

async function createFiles(db: Kysely<unknown>) {
  await db.schema
    .createTable('versions')
    .addColumn('id', 'integer', AUTO_ID)
    .addColumn('connectionId', 'integer', (column) =>
      column.notNull().references('connections.id').onDelete('cascade'),
    )
    .addColumn('fileName', 'text', (column) => column.notNull())
    .addColumn('sha256', 'text', (column) => column.notNull())
    .addColumn('sizeBytes', 'integer', (column) => column.notNull())
    .addColumn('rowCount', 'integer', (column) => column.notNull())
    .addColumn('status', 'text', (column) => column.notNull())
    .addColumn('heldReason', 'text')
    .addColumn('isRewritten', 'integer', (column) => column.notNull())
    .addColumn('quantityColumn', 'text')
    .addColumn('quantitySum', 'real')
    .addColumn('categoryReadingJson', 'text')
    .addColumn('createdAt', 'integer', (column) => column.notNull())
    .addColumn('publishedAt', 'integer')
    // The wide columns come last, so that reading a list does not have to skip their overflow pages.
    .addColumn('columnsJson', 'text', (column) => column.notNull())
    .addColumn('dialectJson', 'text', (column) => column.notNull())
    .addColumn('problemsJson', 'text', (column) => column.notNull())
    .addColumn('categoryCountsJson', 'text', (column) => column.notNull())
    .addColumn('headRowsJson', 'text', (column) => column.notNull())
    .addUniqueConstraint('versionsFileName', ['connectionId', 'fileName'])
    .execute()
  await db.schema
    .createTable('variants')
    .addColumn('id', 'integer', AUTO_ID)
    .addColumn('versionId', 'integer', (column) =>
      column.notNull().references('versions.id').onDelete('cascade'),
    )
    .addColumn('categorySetKey', 'text', (column) => column.notNull())
    .addColumn('status', 'text', (column) => column.notNull())
    .addColumn('error', 'text')
    .addColumn('sha256', 'text')
    .addColumn('sizeBytes', 'integer')
    .addColumn('rowCount', 'integer')
    .addColumn('leaseToken', 'text')
    .addColumn('leaseUntil', 'integer')
    .addColumn('createdAt', 'integer', (column) => column.notNull())
    .addColumn('headRowsJson', 'text')
    .addUniqueConstraint('variantsCategorySet', ['versionId', 'categorySetKey'])
    .execute()
}

async function createRetailers(db: Kysely<unknown>) {
  await db.schema
    .createTable('retailers')
    .addColumn('id', 'integer', AUTO_ID)
    .addColumn('userId', 'integer', (column) =>
      column.notNull().unique().references('users.id').onDelete('cascade'),
    )
    .addColumn('supplierId', 'integer', (column) =>
      column.notNull().references('users.id').onDelete('cascade'),
    )
    .addColumn('storeName', 'text')
    .addColumn('storeUrl', 'text')
    .addColumn('connectionType', 'text', (column) => column.notNull().defaultTo('URL'))
    .addColumn('fileFormat', 'text', (column) => column.notNull().defaultTo('CSV'))
    .addColumn('syncFrequencyMinutes', 'integer', (column) => column.notNull())
    .addColumn('isAllProducts', 'integer', (column) => column.notNull().defaultTo(1))
    .addColumn('categoriesJson', 'text', (column) => column.notNull().defaultTo('[]'))
    .addColumn('currentVersionId', 'integer', (column) =>
      column.references('versions.id').onDelete('set null'),
    )
    .addColumn('currentSince', 'integer')
    .addColumn('createdAt', 'integer', (column) => column.notNull())
    .execute()
  await db.schema
    .createTable('downloads')
    .addColumn('id', 'integer', AUTO_ID)
    .addColumn('retailerId', 'integer', (column) =>
      column.notNull().references('retailers.id').onDelete('cascade'),
    )
    .addColumn('connectionId', 'integer', (column) =>
      column.notNull().references('connections.id').onDelete('cascade'),
    )
    .addColumn('versionId', 'integer', (column) =>
      column.notNull().references('versions.id').onDelete('cascade'),
    )
    .addColumn('fileName', 'text', (column) => column.notNull())
    .addColumn('fileSize', 'integer', (column) => column.notNull())
    .addColumn('downloadedAt', 'integer', (column) => column.notNull())
    .addColumn('status', 'text', (column) => column.notNull().defaultTo('ready'))
    .addColumn('downloadUrl', 'text')
    .addColumn('pullCount', 'integer', (column) => column.notNull().defaultTo(0))
    .addColumn('lastPulledAt', 'integer')
    .addUniqueConstraint('downloadsVersion', ['retailerId', 'versionId'])
    .execute()
}

/** Indexes for the foreign keys, except those that are the first column of a unique constraint. */
async function createIndexes(db: Kysely<unknown>) {
  const indexes: [name: string, table: string, columns: string[]][] = [
    ['usersRegisteredByUserId', 'users', ['registeredByUserId']],
    ['usersRole', 'users', ['role']],
    ['sessionsUserId', 'sessions', ['userId']],
    ['sessionsExpiresAt', 'sessions', ['expiresAt']],
    ['connectionsPublishedVersionId', 'connections', ['publishedVersionId']],
    ['connectionsNextSyncAt', 'connections', ['nextSyncAt']],
    ['syncRunsConnectionId', 'syncRuns', ['connectionId', 'startedAt']],
    ['syncRunsFinishedAt', 'syncRuns', ['finishedAt']],
    ['syncRunsVersionId', 'syncRuns', ['versionId']],
    ['versionsConnectionId', 'versions', ['connectionId', 'id']],
    ['versionsSha256', 'versions', ['sha256']],
    ['variantsSha256', 'variants', ['sha256']],
    ['variantsStatus', 'variants', ['status']],
    ['retailersSupplierId', 'retailers', ['supplierId', 'id']],
    ['retailersCurrentVersionId', 'retailers', ['currentVersionId']],
    ['downloadsConnectionId', 'downloads', ['connectionId']],
    ['downloadsVersionId', 'downloads', ['versionId']],
  ]
  for (const [name, table, columns] of indexes) {
    await db.schema.createIndex(name).on(table).columns(columns).execute()
  }
}

/** For the scheduler, which looks every second for the few rows with a lease among many without. */
async function createLeaseIndexes(db: Kysely<unknown>) {
  await sql`create index syncRunsOpen on syncRuns (connectionId) where finishedAt is null`.execute(
    db,
  )
  await sql`create index syncRunsLeaseToken on syncRuns (leaseToken)`.execute(db)
  await sql`create index connectionsLeaseUntil on connections (leaseUntil)
    where leaseUntil is not null`.execute(db)
}
