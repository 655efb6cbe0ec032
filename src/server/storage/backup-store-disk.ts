import { randomUUID } from 'node:crypto'
import {
  access,
  link,
  mkdir,
  readdir,
  readFile,
  rename,
  rm,
  stat,
  writeFile,
} from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { Readable } from 'node:stream'

import type { BackupKind } from '../../shared/constants'
import { syncPath } from '../process/sync-path'
import { system } from '../process/system'
import { packArchive, type PackedPart } from './backup-archive'
import {
  encodeManifest,
  isBackupName,
  parseManifest,
  toBackupName,
  toBackupTime,
  type FileList,
} from './backup-manifest'
import {
  CHUNK_BYTES,
  DATABASE_PART,
  describeFileList,
  FILES_FOLDER,
  listFiles,
  listParts,
  LISTS_FOLDER,
  MANIFEST_PART,
  measurePart,
  READ_TIMES_PART,
  readFileList,
  toBackupSize,
  toFilePart,
  toListPart,
  type NamedFileList,
} from './backup-parts'
import { encodeReadTimes, parseReadTimes, type ReadTimes } from './backup-read-times'
import type { BackupDraft, BackupStore, DraftFiles, StoredBackup } from './backup-store'
import type { StoredFile } from './file-store'
import { readFreeBytes } from './free-bytes'
import { isMissing } from './is-missing'
import { markFolder, openInFolder, removeUnread, type FolderPlaces } from './read-folders'
import { markWhileRead } from './while-read'

/** A file beside the parts of a backup that was made before the database was migrated. */
const UPGRADE_MARK = 'before-upgrade'
/** Names folders that have been deleted, and perhaps are still being read. */
const REMOVED = 'removed'

const ownerOf = (draft: string) => draft.split('.')[0] ?? ''

/**
 * Backups under `directory`, each in its own folder: `manifest.json`, `app.db` and the inventory files.
 * A file that an earlier backup has is hard-linked. Drafts are folders in `drafts/`; a draft becomes a
 * backup when its folder is renamed.
 */
export async function openDiskBackupStore(
  directory: string,
  now: () => number,
): Promise<BackupStore> {
  const draftsDirectory = join(directory, 'drafts')
  await mkdir(draftsDirectory, { recursive: true, mode: 0o700 })

  const listNames = async () =>
    (await readdir(directory)).filter(isBackupName).toSorted().toReversed()
  const find = async (name: string) =>
    isBackupName(name) ? readBackup(placesOf(name), name) : undefined
  const placesOf = (name: string): FolderPlaces => ({
    own: join(directory, name),
    removed: join(draftsDirectory, `${REMOVED}.${name}`),
    now,
  })
  /** Renames a folder before deleting it, so that it disappears in one step, and nobody begins to read it. */
  const removeFolder = async (path: string, hidden: string) => {
    const isRenamed = await rename(path, hidden).then(() => true, isMissingOrHeld)
    if (isRenamed) await removeUnread(hidden, now())
  }

  return {
    freeBytes: () => readFreeBytes(directory),
    async createDraft(owner) {
      const path = join(draftsDirectory, `${owner}.${randomUUID()}`)
      await mkdir(join(path, FILES_FOLDER), { recursive: true, mode: 0o700 })
      await writeFile(join(path, DATABASE_PART), '', { mode: 0o600 })
      const earlier = (await listNames()).map((name) => placesOf(name).own)
      return openDraft(path, earlier, placesOf)
    },
    async list() {
      const found = await Promise.all((await listNames()).map(find))
      return found.filter((backup) => backup !== undefined)
    },
    find,
    async findNewestTime(kind) {
      for (const name of await listNames()) {
        const { own } = placesOf(name)
        // A folder that somebody has begun to remove, or made by hand, is not a backup.
        const isComplete = await exists(join(own, MANIFEST_PART))
        if (isComplete && (await readKind(own)) === kind) return toBackupTime(name)
      }
      return null
    },
    async delete(name) {
      const { own, removed } = placesOf(name)
      await removeFolder(own, removed)
    },
    async removeDrafts(findLiveOwners) {
      const names = await readdir(draftsDirectory)
      const alive = await findLiveOwners()
      const isRemoved = (name: string) => ownerOf(name) === REMOVED
      const dead = names.filter((name) => !isRemoved(name) && !alive.has(ownerOf(name)))
      for (const name of dead) {
        const hidden = join(draftsDirectory, `${REMOVED}.${randomUUID()}`)
        await removeFolder(join(draftsDirectory, name), hidden)
      }
      for (const name of names.filter(isRemoved))
        await removeUnread(join(draftsDirectory, name), now())
      return dead.length
    },
  }
}

