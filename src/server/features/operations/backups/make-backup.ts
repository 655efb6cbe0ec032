import type { BackupKind } from '../../../../shared/constants'
import { formatCountOf, formatFileSize } from '../../../../shared/format'
import { mapLimited } from '../../../concurrency/map-limited'
import { readDatabaseContent, readNamedFiles } from '../../../db/database-content'
import type { CronRun, Deps } from '../../../domain/deps'
import { DomainError } from '../../../domain/errors'
import { codeOf } from '../../../process/error-code'
import {
  countFiles,
  LIST_PREFIX_GROUPS,
  LIST_PREFIXES,
  MAX_FILES_IN_LIST,
  MAX_FILES_IN_MANIFEST,
  type BackupContents,
  type FileList,
} from '../../../storage/backup-manifest'
import { signManifest } from '../../../storage/backup-signature'
import type { BackupDraft, DraftFiles, StoredBackup } from '../../../storage/backup-store'
import type { StoredFile } from '../../../storage/file-store'
import {
  FILES_AT_ONCE,
  requireOwnSignature,
  verifyDatabase,
  verifyFiles,
} from './backup-verification'
import { chooseFilesToRead, type FilesToRead } from './files-to-read'

/** Disk space to leave free beside the backup, because the product keeps writing meanwhile. */
const SPARE_BYTES = 64 * 1024 * 1024
/** How often a run at most reports its progress through many files. */
const MAX_REPORTS = 20

/**
 * Makes a backup, which is listed only after it has been read back and checked: its database, and all files that
 * are new or were read longest ago (`chooseFilesToRead`). The database may have the schema of an earlier version.
 * @param run holds the lease of the backup job, so that one backup is made at a time and no stored file is
 *   deleted meanwhile
 * @param mostInManifest a backup with more files has lists of them; after one that has, with more than half as many
 * @returns the backup, and a summary of it in a line
 * @throws DomainError when there is too little space, or something to back up is missing or damaged
 */
export async function makeBackup(
  deps: Deps,
  run: CronRun,
  kind: BackupKind,
  mostInManifest = MAX_FILES_IN_MANIFEST,
): Promise<{ backup: StoredBackup; summary: string }> {
  const startedAt = deps.clock.now()
  await run.report('Checking the free space')
  await requireSpace(deps, run.signal)
  const draft = await deps.backups.createDraft(run.leaseToken).catch((error: unknown) => {
    throw explain(error)
  })
  try {
    // Whoever goes back from an upgrade has this backup alone.
    const newest = kind === 'upgrade' ? undefined : draft.newestReadTimes
    const toRead = chooseFilesToRead(newest, startedAt)
    const readBack = { files: 0, ms: 0 }
    const work = { deps, run, draft, startedAt, toRead, readBack, mostInManifest }
    const contents = await fillDraft(work)
    const verifiedAt = deps.clock.now()
    await run.report('Publishing')
    run.signal.throwIfAborted()
    const manifest = signManifest(deps.secrets, contents, new Date(verifiedAt).toISOString())
    requireOwnSignature(deps.secrets, await draft.writeManifest(manifest))
    const backup = await draft.publish({ kind, readTimes: toRead.readTimes })
    const size = formatFileSize(backup.archiveBytes)
    const files = formatCountOf(countFiles(contents), 'file')
    const what = `database and ${formatCountOf(readBack.files, 'file')} read back`
    const summary = `${size}, ${files}; ${what} in ${Math.ceil(readBack.ms / 1_000)} s`
    return { backup, summary }
  } catch (error) {
    throw explain(error)
  } finally {
    await draft.discard()
  }
}

/** @throws DomainError UNAVAILABLE when the disk has too little free space */
async function requireSpace(deps: Deps, signal: AbortSignal): Promise<void> {
  const freeBytes = await deps.backups.freeBytes()
  if (freeBytes === Infinity) return
  const { sizeBytes, ...files } = await deps.snapshots.measure(signal)
  const neededBytes = sizeBytes + SPARE_BYTES + (await measureCopied(deps, files, signal))
  if (freeBytes >= neededBytes) return
  const [needed, free] = [formatFileSize(neededBytes, 0), formatFileSize(freeBytes, 0)]
  throw new DomainError(
    'UNAVAILABLE',
    `A backup needs ${needed} of disk space, and ${free} are free`,
  )
}

/** How many bytes the files take that no backup has; of very many, at least. */
async function measureCopied(
  { backups, snapshots }: Deps,
  { fileCount, fileBytes }: { fileCount: number; fileBytes: number },
  signal: AbortSignal,
): Promise<number> {
  const stored = await backups.list()
  if (fileCount > MAX_FILES_IN_MANIFEST) {
    return Math.max(0, fileBytes - (stored[0]?.archiveBytes ?? 0))
  }
  const shared = new Set<string>()
  for (const { listFiles } of stored) {
    for await (const { sha256 } of listFiles()) shared.add(sha256)
  }
  const copied = (await snapshots.listFiles(signal)).filter(({ sha256 }) => !shared.has(sha256))
  return copied.reduce((sum, file) => sum + file.sizeBytes, 0)
}

