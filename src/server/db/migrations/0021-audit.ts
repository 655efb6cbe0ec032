import { sql, type Kysely } from 'kysely'
import type { Migration } from 'kysely/migration'

const INDEXES = {
  auditEntriesAt: sql`at`,
  auditEntriesActor: sql`actorId, at`,
  auditEntriesActorName: sql`actorName collate nocase, at`,
  auditEntriesSupplier: sql`supplierId, at`,
  auditEntriesSubject: sql`noun, subjectId, at`,
  auditEntriesNoun: sql`noun, at`,
  auditEntriesAction: sql`action, at`,
}

/** Adds the audit log, and the sessions in which an administrator sees what another user sees. */
export const auditMigration: Migration = {
  async up(db: Kysely<unknown>) {
    await db.schema
      .createTable('auditEntries')
      .addColumn('id', 'integer', (column) => column.primaryKey().autoIncrement())
      .addColumn('at', 'integer', (column) => column.notNull())
      .addColumn('action', 'text', (column) => column.notNull())
      .addColumn('noun', 'text', (column) => column.notNull())
      .addColumn('actorId', 'integer')
      .addColumn('actorName', 'text')
      .addColumn('actorRole', 'text')
      .addColumn('subjectId', 'integer')
      .addColumn('subjectName', 'text')
      .addColumn('supplierId', 'integer')
      .addColumn('changes', 'text')
      .addColumn('origin', 'text', (column) => column.notNull())
      .addColumn('address', 'text')
      .execute()
    for (const [name, columns] of Object.entries(INDEXES)) {
      await sql`create index ${sql.ref(name)} on auditEntries (${columns})`.execute(db)
    }
    await db.schema
      .createTable('viewings')
      .addColumn('sessionIdHash', 'text', (column) => column.primaryKey())
      .addColumn('viewerId', 'integer', (column) => column.notNull())
      .addColumn('userId', 'integer', (column) => column.notNull())
      .addColumn('endsAt', 'integer', (column) => column.notNull())
      .execute()
  },
}
