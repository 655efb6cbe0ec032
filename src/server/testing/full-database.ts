import { ALERT_KINDS } from '../../shared/alerts'
import { columnPolicySchema } from '../../shared/schemas/column-policy'
import type { CategoryReading } from '../../shared/schemas/file'
import { fileProfileSchema } from '../../shared/schemas/file-profile'
import { inTransaction, type WriteTransaction } from '../db/open'
import type { FileView } from '../db/stored-json'
import { toViewKey } from '../db/stored-json'
import { toView } from '../domain/file-view'
import { MAX_AUDITED_LENGTH } from '../features/people/audit/audited-changes'
import type { StoredBackup } from '../storage/backup-store'
import { putBackup } from './stock'
import type { World } from './world'

/** A name with three bytes per character. */
const long = (characters: number) => '漢'.repeat(characters)

const CATEGORIES = 20_000
const COLUMNS = 2_000
/** More rows than any page or list shows. */
const MANY = 150
const MANY_FILES = 1_100
const FILES_AT_ONCE = 50
const MANY_BACKUPS = 600

/** Category names with about the maximum total size of a request. */
export const longCategories = Array.from({ length: 80 }, (_, place) => `${place}`.padEnd(990, '漢'))

/** Both with about as much as their schemas allow. */
const longPolicy = columnPolicySchema.parse({
  hidden: Array.from({ length: 200 }, (_, place) => `${place}`.padEnd(200, '漢')),
  stockTexts: Array.from({ length: 100 }, () => ({ text: long(40), quantity: 1 })),
})
const longProfile = fileProfileSchema.parse({
  kind: 'own',
  columns: Array.from({ length: 200 }, () => ({ column: long(200), header: long(200) })),
})

/**
 * Fills a world's database with texts as long and rows as many as the rules allow, or as an older
 * version of the product has stored them.
 */
export async function fillDatabase(world: World): Promise<void> {
  const { deps } = world.testApp
  await inTransaction(deps.db, async (trx) => {
    await lengthenNames(trx)
    await addSuppliers(trx, deps.clock.now())
    await addRetailers(trx, world)
    await lengthenVersions(trx, world)
    await addRuns(trx, world)
    await addAuditEntries(trx, world)
    await addAlerts(trx, world)
  })
}

/** Entries as large as they can become. */
async function addAuditEntries(trx: WriteTransaction, { supplier }: World) {
  const { id, username, role } = supplier
  const change = { field: 'categories', before: null, after: long(MAX_AUDITED_LENGTH) }
  const entries = Array.from({ length: MANY }, (_, at) => ({
    at,
    action: 'retailer.update' as const,
    noun: 'retailer',
    actorId: id,
    actorName: username,
    actorRole: role,
    subjectId: 1,
    subjectName: long(200),
    supplierId: id,
    changes: [change],
    origin: 'web' as const,
  }))
  for (const entry of entries) await trx.insertInto('auditEntries').values(entry).execute()
}

/** Makes the backup store list as many backups as a product that never deleted any. */
export async function multiplyBackups({ testApp: { deps } }: World): Promise<void> {
  const { name } = (await deps.backups.list())[0] ?? (await putBackup(deps))
  const backup = (await deps.backups.find(name)) as StoredBackup
  deps.backups = { ...deps.backups, list: async () => Array(MANY_BACKUPS).fill(backup) }
}

async function lengthenNames(trx: WriteTransaction) {
  const email = `a@${'b'.repeat(247)}.com`
  await trx
    .updateTable('users')
    .set({ companyName: long(200), contactEmail: email, displayName: long(200) })
    .set({ publicEmail: email, publicPhone: '0'.repeat(40) })
    .set({ publicWebsite: `https://example.com/${'w'.repeat(2_000)}` })
    .set({ photoUrl: `https://example.com/${'p'.repeat(2_000)}`, maxRetailers: 1_000_000 })
    .execute()
  await trx
    .updateTable('connections')
    .set({
      name: long(200),
      config: { url: `http://127.0.0.1:1/${'u'.repeat(2_000)}` },
      lastError: long(1_000),
      columnPolicy: longPolicy,
    })
    .execute()
  await trx
    .updateTable('retailers')
    .set({ storeName: long(200), storeUrl: `https://example.com/${'s'.repeat(2_000)}` })
    .set({ isAllProducts: false, categories: longCategories, profile: longProfile })
    .execute()
}

const LIKE_THE_FIRST = [
  'role',
  'companyName',
  'contactEmail',
  'displayName',
  'photoUrl',
  'createdAt',
] as const

/** Adds suppliers like the first one, each with a connection that is being synced. */
async function addSuppliers(trx: WriteTransaction, now: number) {
  const { id: _, ...connection } = await trx
    .selectFrom('connections')
    .selectAll()
    .executeTakeFirstOrThrow()
  for (let count = 0; count < MANY; count++) {
    const username = `${count}`.padEnd(100, '漢')
    const { id: supplierId } = await trx
      .insertInto('users')
      .columns(['username', 'usernameKey', ...LIKE_THE_FIRST])
      .expression((from) =>
        from
          .selectFrom('users')
          .select(({ val }) => [val(username).as('username'), val(username).as('usernameKey')])
          .select(LIKE_THE_FIRST)
          .where('id', '=', connection.supplierId),
      )
      .returning('id')
      .executeTakeFirstOrThrow()
    const held = { leaseToken: username, leaseUntil: now + 60_000, isRunning: true } as const
    const publishedVersionId = null
    const { id: connectionId } = await trx
      .insertInto('connections')
      .values({ ...connection, supplierId, publishedVersionId, ...held })
      .returning('id')
      .executeTakeFirstOrThrow()
    await trx
      .insertInto('syncRuns')
      .values({ connectionId, leaseToken: username, startedAt: now, sizeBytes: 1, rowCount: 1 })
      .execute()
  }
}