/** What making a backup works with. */
type Work = {
  deps: Deps
  run: CronRun
  draft: BackupDraft
  startedAt: number
  toRead: FilesToRead
  /** How many files have been read back, and how long that and reading the database took. */
  readBack: { files: number; ms: number }
  mostInManifest: number
}

/**
 * Copies the database first. Files that it names stay available, because no stored file is deleted
 * while a backup is in progress: see storage-cleaning.
 */
async function fillDraft(work: Work): Promise<BackupContents> {
  const { deps, run, draft } = work
  const { signal } = run
  await run.report('Copying the database')
  await deps.snapshots.write(draft.databasePath, signal)
  const content = await readDatabaseContent(draft.databasePath, signal)
  const { migrations, rowCounts, fileCount } = content
  const database = await draft.measureDatabase(signal)
  if (!database) throw new Error('The snapshot of the database is missing')
  const described = {
    productVersion: deps.config.productVersion,
    createdAt: new Date(work.startedAt).toISOString(),
    migrations,
    database: { ...database, rowCounts },
  }
  await run.report('Checking the database')
  await countTime(work, () => verifyDatabase(draft, described, { signal }))
  // Files are shared from list to list: a number near the limit is not to copy all of them each night.
  const most = draft.newestHasLists ? work.mostInManifest / 2 : work.mostInManifest
  if (fileCount <= most) {
    const [files = []] = await readNamedFiles(draft.databasePath, [''], signal)
    await addFiles(work, { target: draft, files })
    return { ...described, files }
  }
  const fileLists: FileList[] = []
  for (const prefixes of LIST_PREFIX_GROUPS) {
    const found = await readNamedFiles(draft.databasePath, prefixes, signal)
    for (const [index, prefix] of prefixes.entries()) {
      const target = await draft.openList(prefix)
      const files = found[index] ?? []
      await addFiles(work, { target, files, list: fileLists.length + 1 })
      fileLists.push(await target.write(files))
    }
  }
  return { ...described, files: [], fileLists }
}

/** Files to be added; `list` is the number of the list that they are in. */
type Added = { target: DraftFiles; files: StoredFile[]; list?: number }

/**
 * Adds files, and reads back what is new of them, and what is due.
 * @throws DomainError when one is missing or damaged, or there are more than a list has
 */
async function addFiles(work: Work, { target, files, list }: Added): Promise<void> {
  const { deps, run, toRead, readBack } = work
  const { signal } = run
  if (list !== undefined && files.length > MAX_FILES_IN_LIST) {
    throw new DomainError('UNAVAILABLE', 'There are more files than a backup can have')
  }
  const place = list === undefined ? '' : `list ${list} of ${LIST_PREFIXES.length}, `
  const read = new Set<StoredFile>()
  const report = reportEach(run, 'Copying files', place, files.length)
  await mapLimited(files, FILES_AT_ONCE, async (file, index) => {
    signal.throwIfAborted()
    await report(index)
    const isShared = await target.addFile(file, (path) => copyFile(deps, file.sha256, path))
    if (toRead.isRead(file, isShared)) read.add(file)
  })
  const verification = {
    onFile: reportEach(run, 'Checking files', place, read.size),
    // A copy shared with an earlier backup may have been damaged since; the store still has the
    // file.
    replaceFile: (sha256: string) =>
      target.replaceFile(sha256, (path) => copyFile(deps, sha256, path)),
  }
  const chosen = files.filter((file) => read.has(file))
  await countTime(work, () => verifyFiles(target, chosen, signal, verification))
  readBack.files += chosen.length
}

async function countTime({ deps, readBack }: Work, verify: () => Promise<void>): Promise<void> {
  const startedAt = deps.clock.now()
  await verify()
  readBack.ms += deps.clock.now() - startedAt
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

/** Returns a function that reports progress, at most MAX_REPORTS times in all, or once if it is in one of many places. */
function reportEach(run: CronRun, what: string, place: string, count: number) {
  const every = Math.ceil(count / (place === '' ? MAX_REPORTS : 1))
  return async (index: number) => {
    if (index % every === 0) await run.report(`${what} (${place}${index + 1} of ${count})`)
  }
}

function explain(error: unknown): unknown {
  const isFull = ['ENOSPC', 'EDQUOT', 'SQLITE_FULL'].includes(codeOf(error))
  return isFull ? new DomainError('UNAVAILABLE', 'The disk became full during the backup') : error
}
