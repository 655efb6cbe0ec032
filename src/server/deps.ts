import type { Logger } from 'pino'

import { createKeyedSemaphore } from './concurrency/keyed-semaphore'
import type { Config } from './config'
import { cronTasks } from './cron-tasks'
import { readChanges } from './db/change-topics'
import { openDatabase } from './db/open'
import { openPostgres } from './db/postgres/open-postgres'
import { createPostgresSnapshots } from './db/postgres/snapshots-postgres'
import { createSqliteSnapshots } from './db/sqlite/snapshots-sqlite'
import type { Deps } from './domain/deps'
import { defaultLimits } from './domain/limits'
import { createPreviewTurns } from './features/catalogue/connections/preview-turns'
import { createCategoryIndexes } from './features/catalogue/versions/category-indexes'
import { findCategoryCounts } from './features/catalogue/versions/versions.queries'
import { createCompressedFiles } from './features/distribution/compressed-files/find-copies'
import { openPullLedger } from './features/distribution/downloads/pulls'
import { endFeedAddressesOf } from './features/distribution/feed-addresses/feed-addresses'
import { createChangeWatch } from './features/operations/live/change-watch'
import { measureDisk, measureStored } from './features/operations/overview/measured-state'
import { createPasswordHasher } from './features/people/accounts/passwords'
import { createSignedInReader } from './features/people/accounts/signed-in'
import { createAuditRepeats } from './features/people/audit/audit-repeats'
import { createHostGate } from './features/publication/syncs/host-gate'
import { createSyncSlots } from './features/publication/syncs/sync-slots'
import { toChildCommand } from './files/children/child-command'
import type { ChildExit } from './files/children/child-link'
import { createChildReader } from './files/children/reader-in-children'
import { createJsonPoster } from './files/fetch/post-json'
import type { FileReaders } from './files/file-readers'
import { createOidcProvider } from './identity/identity-provider-oidc'
import { createSmtpMailer } from './mail/mailer-smtp'
import { createPrometheusMetrics } from './observability/metrics-prometheus'
import { createBullmqQueue } from './queue/queue-bullmq'
import { createEmbeddedQueue } from './queue/queue-embedded'
import { requireNoRestore } from './restore/unfinished-restore'
import { openSecretBox } from './secrets/secret-box'
import { prepareDataFolders } from './start/data-folder'
import { draftsFolderOf } from './storage/file-store-disk'
import { openBackupStore } from './storage/open-backup-store'
import { openFileStore } from './storage/open-file-store'
import { createSmallFiles } from './storage/small-files'

export type OpenDeps = { deps: Deps; close(): Promise<void> }

/** Opens all outside resources of the product: the only place that chooses their drivers. */
export async function openDeps(config: Config, logger: Logger): Promise<OpenDeps> {
  await requireNoRestore(config.dataDir)
  await prepareDataFolders(config, (line) => logger.warn(line))
  const { postgresUrl, databaseFile } = config
  const db = postgresUrl
    ? openPostgres(postgresUrl, (err) => logger.warn({ err }, 'A database connection broke'))
    : openDatabase(databaseFile)
  const clock = { now: () => Date.now() }
  const { files, close: closeFiles } = await openFileStore(config, clock.now)
  const { backups, close: closeBackups } = await openBackupStore(config, clock.now)
  const metrics = createPrometheusMetrics({
    build: { version: config.productVersion, revision: config.productRevision },
    readStored: () => measureStored(db, clock.now()),
    readDisk: () => measureDisk(files, config),
    readLastBackup: () => backups.findNewestTime('daily'),
    measuresProcess: true,
  })
  const secrets = await openSecretBox(config)
  const readers = createFileReaders(config, logger)
  const embedded = createEmbeddedQueue(logger)
  const queue = config.redisUrl
    ? createBullmqQueue({ redisUrl: config.redisUrl, logger, fallback: embedded })
    : embedded
  const changes = createChangeWatch((since) => readChanges(db, since))
  const passwords = createPasswordHasher()
  const pulls = openPullLedger(db, logger)
  const mail = config.smtp ? createSmtpMailer(config.smtp) : null
  const identityProvider = config.oidc ? createOidcProvider(config.oidc, logger) : null
  return {
    deps: {
      config,
      clock,
      logger,
      metrics,
      db,
      files,
      smallFiles: createSmallFiles(files),
      signedIn: createSignedInReader(db, clock),
      compressedFiles: createCompressedFiles(db, clock),
      snapshots: postgresUrl ? createPostgresSnapshots(db) : createSqliteSnapshots(databaseFile),
      backups,
      readers,
      hosts: createHostGate(db, clock),
      queue,
      slots: createSyncSlots(config.workerConcurrency, () => performance.now()),
      previews: createPreviewTurns(),
      browsing: createKeyedSemaphore(() => 1),
      changeLists: createKeyedSemaphore(() => 1),
      pulls,
      changes,
      categoryIndexes: createCategoryIndexes((versionId) => findCategoryCounts(db, versionId)),
      passwords,
      endFeedAddressesOf,
      secrets,
      auditRepeats: createAuditRepeats(),
      cronTasks,
      mail,
      posts: createJsonPoster({ allow: config.fetchAllow }),
      identityProvider,
      limits: defaultLimits,
    },
    async close() {
      changes.close()
      await queue.close(0)
      await readers.close()
      mail?.close()
      await pulls.flush()
      closeFiles()
      closeBackups()
      await db.destroy()
    },
  }
}

/** One process per sync slot, and separate ones for what people wait for, so those never wait. */
function createFileReaders(config: Config, logger: Logger): FileReaders {
  const command = toChildCommand({
    allow: config.fetchAllow,
    maxBytes: config.maxFileBytes,
    filesDir: config.filesDir,
    draftsDir: draftsFolderOf(config.filesDir),
    env: config.childEnvironment,
  })
  const concurrency = {
    ingest: config.workerConcurrency,
    filter: 1,
    preview: 2,
    sample: 1,
    stockTexts: 1,
    browse: 2,
    comparison: 1,
    comparisonList: 1,
    goneItems: 1,
    delta: 1,
    compress: 1,
  }
  const onUnexpectedExit = (exit: ChildExit) =>
    logger.warn(exit, 'A feed reader process exited unexpectedly')
  return createChildReader({ command, concurrency, onUnexpectedExit })
}
