import { sql, type Kysely } from 'kysely'
import type { Migration } from 'kysely/migration'

/** Adds the compressed copies of stored files, by the hash of the file. */
export const compressedFilesMigration: Migration = {
  async up(db: Kysely<unknown>) {
    await db.schema
      .createTable('compressedFiles')
      .addColumn('sha256', 'text', (column) => column.primaryKey())
      .addColumn('status', 'text', (column) => column.notNull())
      .addColumn('gzipSha256', 'text')
      .addColumn('gzipBytes', 'integer')
      .addColumn('brSha256', 'text')
      .addColumn('brBytes', 'integer')
      .addColumn('requestedAt', 'integer', (column) => column.notNull())
      .addColumn('leaseToken', 'text')
      .addColumn('leaseUntil', 'integer')
      .execute()
    await sql`create index compressedFilesGzip on compressedFiles (gzipSha256)`.execute(db)
    await sql`create index compressedFilesBr on compressedFiles (brSha256)`.execute(db)
    await sql`create index compressedFilesWaiting on compressedFiles (requestedAt)
      where status = 'waiting'`.execute(db)
  },
}
