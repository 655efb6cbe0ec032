import { type FileInfo, FTPError, type FTPResponse, parseList } from 'basic-ftp'

import { FileError } from '../../file-error'
import { type FetchContext, type FetchResources, waitForAnswer } from '../fetch-context'
import type { FileServer } from '../file-server'
import { MAX_NAMES, noFolder, tooMany } from '../newest-file'
import { openDataConnection } from './data-connection'
import { describeReadFailure } from './ftp-failures'
import { readFtpFile } from './ftp-read'
import { type FtpSession, isDone } from './ftp-session'
import { findFtpFile } from './ftp-state'

const GO_ON = 350
const NOT_FOUND = 550
/** Of commands. */
const NOT_KNOWN = new Set([500, 501, 502, 504])

/** What is asked of a server of FTP. */
export function createFtpServer(
  session: FtpSession,
  context: FetchContext,
  resources: FetchResources,
): FileServer {
  const { say } = session
  return {
    // The folder in which the user begins is where the path does; with a second slash, it begins at the root.
    toPath: (path) => path.slice(1).replace(/^ /, './ '),
    look: (path) => findFtpFile(session, path),
    list: (folder) => listFolder(session, folder, context, resources),
    read: (path) => readFtpFile(session, path, context, resources),
    async rename(from, to) {
      const isFound = (await say(`RNFR ${from}`)).code === GO_ON
      if (!isFound || !isDone(await say(`RNTO ${to}`))) throw notPermitted()
    },
    makeFolder: async (path) => requireDone(await say(`MKD ${path}`)),
    remove: async (path) => requireDone(await say(`DELE ${path}`)),
  }
}

function requireDone(answer: FTPResponse): void {
  if (!isDone(answer)) throw notPermitted()
}

function notPermitted(): FileError {
  return new FileError(
    'not-permitted',
    'This user may not do that with the file: ask the operator of the server.',
  )
}

/** Without times, which not every server tells in a way that can be relied on. */
async function* listFolder(
  session: FtpSession,
  folder: string,
  context: FetchContext,
  resources: FetchResources,
) {
  const { client, allowsOld } = session
  client.prepareTransfer = () => openDataConnection(session, context, resources)
  client.parseList = readListing
  const list = (command: string) => {
    client.availableListCommands = [command]
    return waitForAnswer(context, resources, () => client.list(folder))
  }
  try {
    const entries = await list('MLSD').catch((error: unknown) => {
      if (isAnswer(error) && error.code === NOT_FOUND) throw noFolder()
      if (isAnswer(error) && NOT_KNOWN.has(error.code)) return list('LIST')
      throw error
    })
    yield entries.map(({ name, isDirectory, modifiedAt }) => ({
      name,
      changedAt: modifiedAt?.getTime() ?? null,
      isFolder: isDirectory,
    }))
  } catch (error) {
    // Some servers answer `LIST` so for a folder in which there is nothing.
    if (isAnswer(error) && error.code === NOT_FOUND) throw nothingListed(error)
    throw describeReadFailure(error, allowsOld)
  }
}

const isAnswer = (error: unknown): error is FTPError => error instanceof FTPError

/**
 * Reads a listing that has no more lines than names are looked at: each takes ten times the memory that it has had.
 * @throws FileError
 */
function readListing(listing: string): FileInfo[] {
  let lines = 0
  for (let at = listing.indexOf('\n'); at >= 0; at = listing.indexOf('\n', at + 1)) {
    if (++lines > MAX_NAMES) throw tooMany()
  }
  try {
    return parseList(listing)
  } catch (error) {
    throw new FileError(
      'bad-answer',
      'The server lists the folder in a way that cannot be read: enter the whole name of the file.',
      { cause: error },
    )
  }
}

function nothingListed(cause: unknown): FileError {
  return new FileError('no-file', 'The server finds nothing in the folder, or no such folder.', {
    cause,
  })
}
