import { sql, type Kysely } from 'kysely'
import type { Migration } from 'kysely/migration'

/**
 * Adds what holds a file back, the file that is held, and how each version came to be published. Empty
 * settings are read with their defaults.
 */
export const safePublishMigration: Migration = {
  async up(db: Kysely<unknown>) {
    await db.schema
      .alterTable('connections')
      .addColumn('guard', 'text', (column) => column.notNull().defaultTo('{}'))
      .execute()
    await db.schema
      .alterTable('connections')
      .addColumn('heldVersionId', 'integer', (column) =>
        column.references('versions.id').onDelete('set null'),
      )
      .execute()
    await sql`alter table versions rename column heldReason to holdReasons`.execute(db)
    const references = [
      ['publishedBy', 'users.id'],
      ['restoredFrom', 'versions.id'],
    ] as const
    for (const [name, target] of references) {
      await db.schema
        .alterTable('versions')
        .addColumn(name, 'integer', (column) => column.references(target).onDelete('set null'))
        .execute()
    }
    for (const name of ['dataAt', 'rolledBackAt', 'discardedAt']) {
      await db.schema.alterTable('versions').addColumn(name, 'integer').execute()
    }
    await db.schema
      .alterTable('versions')
      .addColumn('isPinned', 'integer', (column) => column.notNull().defaultTo(0))
      .execute()
    await sql`create index connectionsHeldVersionId on connections (heldVersionId)
      where heldVersionId is not null`.execute(db)
    await sql`create index versionsPublishedBy on versions (publishedBy)
      where publishedBy is not null`.execute(db)
    await sql`create index versionsRestoredFrom on versions (restoredFrom)
      where restoredFrom is not null`.execute(db)
  },
}
