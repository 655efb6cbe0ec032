import { existsSync } from 'node:fs'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { pino } from 'pino'

import { allJobs } from '../../all-jobs'
import { readConfig, type Config } from '../../config'
import { cronTasks as builtInTasks } from '../../cron-tasks'
import { migrateToLatest } from '../../db/migrate'
import { openDatabase } from '../../db/open'
import type { Deps } from '../../domain/deps'
import { addDrivers, openStores } from '../../drivers'
import { openPullLedger } from '../../features/distribution/downloads/pulls'
import { createPasswordHasher } from '../../features/people/accounts/passwords'
import { createSyncSlots } from '../../features/publication/syncs/sync-slots'
import type { FileFetcher } from '../../files/fetch/fetch'
import type { FileReaders } from '../../files/file-readers'
import { createFileSender } from '../../files/send/file-sender'
import { createNetworkSender } from '../../files/send/send-file'
import type { FileSender } from '../../files/send/sending'
import type { WorkHandler } from '../../queue/queue'
import { createEmbeddedQueue } from '../../queue/queue-embedded'
import { createSecretBox } from '../../secrets/secret-box'
import { uploadFiles } from '../../storage/s3/upload-files'
import { unwire, wire } from '../../wire'
import { saveDatabase, writeFiles, type SavedState } from '../fixtures/saved-state'
import { createInlineReader, openInlineReader } from './reader-inline'
import { findBucketPlace } from './s3-bucket'
import { openTestDatabase } from './test-database'

/** A clock that only moves when advanced. */
type TestClock = { now(): number; advance(ms: number): void }

export type TestDeps = Deps & {
  clock: TestClock
  /** Runs all due background jobs and their follow-up jobs. */
  work(): Promise<void>
  /** Lets background jobs wait, until what it returns is called or all is closed. */
  hold(): () => void
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
  Pick<Deps, 'cronTasks' | 'identityProvider' | 'logger' | 'mail' | 'posts' | 'sender'>
> & {
  readers?: FileReaders
  sender?: FileSender
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
  {
    readers,
    sender,
    fetcher,
    state,
    logger = pino({ level: 'silent' }),
    cronTasks = builtInTasks,
    ...servers
  }: TestParts = {},
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
  const image = state?.database ?? (await (emptyImage ??= createEmptyImage()))
  const { db, close: closeDatabase } = isInMemory
    ? await openTestDatabase(image, !state)
    : await openFile(config.databaseFile, image)
  if (state) {
    await writeFiles(config.filesDir, state.files)
    if (config.bucket) await uploadFiles(config.bucket, config.filesDir)
  }
  const queue = createEmbeddedQueue(logger)
  const { close: closeStores, ...stores } = await openStores(config)
  const base = {
    ...stores,
    clock,
    logger,
    db,
    queue,
    readers: readers ?? openReader(config, clock, fetcher),
    sender: sender ?? openSender(config, clock),
    secrets: createSecretBox(config.encryptionKey ?? TEST_KEY, config.previousEncryptionKey),
  }
  const drivers = addDrivers(config, base)
  const deps: Deps = {
    ...wire(config, { ...drivers, ...servers }),
    slots: createSyncSlots(config.workerConcurrency, clock.now),
    pulls: openPullLedger(db, logger, NEVER_MS),
    passwords: createPasswordHasher(CHEAP_HASHING),
    cronTasks,
  }
  let held = Promise.resolve()
  let release = () => {}
  const afterHeld = ({ run, ...handler }: WorkHandler): WorkHandler => ({
    ...handler,
    run: (payload, signal) => held.then(() => run(payload, signal)),
  })
  queue.start(allJobs.map((job) => afterHeld(job.toHandler(deps))))
  return {
    ...deps,
    clock,
    async work() {
      await queue.add({ job: 'claim-due-work', payload: {} })
      await queue.idle()
    },
    hold() {
      const { promise, resolve } = Promise.withResolvers<void>()
      held = promise
      release = resolve
      return release
    },
    async close() {
      release()
      await unwire(deps)
      closeStores()
      await closeDatabase()
      await rm(directory, { recursive: true, force: true })
    },
  }
}

/** The migrations run once per process; each empty database is a copy of their result. */
let emptyImage: Promise<Buffer> | undefined

async function createEmptyImage(): Promise<Buffer> {
  const db = openDatabase(':memory:')
  await migrateToLatest(db)
  const image = await saveDatabase(db)
  await db.destroy()
  return image
}

/** Opens a database file that may already exist. */
async function openFile(file: string, image: Buffer) {
  if (!existsSync(file)) await writeFile(file, image, { mode: 0o600 })
  const db = openDatabase(file)
  await migrateToLatest(db)
  return { db, close: () => db.destroy() }
}

const openReader = (config: Config, clock: TestClock, fetcher?: FileFetcher) =>
  fetcher ? createInlineReader(fetcher, config.maxFileBytes) : openInlineReader(config, clock.now)

/** Sends files from this process. */
const openSender = ({ fetchAllow }: Config, { now }: TestClock) =>
  createFileSender(createNetworkSender({ allow: fetchAllow, now }))

function createTestClock(): TestClock {
  let now = START
  return {
    now: () => now,
    advance(ms) {
      now += ms
    },
  }
}
