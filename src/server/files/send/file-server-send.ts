import { basename, dirname, join } from 'node:path/posix'

import { type FilePlace, readFilePlace } from '../../../shared/file-server-address'
import { SOURCE_SCHEMES } from '../../../shared/source-schemes'
import { startDeadline, waitUnlessAborted } from '../../concurrency/deadline'
import { requireOpenPort } from '../fetch/address-rules'
import type { FetchResources } from '../fetch/fetch-context'
import type { FileServerAccess } from '../fetch/file-server'
import { FileError } from '../file-error'
import { inFolder } from './destination-address'
import type { SendContext, SendToScheme } from './send-context'
import type { SentBody } from './sending'
import { tellArrival, tellRemoval, tellSteps } from './steps'

/** What is done at a server of SFTP or FTP, by paths there; all of it throws FileErrors. */
export interface WritableServer {
  /** As the server calls the path of an address. */
  toPath: (path: string) => string
  /** Writes a file anew, whatever is there, and returns once the server has all of it. */
  write: (path: string, body: SentBody) => Promise<void>
  /** How many bytes a file has; undefined if the server does not tell. */
  measure: (path: string) => Promise<number | undefined>
  /** Also over a file of this name, if the server can do that; `refused` if it did not do it. */
  rename: (from: string, to: string) => Promise<'done' | 'refused'>
  remove: (path: string) => Promise<void>
}

type Open = (
  place: FilePlace,
  access: FileServerAccess,
  context: SendContext,
  resources: FetchResources,
) => Promise<WritableServer>

/** Sends a file to a server of SFTP or FTP: under another name, and then renamed, so that it is never there half. */
export const sendToServer =
  (open: Open, signedIn: string): SendToScheme =>
  async (request, body, context, resources) => {
    const { address, fileName, server: access, sizeBytes, isTrial } = request
    const place = readFilePlace(inFolder(address, fileName))
    if (!place || !access) {
      throw new FileError('bad-address', 'The address of the server is not complete.')
    }
    requireOpenPort(place, [SOURCE_SCHEMES[place.protocol].port], context.allow)
    await resources.acquireHost(place.host)
    const server = await open(place, access, context, resources)
    const path = server.toPath(place.path)
    const how = await putFile(server, path, { sizeBytes, body, context, resources })
    const isRemoved = isTrial && (await succeeds(server.remove(path)))
    return {
      text: tellSteps([
        ...(isTrial ? [signedIn] : []),
        isTrial ? `${fileName} was written and renamed` : tellArrival(fileName, sizeBytes),
        how.isReplaced &&
          'the one before was deleted first, since this server does not rename over a file',
        isTrial && tellRemoval(isRemoved, 'user'),
      ]),
    }
  }

interface Put {
  sizeBytes: number
  body: SentBody
  context: SendContext
  resources: FetchResources
}

async function putFile(
  server: WritableServer,
  path: string,
  { sizeBytes, body, context, resources }: Put,
): Promise<{ isReplaced: boolean }> {
  const part = join(dirname(path), `.${basename(path)}.part`)
  try {
    await server.write(part, body)
    const arrived = await server.measure(part)
    if (arrived !== undefined && arrived !== sizeBytes) throw notWhole(arrived, sizeBytes)
    if ((await server.rename(part, path)) === 'done') return { isReplaced: false }
    const isGone = await succeeds(server.remove(path))
    if (isGone && (await server.rename(part, path)) === 'done') return { isReplaced: true }
    throw notRenamed(basename(part), basename(path), isGone)
  } catch (error) {
    if (!isLost(error)) await cleanUp(server.remove(part), context, resources)
    throw error
  }
}

/** Whether something was done; a connection that was lost is no answer. */
const succeeds = (work: Promise<void>) =>
  work.then(
    () => true,
    (error: unknown) => {
      if (error instanceof FileError && REFUSALS.has(error.code)) return false
      throw error
    },
  )

const REFUSALS = new Set(['no-file', 'not-permitted', 'bad-answer'])

const isLost = (error: unknown) => error instanceof FileError && error.code === 'connection-lost'

/** What is left is overwritten by the next attempt. */
async function cleanUp(
  removal: Promise<void>,
  { timeouts }: SendContext,
  { signal }: FetchResources,
): Promise<void> {
  const deadline = startDeadline(timeouts.cleanUpMs, () => new Error('Not removed'), signal)
  await waitUnlessAborted(removal, deadline.signal).catch(() => undefined)
  deadline.clear()
}

function notWhole(arrived: number, sizeBytes: number): FileError {
  return new FileError(
    'wrong-length',
    `The server has ${arrived} bytes of the file, which has ${sizeBytes}: its disk may be full, or it changes what it gets.`,
  )
}

function notRenamed(from: string, to: string, isGone: boolean): FileError {
  const lost = isGone ? ` The ${to} that was there before is deleted.` : ''
  return new FileError(
    'not-permitted',
    `The file was written as ${from}, but this user may not rename it to ${to}, which shows that it is whole: ask the operator of the server to allow renaming.${lost}`,
  )
}
