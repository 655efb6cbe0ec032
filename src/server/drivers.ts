import { join } from 'node:path'

import type { Logger } from 'pino'

import type { Config } from './config'
import type { DatabasePlace } from './db/database-place'
import { engineOf } from './db/engine'
import { openDatabase, type Db } from './db/open'
import { openPostgres } from './db/postgres/open-postgres'
import { createPostgresSnapshots } from './db/postgres/snapshots-postgres'
import { createSqliteSnapshots } from './db/sqlite/snapshots-sqlite'
import type { Deps } from './domain/deps'
import { toChildCommands } from './files/children/child-command'
import type { ChildExit } from './files/children/child-link'
import { createSenderProcess } from './files/children/fetcher/sender-process'
import { createOrphanGuard } from './files/children/orphan-guard'
import { createThreadedReaders } from './files/children/readers-in-thread'
import { parseEgressProxy } from './files/fetch/egress-proxy'
import { createJsonPoster } from './files/fetch/post-json'
import type { FileReaders } from './files/file-readers'
import { createFileSender } from './files/send/file-sender'
import type { FileSender } from './files/send/sending'
import { createOidcProvider } from './identity/identity-provider-oidc'
import { createSmtpMailer } from './mail/mailer-smtp'
import type { MeasuredState, Metrics } from './observability/metrics'
import { createPrometheusMetrics } from './observability/metrics-prometheus'
import type { Queue } from './queue/queue'
import { createBullmqQueue } from './queue/queue-bullmq'
import { createEmbeddedQueue } from './queue/queue-embedded'
import { openSecretBox } from './secrets/secret-box'
import { openDiskBackupStore } from './storage/backup-store-disk'
import { createDiskDeletedAccounts } from './storage/deleted-accounts'
import { openDiskFileStore } from './storage/file-store-disk'
import { createBucketBackupStore } from './storage/s3/backup-store-s3'
import { openBucket } from './storage/s3/bucket'
import { createBucketDeletedAccounts } from './storage/s3/deleted-accounts-s3'
import { createS3FileStore } from './storage/s3/file-store-s3'

type Stores = Pick<Deps, 'files' | 'backups' | 'deletedAccounts'>

/** The drivers of which tests have their own, and the stores. */
type BaseDrivers = Pick<
  Deps,
  'clock' | 'logger' | 'db' | 'queue' | 'readers' | 'sender' | 'secrets'
> &
  Stores

/** All by which the product reaches what is outside of it. */
export type Drivers = BaseDrivers &
  Pick<Deps, 'snapshots' | 'mail' | 'posts' | 'identityProvider'> & {
    /** Opens the metrics, which show what is measured at every scrape. */
    openMetrics(measured: MeasuredState): Metrics
  }

export const systemClock = { now: () => Date.now() }

/**
 * Opens all outside resources of the product as the configuration says.
 * @returns `close` for the stores and the database; `unwire` closes what has work of its own before
 */
export async function chooseDrivers(
  config: Config,
  logger: Logger,
): Promise<{ drivers: Drivers; close(): Promise<void> }> {
  const db = chooseDatabase(config, logger)
  const { close, ...stores } = await openStores(config)
  const base = {
    ...stores,
    clock: systemClock,
    logger,
    db,
    secrets: await openSecretBox(config),
    readers: createFileReaders(config, logger),
    sender: createSender(config, logger),
    queue: chooseQueue(config, logger),
  }
  return {
    drivers: addDrivers(config, base),
    async close() {
      close()
      await db.destroy()
    },
  }
}

