// Measures some of what tools/simulate/laws.ts has, on SQLite, and on servers of PostgreSQL and S3 that it starts:
// node --import tsx tools/bench/programs/costs-for-simulation.ts
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { sql } from 'kysely'

import { mapLimited } from '../../../src/server/concurrency/map-limited'
import { readConfig } from '../../../src/server/config'
import { migrateToLatest } from '../../../src/server/db/migrate'
import type { Db } from '../../../src/server/db/open'
import { openPostgres } from '../../../src/server/db/postgres/open-postgres'
import { copyRows } from '../../../src/server/db/queries-kit/copy-rows'
import { hashSecretToken } from '../../../src/server/domain/secret-token'
import { listReferencedFiles } from '../../../src/server/features/catalogue/versions/versions.queries'
import {
  createFeedFiles,
  openFeedFile,
} from '../../../src/server/features/distribution/downloads/feed-file'
import { openPullLedger } from '../../../src/server/features/distribution/downloads/pulls'
import { openMergedRead } from '../../../src/server/features/distribution/merged-files/merged-reads'
import { FILES_READ_AT_ONCE } from '../../../src/server/features/operations/backups/backup-verification'
import type { UserRecord } from '../../../src/server/features/people/accounts/users.queries'
import { openBucket } from '../../../src/server/storage/s3/bucket'
import { createObjectMeasurer } from '../../../src/server/storage/s3/measure-objects'
import {
  createSupplierConnection,
  createSupplierUser,
  removeGuards,
} from '../../../src/server/testing/fixtures/factories'
import { startPostgresServer } from '../../../src/server/testing/servers/postgres-server'
import { createTestBucket, startS3Server } from '../../../src/server/testing/servers/s3-server'
import { openTestDeps, type TestDeps } from '../../../src/server/testing/stages/test-deps'
import { createCleanups } from '../cleanups'
import { writeCanonicalFile } from '../inventory-file'
import { startSource } from '../source'
import { median } from '../statistics'
import { ADDED_ROWS, fill, hash, TOKEN } from '../used-for-a-while'

const RUNS = 5
const CALLS = 1_000
/** Looked up together by the clean-up. */
const FILES = 500
const MB = 1_000_000
const TABLES = [
  'users',
  'retailers',
  'feedAddresses',
  'syncRuns',
  'versions',
  'variants',
  'compressedFiles',
  'downloads',
  'retailerPulls',
  'recentDownloads',
  'events',
  'auditEntries',
  'sessions',
] as const

const folder = await mkdtemp(join(tmpdir(), 'stockbridge-costs-'))
const cleanups = createCleanups()
cleanups.add(() => rm(folder, { recursive: true, force: true }))
try {
  const deps = await openTestDeps(readConfig({ DATA_DIR: folder, FETCH_ALLOW: '127.0.0.1' }))
  cleanups.add(() => deps.close())
  await measureSyncs(deps, MB / 10)
  await measureSyncs(deps, MB)
  await fill(deps, await measureSyncs(deps, 10 * MB))
  await measureCalls('SQLite', deps)
  const rows = await countRows(deps.db)
  const server = await startPostgresServer({ isDurable: true })
  cleanups.add(() => server.close())
  const db = openPostgres(server.toUrl('postgres'), () => undefined)
  cleanups.add(() => db.destroy())
  await migrateToLatest(db)
  await copyRows(deps.db, db, new AbortController().signal)
  await sql`vacuum analyze`.execute(db)
  await measureCalls('PostgreSQL', { ...deps, db })
  const bytes = { SQLite: await sizesOnSqlite(deps.db), PostgreSQL: await sizesOnPostgres(db) }
  for (const table of TABLES) {
    const [one, other] = [bytes.SQLite, bytes.PostgreSQL].map((sizes) =>
      Math.round((sizes.get(table) ?? 0) / (rows.get(table) ?? 1)),
    )
    console.log(`${table}: ${one} bytes a row on SQLite, ${other} on PostgreSQL`)
  }
  await measureReadingBack()
} finally {
  await cleanups.run()
}

/** Processor time in this process of syncs that find a new file, without starting a process. */
async function measureSyncs(deps: TestDeps, bytes: number): Promise<UserRecord> {
  const path = join(folder, `${bytes}.csv`)
  await writeCanonicalFile(path, bytes)
  const source = await startSource(path, cleanups)
  const supplier = await createSupplierUser(deps, { maxRetailers: 10 * ADDED_ROWS })
  await createSupplierConnection(deps, supplier, source.url)
  await removeGuards(deps)
  const times: number[] = []
  for (let run = 0; run <= RUNS; run += 1) {
    deps.clock.advance(60 * 60_000)
    const start = process.cpuUsage()
    await deps.work()
    const { user, system } = process.cpuUsage(start)
    if (run > 0) times.push((user + system) / 1_000)
  }
  await deps.db.updateTable('connections').set({ isActive: false, nextSyncAt: null }).execute()
  console.log(`sync of ${bytes / MB} MB: ${median(times).toFixed(1)} ms of processor time`)
  return supplier
}

