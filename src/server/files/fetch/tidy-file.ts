import { basename, dirname, isAbsolute, join } from 'node:path/posix'

import { FileError } from '../file-error'
import { type FileState, toEtag } from './settled-file'
import type { Tidying } from './tidying'

/** A file at a server, by its path there. */
interface FileAtServer {
  path: string
  look: () => Promise<FileState>
  rename: (to: string) => Promise<void>
  makeFolder: (path: string) => Promise<void>
  remove: () => Promise<void>
}

/**
 * Moves or deletes a file that was read, unless it has changed since or is gone.
 * @param now Unix milliseconds, for a name that is not taken
 * @throws FileError
 */
export async function tidyFile(
  file: FileAtServer,
  { etag, foundName, afterReading }: Tidying,
  now: number,
): Promise<void> {
  const state = await unlessGone(file.look())
  if (!state || toEtag(state, { foundName }) !== etag) return
  if (afterReading.action === 'delete') await file.remove()
  if (afterReading.action === 'move') await moveFile(file, afterReading.folder, now)
}

async function moveFile({ path, ...file }: FileAtServer, name: string, now: number): Promise<void> {
  const folder = isAbsolute(name) ? name : join(dirname(path), name)
  const moved = await succeeds(file.rename(join(folder, basename(path))))
  if (moved) return
  await succeeds(file.makeFolder(folder))
  // Servers do not replace a file by another one.
  const time = new Date(now).toISOString().replaceAll(':', '-').slice(0, 19)
  const isMoved =
    (await succeeds(file.rename(join(folder, basename(path))))) ||
    (await succeeds(file.rename(join(folder, `${time} ${basename(path)}`))))
  if (isMoved) return
  throw new FileError(
    'not-permitted',
    `The file could not be moved into ${folder}: see that the folder exists and that this user may write there.`,
  )
}

/** Connections that are lost are no answer. */
const succeeds = (work: Promise<void>) =>
  work.then(
    () => true,
    (error: unknown) => {
      if (error instanceof FileError && REFUSALS.has(error.code)) return false
      throw error
    },
  )

const REFUSALS = new Set(['no-file', 'not-permitted', 'bad-answer'])

/** Undefined for a file that is not there any more. */
export const unlessGone = <T>(work: Promise<T>): Promise<T | undefined> =>
  work.catch((error: unknown) => {
    if (error instanceof FileError && error.code === 'no-file') return undefined
    throw error
  })
