import { existsSync } from 'node:fs'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { pino } from 'pino'

import { allJobs } from '../../all-jobs'
import { createKeyedSemaphore } from '../../concurrency/keyed-semaphore'
import { readConfig, type Config } from '../../config'
import { cronTasks as builtInTasks } from '../../cron-tasks'
import { readChanges } from '../../db/change-topics'
import { engineOf } from '../../db/engine'
import { migrateToLatest } from '../../db/migrate'
import { openDatabase } from '../../db/open'
import { createPostgresSnapshots } from '../../db/postgres/snapshots-postgres'
import { createSqliteSnapshots } from '../../db/sqlite/snapshots-sqlite'
import type { Deps } from '../../domain/deps'
import { defaultLimits } from '../../domain/limits'
import { createPreviewTurns } from '../../features/catalogue/connections/preview-turns'
import { createCategoryIndexes } from '../../features/catalogue/versions/category-indexes'
import { findCategoryCounts } from '../../features/catalogue/versions/versions.queries'
import { createCompressedFiles } from '../../features/distribution/compressed-files/find-copies'
import { openPullLedger } from '../../features/distribution/downloads/pulls'
import { endFeedAddressesOf } from '../../features/distribution/feed-addresses/feed-addresses'
import { createChangeWatch } from '../../features/operations/live/change-watch'
import { measureDisk, measureStored } from '../../features/operations/overview/measured-state'
import { createPasswordHasher } from '../../features/people/accounts/passwords'
import { createSignedInReader } from '../../features/people/accounts/signed-in'
import { createAuditRepeats } from '../../features/people/audit/audit-repeats'
import { createHostGate } from '../../features/publication/syncs/host-gate'
import { createSyncSlots } from '../../features/publication/syncs/sync-slots'
import type { FileFetcher } from '../../files/fetch/fetch'
import { createJsonPoster } from '../../files/fetch/post-json'
import type { FileReaders } from '../../files/file-readers'
import { createOidcProvider } from '../../identity/identity-provider-oidc'
import { createSmtpMailer } from '../../mail/mailer-smtp'
import { createPrometheusMetrics } from '../../observability/metrics-prometheus'
import { createEmbeddedQueue } from '../../queue/queue-embedded'
import { createSecretBox } from '../../secrets/secret-box'
import { openBackupStore } from '../../storage/open-backup-store'
import { openFileStore } from '../../storage/open-file-store'
import { uploadFiles } from '../../storage/s3/upload-files'
import { createSmallFiles } from '../../storage/small-files'
import { copyEmptyDatabase } from '../fixtures/empty-database'
import { writeFiles, type SavedState } from '../fixtures/saved-state'
import { createInlineReader, openInlineReader } from './reader-inline'
import { findBucketPlace } from './s3-bucket'
import { openTestDatabase } from './test-database'

/** A clock that only moves when advanced. */
type TestClock = { now(): number; advance(ms: number): void }

export type TestDeps = Deps & {
  clock: TestClock
  /** Runs all due background jobs and their follow-up jobs. */
  work(): Promise<void>
  close(): Promise<void>
}

const START = Date.UTC(2026, 0, 15, 8, 30)
/** The encryption key used unless a test sets another one. */
export const TEST_KEY = Buffer.alloc(32, 7)
/** The cheapest parameters for argon2id, because tests make hundreds of hashes. */
const CHEAP_HASHING = { algorithm: 2, memoryCost: 8, timeCost: 1, parallelism: 1 }

/** Records of downloads are written when a test asks for it, or at its end. */
const NEVER_MS = 2 ** 31 - 1

/** Parts that a test may replace. */
type TestParts = Partial<
  Pick<Deps, 'cronTasks' | 'identityProvider' | 'logger' | 'mail' | 'posts'>
> & {
  readers?: FileReaders
  /** The fetcher of the inline reader. */
  fetcher?: FileFetcher
  /** The initial stored state; empty by default. */
  state?: SavedState
}

/**
 * Opens real parts on an empty in-memory database, a temporary folder and a controllable clock.
 * @param parts replacements for real parts
 */