/** Wall time of calls one after the other, which is about the processor time of all processes together. */
async function measureCalls(engine: string, deps: TestDeps): Promise<void> {
  const addresses = await deps.db
    .selectFrom('feedAddresses')
    .innerJoin('retailers', 'retailers.id', 'feedAddresses.retailerId')
    .select(['feedAddresses.id', 'retailerId', 'currentVersionId'])
    .limit(CALLS)
    .execute()
  const reader = { address: '127.0.0.1', authorization: undefined, userAgent: undefined }
  const request = { asked: 'own' as const, since: null, reader }
  const read = () => openFeedFile(deps, hashSecretToken(TOKEN), request, openMergedRead)
  console.log(`${engine}: a look-up of a feed's file takes ${await time(read)} ms`)
  const files = createFeedFiles(deps, openMergedRead)
  const readAgain = () => files.open(TOKEN, request)
  console.log(`${engine}: a look-up of one that is remembered takes ${await time(readAgain)} ms`)
  const hashes = Array.from({ length: FILES }, hash)
  const referenced = () => listReferencedFiles(deps.db, hashes)
  console.log(
    `${engine}: which of ${FILES} files are needed takes ${await time(referenced, CALLS / 10)} ms`,
  )
  const file = { variantId: null, fileName: 'file.csv', dataAsOf: 0, rowCount: 1, sizeBytes: 1 }
  for (const sent of [null, file]) {
    const ledger = openPullLedger(deps.db, deps.logger)
    const startedAt = performance.now()
    for (let run = 0; run < RUNS; run += 1) {
      for (const { id: addressId, retailerId, currentVersionId } of addresses) {
        const pulledAt = deps.clock.now()
        const pull = { retailerId, versionId: currentVersionId!, addressId, pulledAt, sent }
        ledger.add({ ...pull, client: 'WooCommerce' })
      }
      await ledger.flush()
    }
    const ms = ((performance.now() - startedAt) / addresses.length / RUNS).toFixed(3)
    console.log(`${engine}: recording a pull ${sent ? 'with a file' : 'with 304'} takes ${ms} ms`)
  }
}

/** Processor time in this process of reading objects back, as a backup in a bucket does. */
async function measureReadingBack(): Promise<void> {
  const server = await startS3Server()
  cleanups.add(() => server.close())
  const place = { ...(await createTestBucket(server)), prefix: '' }
  const bucket = await openBucket(place)
  const measurer = createObjectMeasurer(place)
  cleanups.add(async () => {
    await measurer.close()
    bucket.close()
  })
  const { signal } = new AbortController()
  for (const [bytes, count] of [
    [MB / 10, 3_000],
    [10 * MB, 60],
  ] as const) {
    const path = join(folder, `${bytes}.csv`)
    await writeCanonicalFile(path, bytes)
    const names = Array.from({ length: count }, (_, index) => `${bytes}/${index}`)
    await mapLimited(names, FILES_READ_AT_ONCE, (name) => bucket.put(name, path))
    const readAll = () =>
      mapLimited(names, FILES_READ_AT_ONCE, (name) => measurer.measure(name, signal))
    await readAll()
    const start = process.cpuUsage()
    await readAll()
    const { user, system } = process.cpuUsage(start)
    const ms = ((user + system) / 1_000 / count).toFixed(2)
    console.log(`reading back an object of ${bytes / MB} MB: ${ms} ms of processor time`)
  }
}

async function time(call: () => Promise<unknown>, calls = CALLS): Promise<string> {
  for (let count = 0; count < calls / 10; count += 1) await call()
  const startedAt = performance.now()
  for (let count = 0; count < calls; count += 1) await call()
  return ((performance.now() - startedAt) / calls).toFixed(3)
}

async function countRows(db: Db): Promise<Map<string, number>> {
  const counts = new Map<string, number>()
  for (const table of TABLES) {
    const counted = sql<{ n: number }>`select count(*) as n from ${sql.table(table)}`
    counts.set(table, (await counted.execute(db)).rows[0]?.n ?? 0)
  }
  return counts
}

/** With their indexes. */
async function sizesOnSqlite(db: Db): Promise<Map<string, number>> {
  const { rows } = await sql<{ name: string; bytes: number }>`select m.tbl_name as name,
    sum(s.pgsize) as bytes from dbstat s join sqlite_master m on m.name = s.name group by m.tbl_name`.execute(
    db,
  )
  return new Map(rows.map(({ name, bytes }) => [name, bytes]))
}

async function sizesOnPostgres(db: Db): Promise<Map<string, number>> {
  const sizes = new Map<string, number>()
  for (const table of TABLES) {
    const size = sql<{
      bytes: number
    }>`select pg_total_relation_size(${`"${table}"`}::regclass) as bytes`
    sizes.set(table, (await size.execute(db)).rows[0]?.bytes ?? 0)
  }
  return sizes
}
