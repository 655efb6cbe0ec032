import { randomUUID } from 'node:crypto'
import {
  open,
  readdir,
  rm,
  stat,
  unlink,
  utimes,
  writeFile,
  type FileHandle,
} from 'node:fs/promises'
import { join } from 'node:path'

import { codeOf } from '../process/error-code'
import { READER_LOST_MS, type ReadMark } from './while-read'

/** A file for each reader, in the folder that it reads. */
const MARK = 'reader.'
/** What keeps a mark from being written, and nothing from being read. */
const UNWRITABLE = new Set(['ENOSPC', 'EDQUOT', 'EROFS', 'EACCES', 'EPERM'])

/**
 * The two places of a folder: its own, and where it is once it has been deleted but is still being read.
 * `now` is the clock, in Unix milliseconds.
 */
export type FolderPlaces = { own: string; removed: string; now(): number }

/**
 * Keeps a folder from being removed while it is read. On a full disk it is read without that.
 * @returns undefined when the folder is no longer in its own place
 */
export async function markFolder(places: FolderPlaces): Promise<ReadMark | undefined> {
  const name = MARK + randomUUID()
  try {
    await writeFile(join(places.own, name), '', { flag: 'wx', mode: 0o600 })
  } catch (error) {
    const code = codeOf(error)
    if (code === 'ENOENT') return undefined
    if (!UNWRITABLE.has(code)) throw error
  }
  const touch = (folder: string) => {
    const time = new Date(places.now())
    return utimes(join(folder, name), time, time)
  }
  return {
    renew: () => inEither(places, touch).catch(() => undefined),
    async release() {
      // Not by `rm`, to which a file that goes away once it has been found is removed.
      await inEither(places, (folder) => unlink(join(folder, name))).catch(() => undefined)
      await removeUnread(places.removed, places.now()).catch(() => undefined)
    },
  }
}

/** Opens a file of a folder, in whichever of its places it is. */
export const openInFolder = (places: FolderPlaces, name: string): Promise<FileHandle> =>
  inEither(places, (folder) => open(join(folder, name)))

/**
 * Removes a folder unless somebody reads it: the last reader, or the next cleaning, removes it then.
 * @param now Unix milliseconds
 */
export async function removeUnread(folder: string, now: number): Promise<void> {
  const names = await readdir(folder).catch(() => [])
  const marks = names.filter((name) => name.startsWith(MARK))
  const times = await Promise.all(marks.map((name) => readTime(join(folder, name))))
  if (times.some((time) => now - time < READER_LOST_MS)) return
  await rm(folder, { recursive: true, force: true })
}

/** When a reader has shown itself last; 0 when it has ended meanwhile. */
async function readTime(path: string): Promise<number> {
  const { mtimeMs } = await stat(path).catch(() => ({ mtimeMs: 0 }))
  return mtimeMs
}

async function inEither<T>(places: FolderPlaces, act: (folder: string) => Promise<T>): Promise<T> {
  try {
    return await act(places.own)
  } catch (error) {
    if (codeOf(error) !== 'ENOENT') throw error
    return act(places.removed)
  }
}
