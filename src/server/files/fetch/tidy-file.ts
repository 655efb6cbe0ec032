import { basename, dirname, isAbsolute, join } from 'node:path/posix'

import { FileError } from '../file-error'
import type { FileServer } from './file-server'
import { toEtag } from './settled-file'
import type { Tidying } from './tidying'

/**
 * Moves or deletes a file that was read, unless it has changed since or is gone.
 * @param now Unix milliseconds, for a name that is not taken
 * @throws FileError
 */
export async function tidyFile(
  server: Server,
  path: string,
  { etag, foundName, afterReading }: Tidying,
  now: number,
): Promise<void> {
  const state = await unlessGone(server.look(path))
  if (!state || toEtag(state, { foundName }) !== etag) return
  if (afterReading.action === 'delete') await server.remove(path)
  if (afterReading.action === 'move') await moveFile(server, path, afterReading.folder, now)
}

type Server = Pick<FileServer, 'look' | 'rename' | 'makeFolder' | 'remove'>

async function moveFile(server: Server, path: string, name: string, now: number): Promise<void> {
  const folder = isAbsolute(name) ? name : join(dirname(path), name)
  const time = new Date(now).toISOString().replaceAll(':', '-').slice(0, 19)
  const isTaken = await succeeds(server.look(join(folder, basename(path))))
  const to = join(folder, isTaken ? `${time} ${basename(path)}` : basename(path))
  if (await succeeds(server.rename(path, to))) return
  await succeeds(server.makeFolder(folder))
  if (await succeeds(server.rename(path, to))) return
  throw new FileError(
    'not-permitted',
    `The file could not be moved into ${folder}: see that the folder exists and that this user may write there.`,
  )
}

/** Connections that are lost are no answer. */
const succeeds = (work: Promise<unknown>) =>
  work.then(
    () => true,
    (error: unknown) => {
      if (error instanceof FileError && REFUSALS.has(error.code)) return false
      throw error
    },
  )

const REFUSALS = new Set(['no-file', 'not-permitted', 'bad-address', 'bad-answer'])

/** Undefined for a file that is not there any more. */
export const unlessGone = <T>(work: Promise<T>): Promise<T | undefined> =>
  work.catch((error: unknown) => {
    if (error instanceof FileError && error.code === 'no-file') return undefined
    throw error
  })