/** @param earlier the folders of the published backups, newest first */
async function openDraft(
  path: string,
  earlier: string[],
  placesOf: (name: string) => FolderPlaces,
): Promise<BackupDraft> {
  const [newest] = earlier
  const files = openDraftFiles(path, earlier)
  return {
    newestReadTimes: newest === undefined ? undefined : await readReadTimes(newest),
    newestHasLists: newest !== undefined && (await exists(join(newest, LISTS_FOLDER))),
    databasePath: join(path, DATABASE_PART),
    measureDatabase: (signal) => measurePart(path, DATABASE_PART, signal),
    ...files,
    openList: async (prefix) => ({ ...files, write: (listed) => writeList(path, prefix, listed) }),
    async writeManifest(manifest) {
      const text = encodeManifest(manifest)
      await writeFile(join(path, MANIFEST_PART), text, { flag: 'wx', mode: 0o600 })
      return (await requireManifest(path)).manifest
    },
    async publish({ kind, readTimes }) {
      const { manifest } = await requireManifest(path)
      const text = encodeReadTimes(readTimes)
      await writeFile(join(path, READ_TIMES_PART), text, { mode: 0o600 })
      if (kind === 'upgrade') await writeFile(join(path, UPGRADE_MARK), '', { mode: 0o600 })
      const name = toBackupName(manifest.createdAt)
      const lists = manifest.fileLists ? [LISTS_FOLDER] : []
      const parts = [MANIFEST_PART, READ_TIMES_PART, DATABASE_PART, FILES_FOLDER, ...lists]
      for (const written of [...parts.map((part) => join(path, part)), path])
        await syncPath(written)
      const places = placesOf(name)
      await rename(path, places.own)
      await syncPath(dirname(places.own))
      const published = await readBackup(places, name)
      if (!published) throw new Error(`${name} cannot be read back`)
      return published
    },
    discard: () => rm(path, { recursive: true, force: true }),
  }
}

/** @param earlier the folders of the published backups, newest first */
function openDraftFiles(path: string, earlier: string[]): DraftFiles {
  const pathOf = (sha256: string) => join(path, toFilePart(sha256))
  return {
    measureFile: (sha256, signal) => measurePart(path, toFilePart(sha256), signal),
    async addFile({ sha256, sizeBytes }, copy) {
      for (const source of earlier) {
        const existing = join(source, toFilePart(sha256))
        if (await tryLink(existing, pathOf(sha256), sizeBytes)) return source === earlier[0]
      }
      await copy(pathOf(sha256))
      return false
    },
    async replaceFile(sha256, copy) {
      // Removed first: overwriting it would also change an earlier backup that links to the same file.
      await rm(pathOf(sha256), { force: true })
      await copy(pathOf(sha256))
    },
  }
}

async function writeList(
  path: string,
  prefix: string,
  files: readonly StoredFile[],
): Promise<FileList> {
  const target = join(path, toListPart(prefix))
  await mkdir(dirname(target), { recursive: true, mode: 0o700 })
  const { text, list } = describeFileList(files)
  await writeFile(target, text, { flag: 'wx', mode: 0o600 })
  await syncPath(target)
  return list
}

/** Returns undefined for a folder without a valid manifest. */
async function readManifest(folder: string) {
  const text = await readFile(join(folder, MANIFEST_PART), 'utf8').catch(() => '')
  const parsed = parseManifest(text)
  return 'problem' in parsed ? undefined : { manifest: parsed.manifest, text }
}

async function requireManifest(folder: string) {
  const found = await readManifest(folder)
  if (!found) throw new Error('The manifest cannot be read back')
  return found
}

async function readBackup(places: FolderPlaces, name: string): Promise<StoredBackup | undefined> {
  const found = await readManifest(places.own)
  if (!found) return undefined
  const { manifest, text } = found
  const manifestBytes = Buffer.byteLength(text)
  const readList = async (list: NamedFileList) => {
    const files = await readFileList(await openPartOf(places, toListPart(list.prefix)), list)
    if (!files) throw new Error(`The list ${list.prefix} of ${name} is damaged`)
    return files
  }
  async function* packParts(): AsyncGenerator<PackedPart> {
    yield { name: MANIFEST_PART, sizeBytes: manifestBytes, open: () => Readable.from([text]) }
    for await (const part of listParts(manifest, readList)) {
      yield { ...part, open: () => openPartOf(places, part.name) }
    }
  }
  return {
    name,
    kind: await readKind(places.own),
    manifest,
    readTimes: await readReadTimes(places.own),
    archiveBytes: toBackupSize(manifest, manifestBytes),
    listFiles: () => listFiles(manifest, readList),
    async openArchive() {
      const mark = await markFolder(places)
      return mark && markWhileRead(packArchive(packParts(), new Date(manifest.createdAt)), mark)
    },
  }
}

async function readKind(folder: string): Promise<BackupKind> {
  return (await exists(join(folder, UPGRADE_MARK))) ? 'upgrade' : 'daily'
}

async function exists(path: string): Promise<boolean> {
  return access(path).then(() => true, isMissing)
}

async function openPartOf(places: FolderPlaces, name: string): Promise<Readable> {
  const file = await openInFolder(places, name)
  return file.createReadStream({ highWaterMark: CHUNK_BYTES })
}

/** Also returns false, on Windows, for a folder that is being read: it is removed when the next one is published. */
function isMissingOrHeld(error: NodeJS.ErrnoException): false {
  const isHeld =
    !system.renamesOpenFolders && ['EPERM', 'EACCES', 'EBUSY'].includes(error.code ?? '')
  return isHeld ? false : isMissing(error)
}

async function readReadTimes(folder: string): Promise<ReadTimes | undefined> {
  return parseReadTimes(await readFile(join(folder, READ_TIMES_PART), 'utf8').catch(() => ''))
}

/** Returns false when there is no such file of this size, or the file system has no hard links. */
async function tryLink(existing: string, path: string, sizeBytes: number): Promise<boolean> {
  const isLinked = await link(existing, path).then(
    () => true,
    () => false,
  )
  if (!isLinked || (await stat(path)).size === sizeBytes) return isLinked
  await rm(path)
  return false
}
