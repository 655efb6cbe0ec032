import { randomUUID } from 'node:crypto'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'

import { encodeManifest, LIST_PREFIXES, parseManifest, toBackupName } from '../backup-manifest'
import {
  DATABASE_PART,
  describeFileList,
  measurePart,
  READ_TIMES_PART,
  toFilePart,
  toListPart,
} from '../backup-parts'
import { encodeReadTimes } from '../backup-read-times'
import type { BackupDraft, CopyFile, DraftFiles } from '../backup-store'
import { DATA, deleteUnlisted, deleteUnnamed, LISTED, MARK } from './backup-objects'
import type { Bucket, BucketPlace } from './bucket'
import { createObjectMeasurer, type ObjectMeasurer } from './measure-objects'
import { nameOf } from './object-names'
import {
  publishedName,
  readAllPublished,
  readObjectsOfList,
  readPublished,
  toObjectsPart,
  type Published,
} from './published-backups'
import { missingObject } from './store-errors'
import { putTextFrom, readReadTimes, toBackup, upgradeMark } from './stored-backup'

type FilesPlace = Pick<BucketPlace, 'bucket' | 'prefix'> | undefined
export type Stores = {
  bucket: Bucket
  /** A folder on this machine for databases that are being backed up. */
  scratch: string
  /** Where the bucket is, and that of the files, which is at the same server, if they are in one. */
  places: { backups: BucketPlace; files: FilesPlace }
}

/** What a draft of a backup in a bucket works with. */
type Draft = {
  bucket: Bucket
  /** The bucket of the files, if they are in one. */
  files: FilesPlace
  /** The folder of the draft in the bucket, and on this machine. */
  folder: string
  local: string
  measurer: ObjectMeasurer
}

/** @param owner the lease token of the run that makes the backup */
export async function openDraft(stores: Stores, owner: string): Promise<BackupDraft> {
  const { bucket, scratch, places } = stores
  await mkdir(scratch, { recursive: true, mode: 0o700 })
  const local = await mkdtemp(join(scratch, `${owner}.`))
  const id = `${owner}.${randomUUID()}`
  const folder = `${DATA}${id}/`
  const databasePath = join(local, DATABASE_PART)
  await writeFile(databasePath, '', { mode: 0o600 })
  const earlier = await readAllPublished(bucket)
  const [newest] = earlier
  const parts: Record<string, string> = {}
  let manifestText: string | undefined
  /** Whether files of lists have to be removed with the draft. */
  let hasLists = false
  const measurer = createObjectMeasurer(places.backups)
  const draft: Draft = { bucket, files: places.files, folder, local, measurer }

  const putText = (name: string, content: string) => putTextFrom(bucket, local, name, content)
  const putPart = async (part: string, content: string) => {
    await putText(folder + part, content)
    parts[part] = folder + part
  }
  await putText(folder + MARK, '')

  return {
    newestReadTimes: newest && (await readReadTimes(bucket, newest)),
    newestHasLists: LIST_PREFIXES.some((prefix) => newest?.parts[toListPart(prefix)]),
    databasePath,
    measureDatabase: (signal) => measurePart(local, DATABASE_PART, signal),
    ...openDraftFiles(draft, {
      objects: createObjects(parts),
      newName: () => `${folder}${randomUUID()}`,
      async findShared(sha256, sizeBytes) {
        const known = earlier.map((backup) => backup.parts[toFilePart(sha256)])
        const shared = known.find((name) => name !== undefined)
        if (shared === undefined) return undefined
        if ((await bucket.find(shared))?.sizeBytes !== sizeBytes) return undefined
        return { object: shared, isOfNewest: shared === newest?.parts[toFilePart(sha256)] }
      },
    }),
    async openList(prefix) {
      hasLists = true
      const { objects, ...list } = await openListed(bucket, id, prefix, newest)
      return {
        ...openDraftFiles(draft, { objects, ...list }),
        async write(files) {
          const { text: content, list: written } = describeFileList(files)
          await putPart(toListPart(prefix), content)
          if (objects.size > 0) {
            await putPart(toObjectsPart(prefix), JSON.stringify(Object.fromEntries(objects)))
          }
          return written
        },
      }
    },
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
      await putDatabase(draft, `${folder}${DATABASE_PART}`)
      parts[DATABASE_PART] = `${folder}${DATABASE_PART}`
      await putPart(READ_TIMES_PART, encodeReadTimes(readTimes))
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
      hasLists = false
      const backup = published && (await toBackup({ bucket, scratch }, name, published, kind))
      if (!backup) throw new Error(`${name} cannot be read back`)
      return backup
    },
    async discard() {
      await measurer.close()
      await rm(local, { recursive: true, force: true })
      await bucket.delete(folder + MARK)
      await deleteUnnamed(bucket, ({ path }) => path !== folder)
      if (hasLists) await deleteUnlisted(bucket, id)
    },
  }
}

