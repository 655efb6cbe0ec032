import { setTimeout as sleep } from 'node:timers/promises'

import { formatFileSize } from '../../shared/format'
import { describeDatabase } from '../db/database-place'
import { engineOf } from '../db/engine'
import { listMigrations } from '../db/migrate'
import { NewerDatabaseError } from '../db/newer-database'
import type { Deps } from '../domain/deps'
import { findShortage } from '../domain/disk'
import { findMissingWalls } from '../files/children/child-command'
import { explainNewerDatabase } from '../start/explain-newer-database'
import { UnreachableStoreError } from '../storage/s3/store-errors'
import { checkBackups } from './check-backups'
import { checkBuckets } from './check-bucket'
import { checkFleet } from './check-fleet'
import { checkMailInbox } from './check-mail-inbox'
import { checkMetrics } from './check-metrics'
import {
  checkIdentityProvider,
  checkMail,
  checkProxies,
  checkPublicAddress,
  checkRedis,
} from './check-services'
import { checkSftp } from './check-sftp'
import { checkSources } from './check-sources'
import { checkVersion } from './check-version'
import { ANSWER_WITHIN_MS, explain, type Finding, compareClocks } from './finding'

type Check = (deps: Deps) => Promise<Finding[]>

/** Examines everything that an installation depends on; changes nothing. */
export async function examine(deps: Deps): Promise<Finding[]> {
  const checks: Check[] = [
    checkDatabaseServer,
    checkFiles,
    checkBuckets,
    checkBackups,
    checkRedis,
    checkMail,
    checkMailInbox,
    checkSftp,
    checkPublicAddress,
    checkIdentityProvider,
    checkMetrics,
    checkProxies,
    checkWalls,
    checkSources,
    checkFleet,
    checkVersion,
  ]
  return (await Promise.all(checks.map((check) => within(check, deps)))).flat()
}

/** Longer than what a check waits for. */
const EXAMINED_WITHIN_MS = 3 * ANSWER_WITHIN_MS

/** A check that never ends, or that is itself at fault, hides nothing of what the others find. */
async function within(check: Check, deps: Deps): Promise<Finding[]> {
  const part = check.name.replace(/^check/, '').toLowerCase()
  const ended = new AbortController()
  const late = sleep(EXAMINED_WITHIN_MS, undefined, { signal: ended.signal, ref: false }).then(
    (): Finding[] => [{ part, state: 'problem', text: 'Its examination did not end in time' }],
  )
  try {
    return await Promise.race([check(deps), late])
  } catch (err) {
    deps.logger.error({ err, part }, 'A part of the installation could not be examined')
    return [{ part, state: 'problem', text: `It could not be examined: ${explain(err)}` }]
  } finally {
    ended.abort()
    late.catch(() => undefined)
  }
}

const checkWalls = async (): Promise<Finding[]> =>
  findMissingWalls().map((wall) => ({ part: 'processes', state: 'warning', ...wall }))

async function checkFiles(deps: Deps): Promise<Finding[]> {
  const part = 'files'
  const { filesDir } = deps.config
  try {
    await deps.files.check()
    const shortage = await findShortage(deps)
    if (shortage) return [{ part, state: 'problem', text: shortage, advice: 'Make room.' }]
    const { freeBytes } = await deps.files.measureSpace()
    return [{ part, state: 'ok', text: `${filesDir}, ${formatFileSize(freeBytes)} free` }]
  } catch (error) {
    // Told by the examination of the bucket.
    if (error instanceof UnreachableStoreError) return []
    const advice = 'Give the folder to the user that runs the product.'
    return [{ part, state: 'problem', text: `${filesDir}: ${explain(error)}`, advice }]
  }
}

const PART = 'database'
/** The oldest PostgreSQL that the product is tested with. */
const OLDEST_POSTGRES = 15

async function checkDatabaseServer(deps: Deps): Promise<Finding[]> {
  const { db, config, clock } = deps
  const place = describeDatabase(config)
  try {
    const { name } = engineOf(db)
    const { version, now } = await engineOf(db).readServer()
    const text = `${place}, ${name} ${version}`
    if (name === 'PostgreSQL' && Number.parseInt(version) < OLDEST_POSTGRES) {
      const advice = `Use PostgreSQL ${OLDEST_POSTGRES} or newer.`
      return [{ part: PART, state: 'problem', text, advice }]
    }
    const clocks = now === null ? [] : compareClocks(PART, now, clock.now())
    return [await checkSchema(db, text), ...clocks]
  } catch (error) {
    if (error instanceof NewerDatabaseError) {
      const { problem, advice } = await explainNewerDatabase(deps, error)
      return [{ part: PART, state: 'problem', text: problem, advice }]
    }
    const advice = 'Start the database, or correct DATABASE_URL.'
    return [{ part: PART, state: 'problem', text: `${place}: ${explain(error)}`, advice }]
  }
}

async function checkSchema(db: Deps['db'], text: string): Promise<Finding> {
  const { done, waiting } = await listMigrations(db)
  if (done.length === 0) return { part: PART, state: 'ok', text: `${text}, empty` }
  if (waiting.length === 0) return { part: PART, state: 'ok', text }
  const advice = 'Run npm run migrate, or start the product, which does so.'
  return { part: PART, state: 'warning', text: `${text}, of an older version`, advice }
}