export async function openTestDeps(
  overrides: Partial<Config> = {},
  parts: TestParts = {},
): Promise<TestDeps> {
  const directory = await mkdtemp(join(tmpdir(), 'stockbridge-test-'))
  const config = {
    ...readConfig({ DATA_DIR: directory, NODE_ENV: 'test' }),
    bucket: findBucketPlace(),
    ...overrides,
    // Tests must not depend on the free space of the machine.
    minFreeBytes: overrides.minFreeBytes ?? 0,
  }
  const clock = createTestClock()
  const isInMemory = config.databaseFile === join(directory, 'app.db')
  const image = parts.state?.database ?? (await copyEmptyDatabase())
  const { db, close: closeDatabase } = isInMemory
    ? await openTestDatabase(image, !parts.state)
    : await openFile(config.databaseFile, image)
  if (parts.state) {
    await writeFiles(config.filesDir, parts.state.files)
    if (config.bucket) await uploadFiles(config.bucket, config.filesDir)
  }
  const logger = parts.logger ?? pino({ level: 'silent' })
  const queue = createEmbeddedQueue(logger)
  const { files, close: closeFiles } = await openFileStore(config, Date.now)
  const { backups, close: closeBackups } = await openBackupStore(config, Date.now)
  const metrics = createPrometheusMetrics({
    build: { version: config.productVersion, revision: config.productRevision },
    readStored: () => measureStored(db, clock.now()),
    readDisk: () => measureDisk(files, config),
    readLastBackup: () => backups.findNewestTime('daily'),
    measuresProcess: false,
  })
  const deps: Deps = {
    config,
    clock,
    logger,
    metrics,
    db,
    files,
    smallFiles: createSmallFiles(files),
    signedIn: createSignedInReader(db, clock),
    compressedFiles: createCompressedFiles(db, clock),
    snapshots:
      engineOf(db).name === 'SQLite'
        ? createSqliteSnapshots(config.databaseFile)
        : createPostgresSnapshots(db),
    backups,
    readers: parts.readers ?? openReader(config, clock, parts.fetcher),
    hosts: createHostGate(db, clock),
    queue,
    slots: createSyncSlots(config.workerConcurrency, clock.now),
    previews: createPreviewTurns(),
    browsing: createKeyedSemaphore(() => 1),
    changeLists: createKeyedSemaphore(() => 1),
    pulls: openPullLedger(db, logger, NEVER_MS),
    changes: createChangeWatch((since) => readChanges(db, since)),
    categoryIndexes: createCategoryIndexes((versionId) => findCategoryCounts(db, versionId)),
    passwords: createPasswordHasher(CHEAP_HASHING),
    endFeedAddressesOf,
    cronTasks: builtInTasks,
    mail: parts.mail ?? (config.smtp ? createSmtpMailer(config.smtp) : null),
    posts: parts.posts ?? createJsonPoster({ allow: config.fetchAllow }),
    limits: { ...defaultLimits },
    identityProvider: config.oidc ? createOidcProvider(config.oidc, logger) : null,
    auditRepeats: createAuditRepeats(),
    secrets: createSecretBox(config.encryptionKey ?? TEST_KEY, config.previousEncryptionKey),
    ...(parts.cronTasks && { cronTasks: parts.cronTasks }),
    ...(parts.identityProvider && { identityProvider: parts.identityProvider }),
  }
  queue.start(allJobs.map((job) => job.toHandler(deps)))
  return {
    ...deps,
    clock,
    async work() {
      await queue.add({ job: 'claim-due-work', payload: {} })
      await queue.idle()
    },
    async close() {
      deps.changes.close()
      await queue.close(0)
      deps.mail?.close()
      await deps.pulls.flush()
      await deps.readers.close()
      closeFiles()
      closeBackups()
      await closeDatabase()
      await rm(directory, { recursive: true, force: true })
    },
  }
}

/** Opens a database file that may already exist. */
async function openFile(file: string, image: Buffer) {
  if (!existsSync(file)) await writeFile(file, image, { mode: 0o600 })
  const db = openDatabase(file)
  await migrateToLatest(db)
  return { db, close: () => db.destroy() }
}

const openReader = (config: Config, clock: TestClock, fetcher?: FileFetcher) =>
  fetcher ? createInlineReader(fetcher) : openInlineReader(config, clock.now)

function createTestClock(): TestClock {
  let now = START
  return {
    now: () => now,
    advance(ms) {
      now += ms
    },
  }
}