/** The objects of files by their hashes. */
type Objects = {
  get(sha256: string): string | undefined
  set(sha256: string, object: string): void
}
/** Where files of a draft are, and which of earlier backups it can share. */
type DraftObjects = {
  objects: Objects
  newName(sha256: string): string
  findShared(sha256: string, sizeBytes: number): Promise<Shared | undefined>
}
type Shared = { object: string; isOfNewest: boolean }

/** The objects of files among the parts of a backup. */
const createObjects = (parts: Record<string, string>): Objects => ({
  get: (sha256) => parts[toFilePart(sha256)],
  set: (sha256, object) => void (parts[toFilePart(sha256)] = object),
})

function openDraftFiles(
  { bucket, files, local, measurer }: Draft,
  { objects, newName, findShared }: DraftObjects,
): DraftFiles {
  const upload = async (sha256: string, copy: CopyFile) => {
    const name = newName(sha256)
    if (!files || !(await bucket.copyFrom(files, nameOf(sha256), name))) {
      const path = join(local, randomUUID())
      await copy(path)
      await bucket.put(name, path)
      await rm(path, { force: true })
    }
    objects.set(sha256, name)
  }
  return {
    async measureFile(sha256, signal) {
      const object = objects.get(sha256)
      return object === undefined ? undefined : measurer.measure(object, signal)
    },
    async addFile({ sha256, sizeBytes }, copy) {
      const shared = await findShared(sha256, sizeBytes)
      if (!shared) {
        await upload(sha256, copy)
        return false
      }
      objects.set(sha256, shared.object)
      return shared.isOfNewest
    },
    replaceFile: upload,
  }
}

/** Files of a list share what the newest backup has in its list; the bucket is asked for all of them together. */
async function openListed(
  bucket: Bucket,
  id: string,
  prefix: string,
  newest: Published | undefined,
): Promise<DraftObjects & { objects: Map<string, string> }> {
  const folder = `${LISTED}${prefix}/`
  const known = await readObjectsOfList(bucket, newest?.parts[toObjectsPart(prefix)])
  const sizes = new Map<string, number>()
  for await (const { name, sizeBytes } of bucket.list(folder)) sizes.set(name, sizeBytes)
  return {
    objects: new Map(),
    newName: (sha256) => `${folder}${sha256}.${id}`,
    async findShared(sha256, sizeBytes) {
      const object = known[sha256]
      if (object === undefined || sizes.get(object) !== sizeBytes) return undefined
      return { object, isOfNewest: true }
    },
  }
}

/** Puts the database, and reads it back. */
async function putDatabase({ bucket, local, measurer }: Draft, name: string): Promise<void> {
  const { signal } = new AbortController()
  const written = await measurePart(local, DATABASE_PART, signal)
  await bucket.put(name, join(local, DATABASE_PART))
  const read = await measurer.measure(name, signal)
  if (!written || read?.sha256 !== written.sha256) {
    throw new Error('The database in the bucket differs from the one that was put there')
  }
}

/** @throws an error with code ENOENT when the draft was removed, because its run seemed dead */
async function requireMark(bucket: Bucket, folder: string): Promise<void> {
  if (!(await bucket.find(folder + MARK))) throw missingObject(folder + MARK)
}
