import type { BackupKind } from '../../../../shared/constants'
import { formatCountOf, formatFileSize } from '../../../../shared/format'
import { readDatabaseContent } from '../../../db/database-content'
import type { CronRun, Deps } from '../../../domain/deps'
import { DomainError } from '../../../domain/errors'
import { codeOf } from '../../../process/error-code'
import type { BackupContents } from '../../../storage/backup-manifest'
import { signManifest } from '../../../storage/backup-signature'
import type { BackupDraft, StoredBackup } from '../../../storage/backup-store'
import { requireOwnSignature, verifyBackup } from './backup-verification'

/** Disk space to leave free beside the backup, because the product keeps writing meanwhile. */
const SPARE_BYTES = 64 * 1024 * 1024
/** How often a run at most reports its progress through many files. */
const MAX_REPORTS = 20

/**
 * Makes a backup, which is listed only after everything in it has been read back and checked. The database
 * may have the schema of an earlier version.
 * @param run holds the lease of the backup job, so that one backup is made at a time and no stored file is
 *   deleted meanwhile
 * @returns the backup, and a summary of it in a line
 * @throws DomainError when there is too little space, or something to back up is missing or damaged
 */
export async function makeBackup(
  deps: Deps,
  run: CronRun,
  kind: BackupKind,
): Promise<{ backup: StoredBackup; summary: string }> {
  const startedAt = deps.clock.now()
  await run.report('Checking the free space')
  await requireSpace(deps, run.signal)
  const draft = await deps.backups.createDraft(run.leaseToken).catch((error: unknown) => {
    throw explain(error)
  })
  try {
    const contents = await fillDraft(deps, run, draft, new Date(startedAt).toISOString())
    const copiedAt = deps.clock.now()
    await verifyDraft(deps, run, draft, contents)
    const verifiedAt = deps.clock.now()
    await run.report('Publishing')
    run.signal.throwIfAborted()
    const manifest = signManifest(deps.secrets, contents, new Date(verifiedAt).toISOString())
    requireOwnSignature(deps.secrets, await draft.writeManifest(manifest))
    const backup = await draft.publish(kind)
    const seconds = Math.ceil((verifiedAt - copiedAt) / 1_000)
    const files = formatCountOf(contents.files.length, 'file')
    const summary = `${formatFileSize(backup.archiveBytes)}, ${files}, verified in ${seconds} s`
    return { backup, summary }
  } catch (error) {
    throw explain(error)
  } finally {
    await draft.discard()
  }
}

/** @throws DomainError UNAVAILABLE when the disk has too little free space for the backup */
async function requireSpace(deps: Deps, signal: AbortSignal): Promise<void> {
  const { sizeBytes, files } = await deps.snapshots.measure(signal)
  const backups = await deps.backups.list()
  const shared = new Set(
    backups.flatMap(({ manifest }) => manifest.files.map((file) => file.sha256)),
  )
  const copied = files.filter((file) => !shared.has(file.sha256))
  const neededBytes = copied.reduce((sum, file) => sum + file.sizeBytes, sizeBytes + SPARE_BYTES)
  const freeBytes = await deps.backups.freeBytes()
  if (freeBytes >= neededBytes) return
  const [needed, free] = [formatFileSize(neededBytes, 0), formatFileSize(freeBytes, 0)]
  throw new DomainError(
    'UNAVAILABLE',
    `A backup needs ${needed} of disk space, and ${free} are free`,
  )
}

/**
 * Copies the database first. Files that it names stay available, because no stored file is deleted
 * while a backup is in progress: see storage-cleaning.
 */
async function fillDraft(
  deps: Deps,
  run: CronRun,
  draft: BackupDraft,
  createdAt: string,
): Promise<BackupContents> {
  const { signal } = run
  await run.report('Copying the database')
  await deps.snapshots.write(draft.databasePath, signal)
  const { migrations, rowCounts, files } = await readDatabaseContent(draft.databasePath, signal)
  const report = reportEach(run, 'Copying files', files.length)
  for (const [index, { sha256 }] of files.entries()) {
    signal.throwIfAborted()
    await report(index)
    await draft.addFile(sha256, (path) => copyFile(deps, sha256, path))
  }
  const database = await draft.measureDatabase(signal)
  if (!database) throw new Error('The snapshot of the database is missing')
  const { productVersion } = deps.config
  return { productVersion, createdAt, migrations, database: { ...database, rowCounts }, files }
}

async function verifyDraft(deps: Deps, run: CronRun, draft: BackupDraft, contents: BackupContents) {
  await run.report('Checking the database')
  await verifyBackup(draft, contents, {
    signal: run.signal,
    onFile: reportEach(run, 'Checking files', contents.files.length),
    // A copy shared with an earlier backup may have been damaged since; the store still has the
    // file.
    replaceFile: (sha256) => draft.replaceFile(sha256, (path) => copyFile(deps, sha256, path)),
  })
}

async function copyFile(deps: Deps, sha256: string, path: string): Promise<void> {
  if (!(await deps.files.has(sha256))) {
    throw new DomainError(
      'INVALID',
      `The inventory file ${sha256} is missing, so the backup would be incomplete`,
    )
  }
  await deps.files.copyTo(sha256, path)
}

/** Returns a function that reports progress, at most MAX_REPORTS times in all. */
function reportEach(run: CronRun, what: string, count: number) {
  const every = Math.ceil(count / MAX_REPORTS)
  return async (index: number) => {
    if (index % every === 0) await run.report(`${what} (${index + 1} of ${count})`)
  }
}

function explain(error: unknown): unknown {
  const isFull = ['ENOSPC', 'EDQUOT', 'SQLITE_FULL'].includes(codeOf(error))
  return isFull ? new DomainError('UNAVAILABLE', 'The disk became full during the backup') : error
}
