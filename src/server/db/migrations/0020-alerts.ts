import { sql, type Kysely } from 'kysely'
import type { Migration } from 'kysely/migration'

/** Adds what has happened and must be told, problems that are open, and the ways in which people are told. */
export const alertsMigration: Migration = {
  async up(db: Kysely<unknown>) {
    await createEvents(db)
    await createProblems(db)
    await createRecipientTables(db)
    await createDeliveries(db)
  },
}

const REFERENCES = [
  ['supplierId', 'users.id'],
  ['connectionId', 'connections.id'],
  ['retailerId', 'retailers.id'],
] as const

async function createEvents(db: Kysely<unknown>) {
  let table = db.schema
    .createTable('events')
    .addColumn('id', 'integer', (column) => column.primaryKey().autoIncrement())
    .addColumn('kind', 'text', (column) => column.notNull())
  for (const [name, target] of REFERENCES) {
    table = table.addColumn(name, 'integer', (column) =>
      column.references(target).onDelete('cascade'),
    )
  }
  await table
    .addColumn('details', 'text', (column) => column.notNull())
    .addColumn('createdAt', 'integer', (column) => column.notNull())
    .addColumn('fannedOutTo', 'integer', (column) => column.notNull().defaultTo(0))
    .addColumn('fannedOutAt', 'integer')
    .execute()
  for (const [name] of REFERENCES) {
    await sql`create index ${sql.ref(`events_${name}`)} on events (${sql.ref(name)})
      where ${sql.ref(name)} is not null`.execute(db)
  }
  await sql`create index eventsCreatedAt on events (createdAt)`.execute(db)
  await sql`create index eventsWaiting on events (id) where fannedOutAt is null`.execute(db)
}

async function createProblems(db: Kysely<unknown>) {
  let table = db.schema
    .createTable('problems')
    .addColumn('id', 'integer', (column) => column.primaryKey().autoIncrement())
    .addColumn('kind', 'text', (column) => column.notNull())
    .addColumn('subject', 'text', (column) => column.notNull())
  for (const [name, target] of REFERENCES) {
    table = table.addColumn(name, 'integer', (column) =>
      column.references(target).onDelete('cascade'),
    )
  }
  await table
    .addColumn('details', 'text', (column) => column.notNull())
    .addColumn('openedAt', 'integer', (column) => column.notNull())
    .addColumn('lastSeenAt', 'integer', (column) => column.notNull())
    .addColumn('closedAt', 'integer')
    .addColumn('isToldOpen', 'integer', (column) => column.notNull())
    .addColumn('settlesAt', 'integer')
    .addColumn('eventId', 'integer', (column) =>
      column.references('events.id').onDelete('set null'),
    )
    .addUniqueConstraint('problemsSubject', ['kind', 'subject'])
    .execute()
  for (const name of [...REFERENCES.map(([reference]) => reference), 'eventId', 'settlesAt']) {
    await sql`create index ${sql.ref(`problems_${name}`)} on problems (${sql.ref(name)})
      where ${sql.ref(name)} is not null`.execute(db)
  }
}

async function createRecipientTables(db: Kysely<unknown>) {
  await db.schema
    .createTable('notifications')
    .addColumn('id', 'integer', (column) => column.primaryKey().autoIncrement())
    .addColumn('userId', 'integer', (column) =>
      column.notNull().references('users.id').onDelete('cascade'),
    )
    .addColumn('eventId', 'integer', (column) =>
      column.notNull().references('events.id').onDelete('cascade'),
    )
    .addColumn('readAt', 'integer')
    .addUniqueConstraint('notificationsUser', ['userId', 'eventId'])
    .execute()
  await sql`create index notificationsEventId on notifications (eventId)`.execute(db)
  await sql`create index notificationsUnread on notifications (userId) where readAt is null`.execute(
    db,
  )
  await db.schema
    .createTable('alertChoices')
    .addColumn('userId', 'integer', (column) =>
      column.notNull().references('users.id').onDelete('cascade'),
    )
    .addColumn('kind', 'text', (column) => column.notNull())
    .addColumn('way', 'text', (column) => column.notNull())
    .addColumn('isWanted', 'integer', (column) => column.notNull())
    .addPrimaryKeyConstraint('alertChoicesKey', ['userId', 'kind', 'way'])
    .execute()
  await db.schema
    .createTable('mailAddresses')
    .addColumn('userId', 'integer', (column) =>
      column.primaryKey().references('users.id').onDelete('cascade'),
    )
    .addColumn('address', 'text')
    .addColumn('pendingAddress', 'text')
    .addColumn('tokenHash', 'text', (column) => column.unique())
    .addColumn('tokenExpiresAt', 'integer')
    .execute()
}

async function createDeliveries(db: Kysely<unknown>) {
  await db.schema
    .createTable('webhooks')
    .addColumn('id', 'integer', (column) => column.primaryKey().autoIncrement())
    .addColumn('userId', 'integer', (column) =>
      column.notNull().references('users.id').onDelete('cascade'),
    )
    .addColumn('url', 'text', (column) => column.notNull())
    .addColumn('sealedSecret', 'text', (column) => column.notNull())
    .addColumn('kinds', 'text', (column) => column.notNull())
    .addColumn('isActive', 'integer', (column) => column.notNull().defaultTo(1))
    .addColumn('createdAt', 'integer', (column) => column.notNull())
    .execute()
  await sql`create index webhooksUserId on webhooks (userId)`.execute(db)
  await db.schema
    .createTable('deliveries')
    .addColumn('id', 'integer', (column) => column.primaryKey().autoIncrement())
    .addColumn('eventId', 'integer', (column) =>
      column.notNull().references('events.id').onDelete('cascade'),
    )
    .addColumn('userId', 'integer', (column) =>
      column.notNull().references('users.id').onDelete('cascade'),
    )
    .addColumn('webhookId', 'integer', (column) =>
      column.references('webhooks.id').onDelete('cascade'),
    )
    .addColumn('status', 'text', (column) => column.notNull())
    .addColumn('attempts', 'integer', (column) => column.notNull().defaultTo(0))
    .addColumn('nextAttemptAt', 'integer')
    .addColumn('lastAttemptAt', 'integer')
    .addColumn('answer', 'text')
    .addColumn('leaseToken', 'text')
    .addColumn('leaseUntil', 'integer')
    .execute()
  await sql`create unique index deliveriesMail on deliveries (eventId, userId)
    where webhookId is null`.execute(db)
  await sql`create unique index deliveriesWebhook on deliveries (webhookId, eventId)
    where webhookId is not null`.execute(db)
  await sql`create index deliveriesEventId on deliveries (eventId)`.execute(db)
  await sql`create index deliveriesUserId on deliveries (userId)`.execute(db)
  await sql`create index deliveriesWaiting on deliveries (nextAttemptAt)
    where status = 'waiting'`.execute(db)
}
