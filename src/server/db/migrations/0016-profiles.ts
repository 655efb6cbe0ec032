import { createHash } from 'node:crypto'

import { sql, type Kysely } from 'kysely'
import type { Migration } from 'kysely/migration'

/** Written in full, as the product writes it, so that equal profiles are equal texts. */
const AS_IS =
  '{"kind":"asIs","skuPrefix":"","buffer":0,"cutOff":0,"cap":null,"hasBarcode":false,"location":"",' +
  '"sourceCode":"default","delimiter":"comma","hasOnlyStock":false,"hasByteOrderMark":false,"columns":[]}'

/**
 * Adds in which form retailers get their files, and what suppliers decide of their columns. Filtered
 * files are found by a hash of all that they depend on instead of their categories; the stored ones stay.
 */
export const profilesMigration: Migration = {
  async up(db: Kysely<unknown>) {
    const added = [
      ['retailers', 'profile', AS_IS],
      ['connections', 'columnPolicy', '{}'],
    ] as const
    for (const [table, name, value] of added) {
      await db.schema
        .alterTable(table)
        .addColumn(name, 'text', (column) => column.notNull().defaultTo(value))
        .execute()
    }
    await createVariants(db)
    await copyVariants(db)
    await db.schema.dropTable('variants').execute()
    await db.schema.alterTable('newVariants').renameTo('variants').execute()
    for (const name of ['sha256', 'status']) {
      const index = `variants${name.charAt(0).toUpperCase()}${name.slice(1)}`
      await db.schema.createIndex(index).on('variants').column(name).execute()
    }
  },
}

async function createVariants(db: Kysely<unknown>) {
  await db.schema
    .createTable('newVariants')
    .addColumn('id', 'integer', (column) => column.primaryKey().autoIncrement())
    .addColumn('versionId', 'integer', (column) =>
      column.notNull().references('versions.id').onDelete('cascade'),
    )
    .addColumn('viewKey', 'text', (column) => column.notNull())
    .addColumn('view', 'text', (column) => column.notNull())
    .addColumn('status', 'text', (column) => column.notNull())
    .addColumn('sha256', 'text')
    .addColumn('sizeBytes', 'integer')
    .addColumn('rowCount', 'integer')
    .addColumn('columns', 'text')
    .addColumn('columnCount', 'integer')
    .addColumn('headRows', 'text')
    .addColumn('problems', 'text')
    .addColumn('leaseToken', 'text')
    .addColumn('leaseUntil', 'integer')
    .addColumn('createdAt', 'integer', (column) => column.notNull())
    .addColumn('usedAt', 'integer')
    .addUniqueConstraint('variantsView', ['versionId', 'viewKey'])
    .execute()
}

type OldVariant = { id: number; categorySetKey: string }

async function copyVariants(db: Kysely<unknown>) {
  const { rows } = await sql<OldVariant>`select id, categorySetKey from variants`.execute(db)
  for (const { id, categorySetKey } of rows) {
    const view = `{"categories":${categorySetKey},"hidden":[]}`
    const viewKey = createHash('sha256').update(view).digest('hex')
    await sql`
      insert into newVariants (id, versionId, viewKey, view, status, sha256, sizeBytes, rowCount,
        columns, columnCount, headRows, problems, leaseToken, leaseUntil, createdAt, usedAt)
      select variants.id, versionId, ${viewKey}, ${view}, variants.status, variants.sha256,
        variants.sizeBytes, variants.rowCount, versions.columns, versions.columnCount,
        variants.headRows, '[]', variants.leaseToken, variants.leaseUntil, variants.createdAt, usedAt
      from variants join versions on versions.id = variants.versionId
      where variants.id = ${id}`.execute(db)
  }
}
