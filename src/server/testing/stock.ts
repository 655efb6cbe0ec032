import { createHash, randomUUID } from 'node:crypto'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import type { Dialect } from '../../shared/schemas/file'
import type { Config } from '../config'
import { inTransaction, type WriteTransaction } from '../db/open'
import type { CronRun, Deps } from '../domain/deps'
import { backupTask } from '../features/operations/backups/backup-task'
import { OPERATOR } from '../features/people/accounts/passwords'
import { signManifest } from '../storage/backup-signature'
import type { StoredFile } from '../storage/file-store'
import { createSupplierConnection, createSupplierUser, PASSWORD } from './factories'
import { storeContent } from './stored-files'
import { openTestDeps, type TestDeps } from './test-deps'

/** Test deps on a database file, because a backup cannot copy an in-memory database. */
export async function openFileDeps(overrides: Partial<Config> = {}): Promise<TestDeps> {
  const directory = await mkdtemp(join(tmpdir(), 'stockbridge-database-'))
  const deps = await openTestDeps({ databaseFile: join(directory, 'app.db'), ...overrides })
  return {
    ...deps,
    async close() {
      await deps.close()
      await rm(directory, { recursive: true, force: true })
    },
  }
}

/**
 * Inserts a supplier with these published files and this number of retailers directly into the
 * database, bypassing the rules. Its connection reads `url`.
 */
export async function seedStock(
  deps: Deps,
  { files, retailers = 0, url }: { files: string[]; retailers?: number; url?: string },
) {
  const supplier = await createSupplierUser(deps)
  const connection = await createSupplierConnection(deps, supplier, url ?? 'http://127.0.0.1:1/')
  const stored: StoredFile[] = []
  for (const content of files) stored.push(await storeContent(deps.files, content))
  const passwordHash = await deps.passwords.hash(OPERATOR, PASSWORD)
  const createdAt = deps.clock.now()
  await inTransaction(deps.db, async (trx) => {
    for (const file of stored) await insertVersion(trx, connection.id, file, createdAt)
    for (let from = 0; from < retailers; from += RETAILERS_AT_ONCE) {
      const to = Math.min(from + RETAILERS_AT_ONCE, retailers)
      await insertRetailers(trx, supplier.id, { from, to }, { passwordHash, createdAt })
    }
  })
  return { supplier, connectionId: connection.id, stored }
}

/** Far fewer statements, which take time on PostgreSQL. */
const RETAILERS_AT_ONCE = 1_000

const PLAIN: Dialect = {
  encoding: 'utf-8',
  hasByteOrderMark: false,
  delimiter: ',',
  isQuoted: true,
  hasHeader: true,
  compression: 'none',
}

/** Stores a file that waits for its supplier's decision, bypassing the sync. */
export async function putHeldVersion(deps: Deps, connectionId: number): Promise<number> {
  const file = await storeContent(deps.files, `sku\n${randomUUID()}\n`)
  return inTransaction(deps.db, async (trx) => {
    const id = await insertVersion(trx, connectionId, file, deps.clock.now(), 'held')
    await trx
      .updateTable('connections')
      .set({ heldVersionId: id })
      .where('id', '=', connectionId)
      .execute()
    return id
  })
}

async function insertVersion(
  trx: WriteTransaction,
  connectionId: number,
  file: StoredFile,
  createdAt: number,
  status: 'published' | 'held' = 'published',
): Promise<number> {
  const { id } = await trx
    .insertInto('versions')
    .values({
      connectionId,
      ...file,
      fileName: `connection_${connectionId}_${file.sha256}.csv`,
      rowCount: 1,
      status,
      isRewritten: false,
      createdAt,
      publishedAt: status === 'published' ? createdAt : null,
      columns: [],
      dialect: PLAIN,
      problems: [],
      categoryCounts: [],
      headRows: [],
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  return id
}

async function insertRetailers(
  trx: WriteTransaction,
  supplierId: number,
  { from, to }: { from: number; to: number },
  user: { passwordHash: string; createdAt: number },
) {
  const names = Array.from({ length: to - from }, (_, index) => `shop-${from + index}`)
  const users = await trx
    .insertInto('users')
    .values(
      names.map((name) => ({
        ...user,
        username: name,
        usernameKey: name,
        role: 'RETAILER' as const,
      })),
    )
    .returning('id')
    .execute()
  const { createdAt } = user
  await trx
    .insertInto('retailers')
    .values(
      users.map(({ id }) => ({ userId: id, supplierId, syncFrequencyMinutes: 60, createdAt })),
    )
    .execute()
}

/** Runs the backup task as the cron job does; returns its summary and reported steps. */
export async function runBackup(deps: Deps, run: Partial<CronRun> = {}) {
  const steps: string[] = []
  const summary = await backupTask.run(deps, {
    leaseToken: randomUUID(),
    signal: new AbortController().signal,
    report: async (step) => void steps.push(step),
    ...run,
  })
  return { summary, steps }
}

/** Publishes a backup with any content, bypassing the backup job. */
export async function putBackup(deps: Deps, database = 'database', files: string[] = []) {
  const draft = await deps.backups.createDraft('test')
  await writeFile(draft.databasePath, database)
  for (const file of files) {
    await draft.addFile(toStoredFile(file).sha256, (path) => writeFile(path, file))
  }
  const createdAt = new Date(deps.clock.now()).toISOString()
  const contents = {
    productVersion: '1.0.0',
    createdAt,
    migrations: [],
    database: { ...toStoredFile(database), rowCounts: {} },
    files: files.map(toStoredFile),
  }
  const verifiedAt = new Date(deps.clock.now() + 2_000).toISOString()
  await draft.writeManifest(signManifest(deps.secrets, contents, verifiedAt))
  return draft.publish()
}

const toStoredFile = (content: string): StoredFile => ({
  sha256: createHash('sha256').update(content).digest('hex'),
  sizeBytes: Buffer.byteLength(content),
})
