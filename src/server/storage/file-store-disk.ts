import { createHash, randomUUID } from 'node:crypto'
import { createReadStream } from 'node:fs'
import {
  access,
  constants,
  copyFile,
  link,
  mkdir,
  open,
  opendir,
  readdir,
  rename,
  rm,
  stat,
  statfs,
  type FileHandle,
} from 'node:fs/promises'
import { dirname, join } from 'node:path'

import type { FileDraft, FileStore, StoredFile } from './file-store'
import { syncPath } from './sync-path'

/** Two of these are in memory for each of hundreds of slow readers. */
const READ_SIZE = 64 * 1024

/** Files under `directory`: `{first two of the hash}/{hash}.csv`, scratch files in `drafts/`. */
export async function openDiskFileStore(directory: string): Promise<FileStore> {
  const draftsDirectory = join(directory, 'drafts')
  await mkdir(draftsDirectory, { recursive: true, mode: 0o700 })
  const pathOf = (sha256: string) => join(directory, sha256.slice(0, 2), `${sha256}.csv`)

  return {
    async createDraft(owner) {
      const path = join(draftsDirectory, `${owner}.${randomUUID()}`)
      return createDiskDraft(path, await open(path, 'wx+', 0o600), pathOf)
    },
    async read(sha256, range) {
      const handle = await open(pathOf(sha256), 'r')
      return handle.createReadStream({ highWaterMark: READ_SIZE, ...range })
    },
    async copyTo(sha256, path) {
      await copyFile(pathOf(sha256), path, constants.COPYFILE_FICLONE)
      await syncPath(path)
    },
    async has(sha256) {
      return stat(pathOf(sha256)).then(
        () => true,
        () => false,
      )
    },
    async deleteIf(sha256, isUnneeded) {
      const path = pathOf(sha256)
      const hidden = join(draftsDirectory, `${sha256}.${randomUUID()}`)
      const found = await stat(path).catch(isMissing)
      if (!found || !(await isUnneeded(found.mtimeMs))) return false
      const isFound = await rename(path, hidden).then(() => true, isMissing)
      if (!isFound) return false
      const { mtimeMs } = await stat(hidden)
      const isDeleted = await isUnneeded(mtimeMs)
      if (!isDeleted) await link(hidden, path).catch(ignoreExisting)
      await rm(hidden, { force: true })
      return isDeleted
    },
    list: () => listFiles(directory),
    removeDrafts: (findLiveOwners) => removeDrafts(draftsDirectory, findLiveOwners),
    check: () => access(draftsDirectory, constants.W_OK),
    async measureSpace() {
      const { bavail, blocks, bsize } = await statfs(directory)
      return { freeBytes: bavail * bsize, totalBytes: blocks * bsize }
    },
  }
}

function createDiskDraft(
  path: string,
  handle: FileHandle,
  pathOf: (sha256: string) => string,
): FileDraft {
  const hash = createHash('sha256')
  let sizeBytes = 0
  let isOpen = true
  const close = async () => {
    if (isOpen) await handle.close()
    isOpen = false
  }
  return {
    async write(chunk) {
      hash.update(chunk)
      sizeBytes += chunk.byteLength
      await writeFully(handle, chunk)
    },
    read: () => createReadStream(path, { highWaterMark: READ_SIZE }),
    async commit(): Promise<StoredFile> {
      const sha256 = hash.digest('hex')
      await handle.sync()
      await close()
      await moveDurably(path, pathOf(sha256))
      return { sha256, sizeBytes }
    },
    async discard() {
      await close()
      await rm(path, { force: true })
    },
  }
}

function isMissing(error: NodeJS.ErrnoException): false {
  if (error.code !== 'ENOENT') throw error
  return false
}

/** The same content has been stored anew: there is nothing to put back. */
function ignoreExisting(error: NodeJS.ErrnoException): void {
  if (error.code !== 'EEXIST') throw error
}

async function writeFully(handle: FileHandle, chunk: Uint8Array): Promise<void> {
  let offset = 0
  while (offset < chunk.byteLength) {
    const { bytesWritten } = await handle.write(chunk, offset)
    offset += bytesWritten
  }
}

/** A name is on disk only when its folder is, and so is a new folder's name in its own. */
async function moveDurably(from: string, to: string): Promise<void> {
  const folder = dirname(to)
  const wasCreated = (await mkdir(folder, { recursive: true, mode: 0o700 })) !== undefined
  await rename(from, to)
  await syncPath(folder)
  if (wasCreated) await syncPath(dirname(folder))
}

async function* listFiles(directory: string) {
  for await (const folder of await opendir(directory)) {
    if (!/^[0-9a-f]{2}$/.test(folder.name)) continue
    for await (const file of await opendir(join(directory, folder.name))) {
      const sha256 = /^([0-9a-f]{64})\.csv$/.exec(file.name)?.[1]
      if (!sha256) continue
      const { mtimeMs } = await stat(join(directory, folder.name, file.name))
      yield { sha256, storedAt: mtimeMs }
    }
  }
}

async function removeDrafts(directory: string, findLiveOwners: () => Promise<Set<string>>) {
  const names = await readdir(directory)
  const alive = await findLiveOwners()
  const dead = names.filter((name) => !alive.has(name.split('.')[0] ?? ''))
  for (const name of dead) await rm(join(directory, name), { force: true })
  return dead.length
}