async function addRetailers(trx: WriteTransaction, { retailer }: World) {
  const { id: _, ...first } = await trx
    .selectFrom('retailers')
    .selectAll()
    .where('id', '=', retailer.id)
    .executeTakeFirstOrThrow()
  for (let count = 0; count < 60; count++) {
    const username = `shop-${count}`
    const { id: userId } = await trx
      .insertInto('users')
      .values({ username, usernameKey: username, role: 'RETAILER', createdAt: first.createdAt })
      .returning('id')
      .executeTakeFirstOrThrow()
    await trx
      .insertInto('retailers')
      .values({ ...first, userId })
      .execute()
  }
}

const wideRow = Array<string>(COLUMNS).fill(long(500))
const counts = Array.from({ length: CATEGORIES }, (_, place) => ({
  cell: `${place}`.padStart(5, '0').padEnd(1_000, place < 300 ? '漢' : 'x'),
  rows: 1,
}))
const problem = { line: 1, message: long(1_100), count: 1 }
const reading: CategoryReading = { column: long(1_000), pathSeparator: '>', listSeparator: ';' }

/** The version of a very wide file, stored by an older version of the product without limits. */
const wideVersion = {
  columns: wideRow,
  columnCount: null,
  headRows: [wideRow, wideRow],
  problems: Array.from({ length: 20 }, () => problem),
  categoryReading: reading,
  categoryCounts: counts,
}

const findSettings = (trx: WriteTransaction) =>
  trx
    .selectFrom('retailers')
    .innerJoin('connections', 'connections.supplierId', 'retailers.supplierId')
    .select(['isAllProducts', 'categories', 'profile', 'columnPolicy'])
    .executeTakeFirstOrThrow()

async function lengthenVersions(trx: WriteTransaction, { connectionId }: World) {
  const { categoryReading, headRows } = wideVersion
  await trx.updateTable('connections').set({ categoryReading }).execute()
  const { id: versionId, ...version } = await trx
    .selectFrom('versions')
    .selectAll()
    .where('connectionId', '=', connectionId)
    .executeTakeFirstOrThrow()
  const { sha256, sizeBytes, rowCount, createdAt } = version
  const file = { sha256, sizeBytes, rowCount, createdAt }
  const view = toView(await findSettings(trx)) as FileView
  await trx
    .insertInto('variants')
    .values({ versionId, view, viewKey: toViewKey(view), status: 'ready', ...file, headRows })
    .execute()
  for (let count = 0; count < MANY_FILES; count += FILES_AT_ONCE) {
    const others = Array.from({ length: FILES_AT_ONCE }, (_, place) => ({
      ...version,
      fileName: version.fileName.replace(/\.csv$/, `-${count + place}.csv`),
    }))
    await trx.insertInto('versions').values(others).execute()
  }
  await trx.updateTable('versions').set(wideVersion).where('id', '=', versionId).execute()
}

async function addRuns(trx: WriteTransaction, { connectionId }: World) {
  const text = long(1_000)
  for (let count = 0; count < MANY; count++) {
    const run = { startedAt: count, finishedAt: count }
    await trx
      .insertInto('syncRuns')
      .values({ ...run, leaseToken: `${count}`, connectionId, outcome: 'failed', error: text })
      .execute()
    await trx
      .insertInto('cronJobRuns')
      .values({
        ...run,
        jobName: 'backup',
        isRequested: false,
        outcome: 'failed',
        step: text,
        summary: text,
        error: text,
      })
      .execute()
  }
}

/** Tells every user of many events, and of each by a webhook. */
async function addAlerts(trx: WriteTransaction, { supplier: { id: supplierId } }: World) {
  const users = await trx.selectFrom('users').select('id').where('id', '<', 20).execute()
  const url = `https://example.com/${'w'.repeat(2_000)}`
  const { id: webhookId } = await trx
    .insertInto('webhooks')
    .values({ userId: supplierId, url, kinds: [...ALERT_KINDS], sealedSecret: '', createdAt: 0 })
    .returning('id')
    .executeTakeFirstOrThrow()
  const details = { connectionName: long(200), supplierName: long(200), reason: long(2_000) }
  const about = { supplierId, connectionId: null, retailerId: null, fannedOutAt: 0 }
  for (let count = 0; count < MANY; count++) {
    const { id: eventId } = await trx
      .insertInto('events')
      .values({ ...about, kind: 'feed.held', details, createdAt: count })
      .returning('id')
      .executeTakeFirstOrThrow()
    const told = users.map(({ id: userId }) => ({ userId, eventId, readAt: null }))
    await trx.insertInto('notifications').values(told).execute()
    const sent = { eventId, userId: supplierId, webhookId, attempts: 7, answer: long(300) }
    await trx
      .insertInto('deliveries')
      .values({ ...sent, status: 'failed', lastAttemptAt: count })
      .execute()
  }
}
