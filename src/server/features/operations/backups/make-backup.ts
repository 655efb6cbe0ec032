import type { BackupKind } from '../../../../shared/constants'
import { formatCount, formatCountOf, formatFileSize } from '../../../../shared/format'
import { mapLimited } from '../../../concurrency/map-limited'
import { readDatabaseContent } from '../../../db/database-content'
import type { CronRun, Deps } from '../../../domain/deps'
import { DomainError } from '../../../domain/errors'
import { codeOf } from '../../../process/error-code'
import { MAX_BACKED_UP_FILES, type BackupContents } from '../../../storage/backup-manifest'
import { signManifest } from '../../../storage/backup-signature'
import type { BackupDraft, StoredBackup } from '../../../storage/backup-store'
import type { StoredFile } from '../../../storage/file-store'
import { FILES_AT_ONCE, requireOwnSignature, verifyBackup } from './backup-verification'
import { chooseFilesToRead } from './files-to-read'

/** Disk space to leave free beside the backup, because the product keeps writing meanwhile. */
const SPARE_BYTES = 64 * 1024 * 1024
/** How often a run at most reports its progress through many files. */
const MAX_REPORTS = 20

/**
 * Makes a backup, which is listed only after it has been read back and checked: its database, and all files that
 * are new or were read longest ago (`chooseFilesToRead`). The database may have the schema of an earlier version.
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
    const createdAt = new Date(startedAt).toISOString()
    const { contents, isShared } = await fillDraft(deps, run, draft, createdAt)
    // Whoever goes back from an upgrade has this backup alone.
    const newest = kind === 'upgrade' ? undefined : draft.newestReadTimes
    const read = chooseFilesToRead(contents.files, { newest, isShared, now: startedAt })
    const copiedAt = deps.clock.now()
    await verifyDraft(deps, run, draft, { contents, files: read.files })
    const verifiedAt = deps.clock.now()
    await run.report('Publishing')
    run.signal.throwIfAborted()
    const manifest = signManifest(deps.secrets, contents, new Date(verifiedAt).toISOString())
    requireOwnSignature(deps.secrets, await draft.writeManifest(manifest))
    const backup = await draft.publish({ kind, readTimes: read.readTimes })
    const seconds = Math.ceil((verifiedAt - copiedAt) / 1_000)
    const size = formatFileSize(backup.archiveBytes)
    const files = formatCountOf(contents.files.length, 'file')
    const readBack = `database and ${formatCountOf(read.files.length, 'file')} read back`
    const summary = `${size}, ${files}; ${readBack} in ${seconds} s`
    return { backup, summary }
  } catch (error) {
    throw explain(error)
  } finally {
    await draft.discard()
  }
}

/** @throws DomainError UNAVAILABLE when there are too many files, or the disk has too little free space */
async function requireSpace(deps: Deps, signal: AbortSignal): Promise<void> {
  const { sizeBytes, files } = await deps.snapshots.measure(signal)
  if (files.length > MAX_BACKED_UP_FILES) {
    const [count, most] = [files.length, MAX_BACKED_UP_FILES].map((number) => formatCount(number))
    throw new DomainError(
      'UNAVAILABLE',
      `There are ${count} files, and a backup has at most ${most}: use the archive of the database server instead`,
    )
  }
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
): Promise<{ contents: BackupContents; isShared: (file: StoredFile) => boolean }> {
  const { signal } = run
  await run.report('Copying the database')
  await deps.snapshots.write(draft.databasePath, signal)
  const { migrations, rowCounts, files } = await readDatabaseContent(draft.databasePath, signal)
  const report = reportEach(run, 'Copying files', files.length)
  const shared = new Set<string>()
  await mapLimited(files, FILES_AT_ONCE, async (file, index) => {
    signal.throwIfAborted()
    await report(index)
    const { sha256 } = file
    const isShared = await draft.addFile(file, (path) => copyFile(deps, sha256, path))
    if (isShared) shared.add(sha256)
  })
  const database = await draft.measureDatabase(signal)
  if (!database) throw new Error('The snapshot of the database is missing')
  const { productVersion } = deps.config
  const measured = { database: { ...database, rowCounts }, files }
  return {
    contents: { productVersion, createdAt, migrations, ...measured },
    isShared: ({ sha256 }) => shared.has(sha256),
  }
}

async function verifyDraft(
  deps: Deps,
  run: CronRun,
  draft: BackupDraft,
  { contents, files }: { contents: BackupContents; files: StoredFile[] },
) {
  await run.report('Checking the database')
  await verifyBackup(draft, contents, {
    signal: run.signal,
    files,
    onFile: reportEach(run, 'Checking files', files.length),
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
