import { readdir, rm } from 'node:fs/promises'
import { dirname, join, resolve } from 'node:path'

import type { Config } from '../config'
import { isUnwritable, UnusableDatabaseError } from '../db/open'
import { lockDatabase } from '../db/sqlite/database-lock'
import { DomainError } from '../domain/errors'
import { codeOf } from '../process/error-code'
import { findSecretBoxes } from '../secrets/secret-box'
import { prepareDataFolders } from '../start/data-folder'
import { openBackupSource, type BackupSource } from '../storage/backup-source'
import { ArchiveError } from '../storage/read-archive'
import { openBucket, type Bucket } from '../storage/s3/bucket'
import { listBackupNames, openBucketSource } from '../storage/s3/published-backups'
import { UnreachableStoreError } from '../storage/s3/store-errors'
import { uploadFiles } from '../storage/s3/upload-files'
import { toRestoreCommand } from './restore-command'
import { hasDatabase, loadRestoredRows, requireUnused, toDatabaseTarget } from './restore-database'
import {
  carryOutMoves,
  exists,
  makeStagingFolders,
  planMove,
  removeStagingFolders,
} from './restore-moves'
import { readBackupName, stageBackup, type Staging } from './restore-staging'
import {
  clearRestoreState,
  readRestoreState,
  writeRestoreState,
  type RestoreState,
} from './restore-state'
import { notUsable } from './restore-trust'

export type RestoreOptions = {
  /** Moves existing data aside; without it, the target must be empty. */
  replace: boolean
  /** Accepts a backup that no available key can verify, because the operator vouches for it. */
  trust: boolean
  /** Unix milliseconds. */
  now: number
  report(line: string): void
}

/** Of the backups in a bucket, when another one was asked for. */
const MAX_NAMED = 10

export type Moving = Extract<RestoreState, { step: 'moving' }>
type PlannedMoves = ReturnType<typeof planMoves>

/**
 * Replaces the database and the inventory files with a backup. Existing data is not touched until
 * the whole backup is unpacked and verified; after a crash later than that, calling this again
 * completes the restore.
 * @param file a downloaded archive, the folder of a backup or its manifest, or the name of a backup in the
 *   bucket for backups
 * @throws DomainError with the reason when nothing was restored
 */
export async function restoreBackup(
  config: Config,
  file: string,
  options: RestoreOptions,
): Promise<void> {
  await prepareDataFolders(config, options.report)
  const release = lockRestores(config)
  if (!release) throw otherRestore()
  try {
    const state = await readRestoreState(config.dataDir)
    if (state?.step === 'moving') await resumeRestore(config, file, state, options)
    else await moveIntoPlace(config, await stage(config, file, options), options)
  } finally {
    await release()
  }
}

/**
 * Keeps other restores from this data folder; the system ends that with the process.
 * @returns ends it; undefined while another restore runs
 */
export function lockRestores({ dataDir }: Config): (() => Promise<void>) | undefined {
  const lockFile = join(dataDir, 'restore.lock')
  const release = lockDatabase(lockFile)
  return (
    release &&
    (() => {
      release()
      return rm(lockFile, { force: true })
    })
  )
}

export const otherRestore = () => new DomainError('CONFLICT', 'Another restore is running')

/** @returns the planned moves, recorded on disk: from here on the restore can only be completed */
async function stage(config: Config, file: string, options: RestoreOptions): Promise<Moving> {
  await requireUnused(config)
  await requireEmpty(config, options.replace)
  const moves = planMoves(config, options.now)
  await writeRestoreState(config.dataDir, { step: 'staging' })
  try {
    const { now, report } = options
    const trust = {
      boxes: await findSecretBoxes(config),
      isTrusted: options.trust,
      command: toRestoreCommand(file, { isReplacing: options.replace, isTrusted: true }),
    }
    const backup = await stageForMoves(config, file, moves, { now, report, trust })
    // The product may have been started meanwhile.
    await requireUnused(config)
    const state = toMoving(backup, moves)
    await writeRestoreState(config.dataDir, state)
    return state
  } catch (error) {
    await clearRestoreState(config.dataDir)
    await removeStagingFolders(Object.values(moves))
    throw explain(error)
  }
}

export const toMoving = (backup: string, { files, database }: PlannedMoves): Moving => ({
  step: 'moving',
  backup,
  moves: [files, database],
})

