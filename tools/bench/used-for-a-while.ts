import { randomBytes } from 'node:crypto'

import { inTransaction, type Db } from '../../src/server/db/open'
import type { Database } from '../../src/server/db/schema'
import { toViewKey } from '../../src/server/db/stored-json'
import { hashSecretToken } from '../../src/server/domain/secret-token'
import { toDay } from '../../src/server/features/distribution/downloads/pull-days'
import { KEPT_DOWNLOADS } from '../../src/server/features/distribution/downloads/recent-downloads'
import { COUNTED_DAYS } from '../../src/server/features/distribution/downloads/retailer-pulls'
import type { UserRecord } from '../../src/server/features/people/accounts/users.queries'
import { createLinkedRetailer } from '../../src/server/testing/fixtures/factories'
import type { TestDeps } from '../../src/server/testing/stages/test-deps'
import { DAY_MS, HOUR_MS } from '../../src/shared/durations'

/** In each table. */
export const ADDED_ROWS = 4_000
/** Of the feed address of one of the added retailers. */
export const TOKEN = 'of-a-shop'
const AT_ONCE = 200
const MB = 1_000_000

/** Adds some thousand rows to each table, like those of an installation that has worked for a while. */
export async function fill(deps: TestDeps, supplier: UserRecord): Promise<void> {
  const { db } = deps
  const shop = await createLinkedRetailer(deps, supplier)
  const [template, connection, retailer, login] = await Promise.all([
    db.selectFrom('versions').selectAll().orderBy('id', 'desc').executeTakeFirstOrThrow(),
    db.selectFrom('connections').selectAll().orderBy('id', 'desc').executeTakeFirstOrThrow(),
    db.selectFrom('retailers').selectAll().where('id', '=', shop.id).executeTakeFirstOrThrow(),
    db.selectFrom('users').selectAll().where('id', '=', shop.user.id).executeTakeFirstOrThrow(),
  ])
  const now = deps.clock.now()
  const places = Array.from({ length: ADDED_ROWS }, (_, place) => place)
  const without = <T extends { id: number }>({ id: _id, ...row }: T) => row
  await add(db, 'users', places, (place) => ({
    ...without(login),
    username: `a-shop-somewhere-${place}`,
    usernameKey: `a-shop-somewhere-${place}`,
    passwordHash: `$argon2id$v=19$m=19456,t=2,p=1$${randomBytes(54).toString('base64')}`,
  }))
  const users = await db
    .selectFrom('users')
    .select('id')
    .orderBy('id', 'desc')
    .limit(ADDED_ROWS)
    .execute()
  await add(db, 'retailers', places, (place) => ({
    ...without(retailer),
    userId: users[place]!.id,
    supplierId: supplier.id,
    storeUrl: `https://shop-${place}.example`,
    categories: ['Shoes > Kind 1', 'Shoes > Kind 2'],
    currentVersionId: template.id,
    currentSince: now,
  }))
  const shops = await db
    .selectFrom('retailers')
    .select('id')
    .orderBy('id', 'desc')
    .limit(ADDED_ROWS)
    .execute()
  await add(db, 'feedAddresses', places, (place) => ({
    retailerId: shops[place]!.id,
    tokenHash: place === 0 ? hashSecretToken(TOKEN) : hash(),
    tokenEnd: 'abcd',
    createdAt: now,
    expiresAt: null,
    lastUsedAt: now,
    lastClient: 'WooCommerce',
  }))
  await add(db, 'syncRuns', places, () => ({
    connectionId: connection.id,
    leaseToken: crypto.randomUUID(),
    startedAt: now,
    finishedAt: now,
    outcome: 'unchanged' as const,
    versionId: template.id,
    sizeBytes: MB,
    rowCount: 13_000,
  }))
  await add(db, 'versions', places, (place) => ({
    ...without(template),
    fileName: `connection_${connection.id}_${now + place}.csv`,
    sha256: hash(),
    keysSha256: hash(),
  }))
  const versions = await db
    .selectFrom('versions')
    .select(['id', 'fileName', 'columns', 'headRows'])
    .orderBy('id', 'desc')
    .limit(ADDED_ROWS)
    .execute()
  await add(db, 'variants', places, (place) => {
    const view = { categories: ['Shoes > Kind 1', 'Shoes > Kind 2'], hidden: [] }
    const { id: versionId, columns, headRows } = versions[place]!
    return {
      versionId,
      view,
      viewKey: toViewKey(view),
      status: 'ready' as const,
      sha256: hash(),
      sizeBytes: MB / 4,
      rowCount: 3_000,
      columns,
      columnCount: columns.length,
      headRows,
      problems: [],
      createdAt: now,
      usedAt: now,
    }
  })
  await add(db, 'compressedFiles', places, () => ({
    sha256: hash(),
    status: 'ready' as const,
    gzipSha256: hash(),
    gzipBytes: 200_000,
    brSha256: hash(),
    brBytes: 150_000,
    requestedAt: now,
  }))
  const { fileName } = template
  await add(db, 'downloads', places, (place) => ({
    retailerId: shops[place]!.id,
    connectionId: connection.id,
    versionId: template.id,
    fileName,
    fileSize: MB,
    downloadedAt: now,
  }))
  const lastDay = toDay(now)
  await add(db, 'retailerPulls', places, (place) => ({
    retailerId: shops[place]!.id,
    lastDay,
    lastPulledAt: now,
    versionId: template.id,
    client: 'WooCommerce',
    dayCounts: Array.from({ length: COUNTED_DAYS }, () => 24),
  }))
  await add(db, 'recentDownloads', places, (place) => ({
    retailerId: shops[place]!.id,
    lastDay,
    newestDownloads: Array.from({ length: KEPT_DOWNLOADS }, (_, age) => {
      const dataAsOf = now - age * HOUR_MS
      return {
        id: dataAsOf + place,
        pulledAt: dataAsOf + place,
        fileName: `connection_1_${new Date(dataAsOf).toISOString().replaceAll(/[:.]/g, '-')}.csv`,
        dataAsOf,
        rowCount: 13_000 + age,
        sizeBytes: MB + age,
        client: 'WooCommerce',
      }
    }),
  }))
  await add(db, 'events', places, (place) => ({
    kind: 'feed.published' as const,
    supplierId: supplier.id,
    connectionId: connection.id,
    retailerId: null,
    details: { connectionName: 'Main feed', rowCount: 13_000, supplierName: 'Acme' },
    createdAt: now + place,
    fannedOutAt: now + place,
  }))
  await add(db, 'auditEntries', places, (place) => ({
    at: now + place,
    action: 'user.sign-in' as const,
    noun: 'user',
    actorId: supplier.id,
    actorName: 'a-supplier-somewhere',
    actorRole: 'SUPPLIER' as const,
    subjectId: supplier.id,
    subjectName: 'a-supplier-somewhere',
    supplierId: supplier.id,
    changes: null,
    origin: 'web' as const,
    address: '203.0.113.17',
  }))
  await add(db, 'sessions', places, () => ({
    idHash: hash(),
    userId: supplier.id,
    data: {},
    createdAt: now,
    touchedAt: now,
    expiresAt: now + DAY_MS,
  }))
}

export function hash(): string {
  return randomBytes(32).toString('hex')
}

async function add(
  db: Db,
  table: keyof Database,
  places: number[],
  toRow: (place: number) => object,
): Promise<void> {
  for (let start = 0; start < places.length; start += AT_ONCE) {
    const rows = places.slice(start, start + AT_ONCE).map(toRow)
    await inTransaction(db, (trx) =>
      trx
        .insertInto(table)
        .values(rows as never)
        .execute(),
    )
  }
}