/** Opens the stores of files and backups: in the data folder, or in the buckets that the configuration names. */
export async function openStores(config: Config): Promise<Stores & { close(): void }> {
  // They compare with the times of files, which the system sets.
  const { now } = systemClock
  const { filesDir, bucket: place, backupsDir, backupBucket: backupPlace } = config
  const { maxCacheBytes, minFreeBytes } = config
  const disk = await openDiskFileStore(filesDir)
  const bucket = place && (await openBucket(place))
  const backupBucket = backupPlace && (await openBucket(backupPlace))
  return {
    files: bucket ? createS3FileStore(bucket, disk, { maxCacheBytes, minFreeBytes, now }) : disk,
    backups: backupBucket
      ? createBucketBackupStore({
          bucket: backupBucket,
          scratch: join(backupsDir, 'drafts'),
          places: { backups: backupPlace, files: place },
        })
      : await openDiskBackupStore(backupsDir, now),
    // Where backups are kept, whatever becomes of this machine.
    deletedAccounts: backupBucket
      ? createBucketDeletedAccounts(backupBucket, join(backupsDir, 'drafts'))
      : createDiskDeletedAccounts(config.deletedAccountsFile),
    close() {
      bucket?.close()
      backupBucket?.close()
    },
  }
}

/** Adds the drivers that depend on the configuration alone. */
export function addDrivers(config: Config, base: BaseDrivers): Drivers {
  const { logger, db, backups } = base
  return {
    ...base,
    snapshots:
      engineOf(db).name === 'SQLite'
        ? createSqliteSnapshots(config.databaseFile)
        : createPostgresSnapshots(db),
    openMetrics: (measured) =>
      createPrometheusMetrics({
        build: { version: config.productVersion, revision: config.productRevision },
        ...measured,
        readLastBackup: () => backups.findNewestTime('daily'),
      }),
    mail: config.smtp ? createSmtpMailer(config.smtp) : null,
    posts: createJsonPoster({
      allow: config.fetchAllow,
      proxy: config.fetchProxy === undefined ? undefined : parseEgressProxy(config.fetchProxy),
    }),
    identityProvider: config.oidc ? createOidcProvider(config.oidc, logger) : null,
  }
}

/** Opens the database of a place. */
export function chooseDatabase({ postgresUrl, databaseFile }: DatabasePlace, logger: Logger): Db {
  if (!postgresUrl) return openDatabase(databaseFile)
  return openPostgres(postgresUrl, (err) => logger.warn({ err }, 'A database connection broke'))
}

function chooseQueue({ redisUrl }: Config, logger: Logger): Queue {
  const embedded = createEmbeddedQueue(logger)
  return redisUrl ? createBullmqQueue({ redisUrl, logger, fallback: embedded }) : embedded
}

/** One process per sync slot, and separate ones for what people wait for, so those never wait. */
function createFileReaders(config: Config, logger: Logger): FileReaders {
  const concurrency = {
    ingest: config.workerConcurrency,
    filter: 1,
    preview: 2,
    sample: 1,
    stockTexts: 1,
    browse: 2,
    comparison: 1,
    changedItems: 1,
    comparisonList: 1,
    goneItems: 1,
    delta: 1,
    digest: 1,
    historyChanges: 1,
    historyFold: 1,
    historyJoin: 1,
    partFile: 1,
    mergedFile: 1,
    matching: 1,
    compress: 1,
    readMail: 2,
    unlockKey: 2,
  }
  const onUnexpectedExit = (exit: ChildExit) =>
    logger.warn(exit, 'A process that fetches or reads files exited unexpectedly')
  return createThreadedReaders({ commands: toCommands(config), concurrency, onUnexpectedExit })
}

/** A process of its own: files on their way to slow servers take nothing from what is fetched. */
function createSender(config: Config, logger: Logger): FileSender {
  const orphanGuard = createOrphanGuard()
  const onUnexpectedExit = (exit: ChildExit) =>
    logger.warn(exit, 'The process that sends files exited unexpectedly')
  const { fetcher } = toCommands(config)
  const sender = createFileSender(createSenderProcess(fetcher, { orphanGuard, onUnexpectedExit }))
  return {
    send: sender.send,
    async close() {
      await sender.close()
      orphanGuard.close()
    },
  }
}

const toCommands = ({ fetchAllow, fetchProxy, maxFileBytes, childEnvironment }: Config) =>
  toChildCommands({
    allow: fetchAllow,
    maxBytes: maxFileBytes,
    proxy: fetchProxy,
    env: childEnvironment,
  })
