import { sql, type Kysely } from 'kysely'
import type { Migration } from 'kysely/migration'

import { ALL, isPostgres, recordChanges } from './record-changes'
import { remakeTable, replaceIn } from './remake-table'

const TABLES = ['destinations', 'dispatches', 'fileLinks'] as const

/**
 * Lets destinations belong to a merged file instead of a retailer. A process of the version before finds none of these: it
 * looks at destinations with their retailers.
 */
export const mergedDestinationsMigration: Migration = {
  async up(db: Kysely<unknown>) {
    await dropTriggers(db)
    for (const table of TABLES) {
      await loosen(db, table)
      await db.schema
        .alterTable(table)
        .addColumn('mergedFileId', 'integer', (column) =>
          column.references('mergedFiles.id').onDelete('cascade'),
        )
        .execute()
      await db.schema
        .createIndex(`${table}_mergedFileId`)
        .on(table)
        .columns(table === 'dispatches' ? ['mergedFileId', 'id'] : ['mergedFileId'])
        .execute()
    }
    await addMergedVersions(db)
    const topic = { word: 'retailer', key: 'retailerId' } as const
    const otherwise = { word: 'merged', key: 'mergedFileId' } as const
    await recordChanges(db, [
      { table: 'destinations', operations: ALL, ...topic, otherwise },
      { table: 'dispatches', operations: ALL, ...topic, otherwise },
    ])
  },
}

async function addMergedVersions(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .alterTable('dispatches')
    .addColumn('mergedVersionId', 'integer', (column) =>
      column.references('mergedVersions.id').onDelete('set null'),
    )
    .execute()
  await db.schema
    .createIndex('dispatches_mergedVersionId')
    .on('dispatches')
    .column('mergedVersionId')
    .execute()
  await db.schema.alterTable('fileLinks').addColumn('mergedFrom', 'text').execute()
  await db.schema
    .alterTable('mergedFiles')
    .addColumn('timeZone', 'text', (column) => column.notNull().defaultTo('UTC'))
    .execute()
}

/** They name retailers alone. */
async function dropTriggers(db: Kysely<unknown>): Promise<void> {
  for (const table of ['destinations', 'dispatches']) {
    if (isPostgres(db)) {
      const name = `changes_${table}_retailer_${ALL.join('_')}`
      await sql.raw(`drop trigger "${name}" on "${table}"`).execute(db)
      await sql.raw(`drop function "${name}"()`).execute(db)
      continue
    }
    for (const operation of ALL) {
      await sql.raw(`drop trigger "changes_${table}_retailer_${operation}"`).execute(db)
    }
  }
}

async function loosen(db: Kysely<unknown>, table: (typeof TABLES)[number]): Promise<void> {
  if (isPostgres(db)) {
    await sql.raw(`alter table "${table}" alter column "retailerId" drop not null`).execute(db)
    return
  }
  await remakeTable(db, table, (text) =>
    replaceIn(text, `"retailerId" integer not null`, `"retailerId" integer`),
  )
}