/**
 * Unpacks and checks a backup beside what it is to replace; files that belong into a bucket are put there.
 * @returns its name
 */
export async function stageForMoves(
  config: Config,
  file: string,
  moves: PlannedMoves,
  staging: Staging,
): Promise<string> {
  await makeStagingFolders(Object.values(moves))
  const area = { databasePath: moves.database.staged, filesPath: moves.files.staged }
  const backup = await withSource(config, file, (source) => stageBackup(source, area, staging))
  if (config.bucket) {
    await staging.report('Putting the files into the bucket')
    await uploadFiles(config.bucket, area.filesPath)
  }
  return backup
}

/** Puts what is staged in the place of the data. After a crash, calling this again completes it. */
export async function moveIntoPlace(
  config: Config,
  { backup, moves }: Moving,
  { report }: Pick<RestoreOptions, 'report'>,
): Promise<void> {
  await carryOutMoves(moves)
  const database = moves.find(({ target }) => target === resolve(toDatabaseTarget(config)))
  if (database) await loadRestoredRows(config, database.aside)
  await removeStagingFolders(moves)
  await clearRestoreState(config.dataDir)
  report(`${backup} is restored. Everybody has to sign in again.`)
  for (const folder of new Set(moves.map(({ aside }) => dirname(aside)))) {
    if (await exists(folder)) report(`The previous data is in ${folder}`)
  }
}

async function resumeRestore(
  config: Config,
  file: string,
  state: Moving,
  options: RestoreOptions,
): Promise<void> {
  await requireUnused(config)
  options.report(`The restore of ${state.backup} was interrupted and is now completed`)
  await moveIntoPlace(config, state, options)
  const asked = await withSource(config, file, readBackupName).catch(() => undefined)
  if (asked === state.backup) return
  throw new DomainError('CONFLICT', `${file} is a different backup and was not restored`)
}

/** Opens a backup as a restore is given it. @throws DomainError NOT_FOUND */
export async function withSource<T>(
  { backupBucket }: Config,
  file: string,
  use: (source: BackupSource) => Promise<T>,
): Promise<T> {
  const bucket = backupBucket && (await openBucket(backupBucket))
  try {
    const source =
      (await openBackupSource(file)) ?? (bucket && (await openBucketSource(bucket, file)))
    if (!source) throw new DomainError('NOT_FOUND', `There is no ${file}${await listKnown(bucket)}`)
    try {
      return await use(source)
    } finally {
      await source.parts.return(undefined)
    }
  } finally {
    bucket?.close()
  }
}

async function listKnown(bucket: Bucket | undefined): Promise<string> {
  const names = bucket ? (await listBackupNames(bucket)).toReversed() : []
  return names.length === 0 ? '' : `. The bucket has ${names.slice(0, MAX_NAMED).join(', ')}`
}

/** Where a restore that begins now (Unix milliseconds) stages its parts, and moves what they replace. */
export function planMoves(config: Config, now: number) {
  const replacedName = `replaced-${new Date(now).toISOString().replaceAll(/[:.]/g, '-')}`
  return {
    files: planMove(resolve(config.filesDir), replacedName),
    database: planMove(resolve(toDatabaseTarget(config)), replacedName),
  }
}

async function requireEmpty(config: Config, replace: boolean) {
  if (replace) return
  const files = await readdir(config.filesDir).catch(() => [])
  const isEmpty = !(await hasDatabase(config)) && files.every((name) => name === 'drafts')
  if (isEmpty) return
  const advice = 'With --replace, the existing data is moved aside first.'
  throw new DomainError(
    'CONFLICT',
    `There is already a database, or files, in ${config.dataDir}. ${advice}`,
  )
}

/** Tells of an archive that cannot be read, a store that does not answer or a full disk in words. */
export function explain(error: unknown): unknown {
  if (error instanceof ArchiveError)
    return notUsable(`it is not an archive, or is cut off (${error.message})`)
  if (error instanceof UnreachableStoreError) {
    return new DomainError('UNAVAILABLE', `${error.message}. Nothing was changed.`)
  }
  // The database was just verified in full, so failing to open it means that the disk is full.
  const isFull =
    ['ENOSPC', 'EDQUOT'].includes(codeOf(error)) || error instanceof UnusableDatabaseError
  if (!isFull && !isUnwritable(error)) return error
  return new DomainError(
    'UNAVAILABLE',
    'The disk is full or cannot be written. Nothing was changed.',
  )
}
