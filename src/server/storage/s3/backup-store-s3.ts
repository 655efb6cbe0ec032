import { randomUUID } from 'node:crypto'
import { mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { text } from 'node:stream/consumers'

import type { BackupKind } from '../../../shared/constants'
import { packArchive, toArchiveSize } from '../backup-archive'
import {
  encodeManifest,
  isBackupName,
  parseManifest,
  toBackupName,
  toBackupTime,
} from '../backup-manifest'
import {
  DATABASE_PART,
  listParts,
  MANIFEST_PART,
  measure,
  measurePart,
  READ_TIMES_PART,
} from '../backup-parts'
import { encodeReadTimes, parseReadTimes, type ReadTimes } from '../backup-read-times'
import type { BackupDraft, BackupStore, StoredBackup } from '../backup-store'
import { markWhileRead } from '../while-read'
import type { Bucket } from './bucket'
import {
  listBackupNames,
  publishedName,
  readAllPublished,
  readPublished,
  type Published,
} from './published-backups'
import { listObjectsInUse, markObjects } from './read-objects'
import { missingObject } from './store-errors'

const DATA = 'backups/data/'
/** An object for each backup that was made before the database was migrated. */
const upgradeMark = (name: string) => `backups/upgrades/${name}`
/** An object of each draft, as long as the draft may be published. */
const MARK = 'draft'

/**
 * Backups in a bucket. The parts of each are objects in the folder of its draft, or of an earlier
 * backup's that has the same file; what makes them a backup is one object that names them,
 * `backups/published/{name}.json`.
 * One backup is made at a time.
 * @param scratch a folder on this machine for databases that are being backed up
 */
export function createBucketBackupStore(bucket: Bucket, scratch: string): BackupStore {
  const find = async (name: string) => {
    const found = isBackupName(name) ? await readPublished(bucket, name) : undefined
    return found && toBackup({ bucket, scratch }, name, found, await readKind(bucket, name))
  }

  return {
    // Scratch space for the database is found to be too small when it is.
    freeBytes: async () => Infinity,
    createDraft: (owner) => openDraft(bucket, scratch, owner),
    async list() {
      const names = (await listBackupNames(bucket)).toReversed()
      const found = await Promise.all(names.map(find))
      return found.filter((backup) => backup !== undefined)
    },
    find,
    async findNewestTime(kind) {
      for (const name of (await listBackupNames(bucket)).toReversed()) {
        if ((await readKind(bucket, name)) === kind) return toBackupTime(name)
      }
      return null
    },
    async delete(name) {
      await bucket.delete(publishedName(name))
      await bucket.delete(upgradeMark(name))
      await deleteUnnamed(bucket, (folder) => folder.isMarked)
    },
    async removeDrafts(findLiveOwners) {
      const drafts = (await listFolders(bucket)).filter(({ isMarked }) => isMarked)
      const scratches = await readdir(scratch).catch(() => [])
      const alive = await findLiveOwners()
      const isDead = ({ owner }: Folder) => !alive.has(owner)
      const dead = drafts.filter(isDead)
      // From here on they cannot be published.
      await bucket.deleteAll(dead.map(({ path }) => path + MARK))
      for (const name of scratches.filter((each) => !alive.has(ownerOf(each)))) {
        await rm(join(scratch, name), { recursive: true, force: true })
      }
      const paths = new Set(dead.map(({ path }) => path))
      await deleteUnnamed(bucket, ({ path, isMarked }) => isMarked && !paths.has(path))
      return dead.length
    },
  }
}

async function openDraft(bucket: Bucket, scratch: string, owner: string): Promise<BackupDraft> {
  await mkdir(scratch, { recursive: true, mode: 0o700 })
  const local = await mkdtemp(join(scratch, `${owner}.`))
  const folder = `${DATA}${owner}.${randomUUID()}/`
  const databasePath = join(local, DATABASE_PART)
  await writeFile(databasePath, '', { mode: 0o600 })
  const earlier = await readAllPublished(bucket)
  const [newest] = earlier
  const parts: Record<string, string> = {}
  let manifestText: string | undefined

  const putText = (name: string, content: string) => putTextFrom(bucket, local, name, content)
  const upload = async (sha256: string, copy: (path: string) => Promise<void>) => {
    const path = join(local, randomUUID())
    await copy(path)
    const name = `${folder}${randomUUID()}`
    await bucket.put(name, path)
    await rm(path, { force: true })
    parts[filePart(sha256)] = name
  }
  await putText(folder + MARK, '')

  return {
    newestReadTimes: newest && (await readReadTimes(bucket, newest)),
    databasePath,
    measureDatabase: (signal) => measurePart(local, DATABASE_PART, signal),
    measureFile: (sha256, signal) => measureObject(bucket, parts[filePart(sha256)], signal),
    async addFile({ sha256, sizeBytes }, copy) {
      const part = filePart(sha256)
      const known = earlier.map((backup) => backup.parts[part])
      const shared = known.find((name) => name !== undefined)
      if (shared !== undefined && (await bucket.find(shared))?.sizeBytes === sizeBytes) {
        parts[part] = shared
        return shared === newest?.parts[part]
      }
      await upload(sha256, copy)
      return false
    },
    replaceFile: upload,
    async writeManifest(manifest) {
      const encoded = encodeManifest(manifest)
      const parsed = parseManifest(encoded)
      if ('problem' in parsed) throw new Error('The manifest cannot be read back')
      manifestText = encoded
      return parsed.manifest
    },
    async publish({ kind, readTimes }) {
      if (manifestText === undefined) throw new Error('The manifest cannot be read back')
      const parsed = parseManifest(manifestText)
      if ('problem' in parsed) throw new Error(parsed.problem)
      const name = toBackupName(parsed.manifest.createdAt)
      await putDatabase(bucket, local, `${folder}${DATABASE_PART}`)
      parts[DATABASE_PART] = `${folder}${DATABASE_PART}`
      await putText(`${folder}${READ_TIMES_PART}`, encodeReadTimes(readTimes))
      parts[READ_TIMES_PART] = `${folder}${READ_TIMES_PART}`
      await requireMark(bucket, folder)
      if (kind === 'upgrade') await putText(upgradeMark(name), '')
      await putText(publishedName(name), JSON.stringify({ manifest: manifestText, parts }))
      try {
        await requireMark(bucket, folder)
      } catch (error) {
        await bucket.delete(publishedName(name))
        throw error
      }
      const published = await readPublished(bucket, name)
      await bucket.delete(folder + MARK)
      manifestText = undefined
      const backup = published && (await toBackup({ bucket, scratch }, name, published, kind))
      if (!backup) throw new Error(`${name} cannot be read back`)
      return backup
    },
    async discard() {
      await rm(local, { recursive: true, force: true })
      await bucket.delete(folder + MARK)
      await deleteUnnamed(bucket, ({ path }) => path !== folder)
    },
  }
}

/** Puts a text by way of a file in `folder`. */
async function putTextFrom(bucket: Bucket, folder: string, name: string, content: string) {
  const path = join(folder, randomUUID())
  await writeFile(path, content, { mode: 0o600 })
  try {
    await bucket.put(name, path)
  } finally {
    await rm(path, { force: true })
  }
}

const filePart = (sha256: string) => `files/${sha256}.csv`

/** Puts the database, and reads it back. */
async function putDatabase(bucket: Bucket, local: string, name: string): Promise<void> {
  const { signal } = new AbortController()
  const written = await measurePart(local, DATABASE_PART, signal)
  await bucket.put(name, join(local, DATABASE_PART))
  const read = await measureObject(bucket, name, signal)
  if (!written || read?.sha256 !== written.sha256) {
    throw new Error('The database in the bucket differs from the one that was put there')
  }
}

/** @throws an error with code ENOENT when the draft was removed, because its run seemed dead */
async function requireMark(bucket: Bucket, folder: string): Promise<void> {
  if (!(await bucket.find(folder + MARK))) throw missingObject(folder + MARK)
}

async function measureObject(bucket: Bucket, name: string | undefined, signal: AbortSignal) {
  if (name === undefined || !(await bucket.find(name))) return undefined
  return measure(await bucket.read(name), signal)
}

async function readKind(bucket: Bucket, name: string): Promise<BackupKind> {
  return (await bucket.find(upgradeMark(name))) ? 'upgrade' : 'daily'
}

async function readReadTimes(bucket: Bucket, { parts }: Published): Promise<ReadTimes | undefined> {
  const name = parts[READ_TIMES_PART]
  return name === undefined ? undefined : parseReadTimes(await text(await bucket.read(name)))
}

async function toBackup(
  { bucket, scratch }: { bucket: Bucket; scratch: string },
  name: string,
  published: Published,
  kind: BackupKind,
): Promise<StoredBackup | undefined> {
  const { manifest: manifestText, parts: objects } = published
  const parsed = parseManifest(manifestText)
  if ('problem' in parsed) return undefined
  const { manifest } = parsed
  const open = (part: string) => Readable.from(readLate(bucket, objects[part] ?? part))
  const parts = [
    {
      name: MANIFEST_PART,
      sizeBytes: Buffer.byteLength(manifestText),
      open: () => Readable.from([manifestText]),
    },
    ...listParts(manifest).map((part) => ({ ...part, open: () => open(part.name) })),
  ]
  return {
    name,
    kind,
    manifest,
    readTimes: await readReadTimes(bucket, published),
    archiveBytes: toArchiveSize(parts.map(({ sizeBytes }) => sizeBytes)),
    async openArchive() {
      const put = (mark: string, content: string) => putTextFrom(bucket, scratch, mark, content)
      await mkdir(scratch, { recursive: true, mode: 0o700 })
      const mark = await markObjects(bucket, Object.values(objects), put)
      // Whoever deletes the backup from now on finds the mark.
      if (!(await bucket.find(publishedName(name)))) {
        await mark.release()
        return undefined
      }
      return markWhileRead(packArchive(parts, new Date(manifest.createdAt)), mark)
    },
  }
}

async function* readLate(bucket: Bucket, name: string): AsyncGenerator<Buffer> {
  yield* (await bucket.read(name)) as AsyncIterable<Buffer>
}

const ownerOf = (draft: string) => draft.split('.')[0] ?? ''

/** The folder of a draft, published or not. */
type Folder = { path: string; owner: string; isMarked: boolean; names: string[] }

async function listFolders(bucket: Bucket): Promise<Folder[]> {
  const folders = new Map<string, Folder>()
  for await (const { name } of bucket.list(DATA)) {
    const path = name.slice(0, name.indexOf('/', DATA.length) + 1)
    const owner = ownerOf(path.slice(DATA.length))
    const folder = folders.get(path) ?? { path, owner, isMarked: false, names: [] }
    folders.set(path, folder)
    folder.names.push(name)
    if (name === path + MARK) folder.isMarked = true
  }
  return [...folders.values()]
}

/**
 * Deletes the parts that no backup names and nobody reads. What drafts have put is listed before the
 * backups are, so that parts of a draft that is published meanwhile are found to be named.
 * @param isKept whether a folder stays as it is
 */
async function deleteUnnamed(bucket: Bucket, isKept: (folder: Folder) => boolean): Promise<void> {
  const folders = (await listFolders(bucket)).filter((folder) => !isKept(folder))
  const published = await readAllPublished(bucket)
  const named = new Set([
    ...published.flatMap(({ parts }) => Object.values(parts)),
    ...(await listObjectsInUse(bucket)),
  ])
  const stored = folders.flatMap(({ names }) => names)
  await bucket.deleteAll(stored.filter((name) => !named.has(name)))
}
