import { sql } from 'kysely'
import { expect, it } from 'vitest'

import { shopFormatSchema } from '../../../shared/schemas/shop-format'
import { toVariantSpec } from '../../domain/variant-spec'
import { migrateToEarlier, migrateToLatest } from '../migrate'
import { openDatabase } from '../open'
import { toViewKey } from '../stored-json'

const EARLIER_MIGRATIONS = 14

it('keeps filtered files, which are found by the settings that led to them', async () => {
  const db = openDatabase(':memory:')
  await migrateToEarlier(db, EARLIER_MIGRATIONS)
  await sql`pragma foreign_keys = off`.execute(db)
  await sql`insert into users (username, usernameKey, role, createdAt)
    values ('shop', 'shop', 'RETAILER', 1)`.execute(db)
  await sql`insert into retailers (userId, supplierId, syncFrequencyMinutes, isAllProducts, categories,
    createdAt) values (1, 1, 60, 0, '["Hats","shirts"]', 1)`.execute(db)
  await sql`insert into versions (id, connectionId, fileName, sha256, sizeBytes, rowCount, status,
    isRewritten, createdAt, columns, dialect, problems, categoryCounts, headRows)
    values (7, 1, 'f.csv', 'a', 1, 1, 'published', 0, 1, '["sku"]', '{}', '[]', '[]', '[]')`.execute(
    db,
  )
  await sql`insert into variants (versionId, categorySetKey, status, sha256, sizeBytes, rowCount,
    headRows, createdAt) values (7, '["hats","shirts"]', 'ready', 'b', 5, 2, '[["1"]]', 1)`.execute(
    db,
  )
  await migrateToLatest(db)
  const retailer = await db.selectFrom('retailers').selectAll().executeTakeFirstOrThrow()
  const view = toVariantSpec({
    ...retailer,
    columnPolicy: {
      hidden: [],
      roles: NO_ROLES,
      stockTexts: [],
      decimalMark: null,
      keepsGoneItems: true,
    },
  })
  const found = await db
    .selectFrom('variants')
    .selectAll()
    .where('viewKey', '=', toViewKey(view!))
    .executeTakeFirst()
  expect(found).toMatchObject({
    versionId: 7,
    status: 'ready',
    sha256: 'b',
    columns: ['sku'],
    view,
  })
  expect(retailer.profile).toEqual(shopFormatSchema.parse({}))
  const stored = await sql<{ text: string }>`select profile || '' as text from retailers`.execute(
    db,
  )
  expect(stored.rows[0]?.text).toBe(JSON.stringify(shopFormatSchema.parse({})))
  await db.destroy()
})

const NO_ROLES = { sku: null, quantity: null, barcode: null, price: null }
