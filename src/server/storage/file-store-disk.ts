import { randomUUID } from 'node:crypto'
import { accessSync, existsSync, fstatSync, statfsSync } from 'node:fs'
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
  unlink,
  utimes,
} from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'

import { mapLimited } from '../concurrency/map-limited'
import { syncFile, syncPath } from '../process/sync-path'
import type { FileStore } from './file-store'
import { createFileStreams } from './file-streams'
import { isMissing } from './is-missing'
import { fillScratchFile, readFully } from './scratch-file'

/** As many as Node works on at a time by default. */
const FILES_AT_ONCE = 4

/** The folder of scratch files in a store's directory. */
export function draftsFolderOf(directory: string): string {
  return join(directory, 'drafts')
}

/** Files under `directory`: `{first two digits of the hash}/{hash}.csv`; scratch files in `drafts/`. */
export async function openDiskFileStore(directory: string): Promise<FileStore> {
  const draftsDirectory = draftsFolderOf(directory)
  await mkdir(draftsDirectory, { recursive: true, mode: 0o700 })
  const pathOf = (sha256: string) => join(directory, sha256.slice(0, 2), `${sha256}.csv`)
  const toStream = createFileStreams()

  return {
    createDraft(owner) {
      const path = join(draftsDirectory, `${owner}.${randomUUID()}`)
      let isCommitted = false
      return {
        path,
        fill: (body) => fillScratchFile(path, body),
        async commit(content) {
          await commitDurably(path, pathOf(content.sha256), content.sizeBytes)
          isCommitted = true
        },
        openToSend: async () => toStream(await open(path, 'r')),
        async discard() {
          // Not rm, which looks first: many drafts were never written.
          if (!isCommitted) await unlink(path).catch(isMissing)
        },
      }
    },
    async locate(sha256) {
      accessSync(pathOf(sha256), constants.R_OK)
      return pathOf(sha256)
    },
    async read(sha256) {
      const handle = await open(pathOf(sha256), 'r')
      return handle.createReadStream()
    },
    async readRange(sha256, { start, end }) {
      const handle = await open(pathOf(sha256), 'r')
      try {
        const target = Buffer.allocUnsafe(end - start + 1)
        return target.subarray(0, await readFully(handle, target, start))
      } finally {
        await handle.close()
      }
    },
    async openToSend(sha256, range) {
      return toStream(await open(pathOf(sha256), 'r'), range)
    },
    async copyTo(sha256, path) {
      await copyFile(pathOf(sha256), path, constants.COPYFILE_FICLONE)
      await syncPath(path)
    },
    async has(sha256) {
      return existsSync(pathOf(sha256))
    },
    async delete(sha256s, storedBefore) {
      const gone = await mapLimited(sha256s, FILES_AT_ONCE, async (sha256) => {
        const path = pathOf(sha256)
        if (storedBefore === Infinity) await unlink(path).catch(isMissing)
        else if (!(await deleteOld(path, draftsDirectory, storedBefore))) return []
        return [sha256]
      })
      return gone.flat()
    },
    list: (from = '') => listFiles(directory, from),
    removeDrafts: (findLiveOwners) => removeDrafts(draftsDirectory, findLiveOwners),
    check: () => access(draftsDirectory, constants.W_OK),
    async measureSpace() {
      const { bavail, blocks, bsize } = statfsSync(directory)
      return { freeBytes: bavail * bsize, totalBytes: blocks * bsize }
    },
  }
}

/**
 * Deletes a file unless it was stored at an instant or later, also one that is stored again meanwhile: it is hidden
 * before that is asked once more, and then put back. Returns whether it is gone.
 */
async function deleteOld(path: string, drafts: string, storedBefore: number): Promise<boolean> {
  const isOld = async (file: string) => {
    const found = await stat(file).catch(isMissing)
    return !found || found.mtimeMs < storedBefore
  }
  if (!(await isOld(path))) return false
  const hidden = join(drafts, `${basename(path)}.${randomUUID()}`)
  if (!(await rename(path, hidden).then(() => true, isMissing))) return true
  const isGone = await isOld(hidden)
  if (!isGone) await link(hidden, path).catch(ignoreExisting)
  await rm(hidden, { force: true })
  return isGone
}

/** Returns false if the file already exists; rethrows other errors. */
function ignoreExisting(error: NodeJS.ErrnoException): false {
  if (error.code !== 'EEXIST') throw error
  return false
}

/**
 * Flushes the file, then its folder, and the parent of a new folder, since a name is durable only after
 * its folder has been flushed. Never replaces a stored file, so that the writer of a draft cannot
 * change another file by claiming its hash.
 */
async function commitDurably(from: string, to: string, sizeBytes: number): Promise<void> {
  await syncFile(from, constants.O_RDWR | constants.O_NOFOLLOW, (descriptor) => {
    if (fstatSync(descriptor).size !== sizeBytes)
      throw new Error('The draft has an unexpected size')
  })
  const folder = dirname(to)
  const wasCreated =
    !existsSync(folder) && (await mkdir(folder, { recursive: true, mode: 0o700 })) !== undefined
  await linkOrRenew(from, to, sizeBytes)
  await unlink(from)
  await syncPath(folder)
  if (wasCreated) await syncPath(dirname(folder))
}

/** A file that is already stored gets the draft's timestamps, so that it counts as new. */
async function linkOrRenew(from: string, to: string, sizeBytes: number): Promise<void> {
  for (;;) {
    const isLinked = await link(from, to).then(() => true, ignoreExisting)
    if (isLinked) return
    const stored = await stat(to).catch(isMissing)
    if (stored && stored.size !== sizeBytes) throw new Error('Two contents have the same hash')
    const { atime, mtime } = await stat(from)
    const isRenewed = await utimes(to, atime, mtime).then(() => true, isMissing)
    if (isRenewed) return
    // The stored file was deleted meanwhile: try again.
  }
}

async function* listFiles(directory: string, from: string) {
  const names = await readdir(directory)
  const folders = names.filter((name) => /^[0-9a-f]{2}$/.test(name)).toSorted()
  const before = folders.filter((name) => name < from)
  for (const folder of [...folders.slice(before.length), ...before]) {
    for await (const file of await opendir(join(directory, folder))) {
      const sha256 = /^([0-9a-f]{64})\.csv$/.exec(file.name)?.[1]
      if (!sha256) continue
      const { mtimeMs } = await stat(join(directory, folder, file.name))
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
