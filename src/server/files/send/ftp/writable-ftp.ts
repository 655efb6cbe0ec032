import { dirname } from 'node:path/posix'

import { FTPError } from 'basic-ftp'

import type { FetchResources } from '../../fetch/fetch-context'
import { describeReadFailure } from '../../fetch/ftp/ftp-failures'
import { createFtpServer } from '../../fetch/ftp/ftp-server'
import { type FtpSession, isDone } from '../../fetch/ftp/ftp-session'
import { findFtpFile } from '../../fetch/ftp/ftp-state'
import { FileError } from '../../file-error'
import type { WritableServer } from '../file-server-send'
import type { SendContext } from '../send-context'
import { writeFtpFile } from './ftp-write'

const GO_ON = 350
const UNAVAILABLE = 421
const NO_SPACE = new Set([452, 552])
const REFUSED = new Set([500, 501, 502, 504, 530, 532, 550, 553])

/** What is written at a server of FTP. */
export function createWritableFtp(
  session: FtpSession,
  context: SendContext,
  resources: FetchResources,
): WritableServer {
  const { say, allowsOld } = session
  const { toPath, remove } = createFtpServer(session, context, resources)
  return {
    toPath,
    remove,
    async write(path, body) {
      const write = () => writeFtpFile(session, path, body, context, resources)
      try {
        await write().catch(async (error: unknown) => {
          // Some servers overwrite nothing, also not what an earlier attempt has left.
          if (!isRefusal(error) || !isDone(await say(`DELE ${path}`))) throw error
          await write()
        })
      } catch (error) {
        throw describe(error, path, allowsOld)
      }
    },
    // Servers that do not tell have confirmed that they have all of it, and only rename what is there.
    measure: (path) =>
      findFtpFile(session, path).then(
        ({ bytes }) => bytes,
        (error: unknown) => {
          if (error instanceof FileError && UNTOLD.has(error.code)) return undefined
          throw error
        },
      ),
    async rename(from, to) {
      const isFound = (await say(`RNFR ${from}`)).code === GO_ON
      return isFound && isDone(await say(`RNTO ${to}`)) ? 'done' : 'refused'
    },
  }
}

const UNTOLD = new Set(['no-file', 'bad-answer'])

const isRefusal = (error: unknown) => error instanceof FTPError && REFUSED.has(error.code)

/** The error for what a server answers while a file is written. */
function describe(error: unknown, path: string, allowsOld: boolean): FileError {
  if (error instanceof FTPError && NO_SPACE.has(error.code)) {
    return new FileError(
      'not-permitted',
      'The server has no space for the file, or this user has none left there.',
      { cause: error },
    )
  }
  if (isRefusal(error)) {
    return new FileError(
      'not-permitted',
      `The server lets this user write no file into the folder ${toFolder(path)}: see that the folder exists and that this user may write there, or enter another one. Upper and lower case count.`,
      { cause: error },
    )
  }
  if (error instanceof FTPError && error.code !== UNAVAILABLE && error.code !== 425) {
    return new FileError(
      'truncated',
      'The server broke off before it had all of the file: its disk may be full.',
      { cause: error },
    )
  }
  const described = describeReadFailure(error, allowsOld)
  if (described.code !== 'truncated') return described
  return new FileError(
    'connection-lost',
    'The connection to the server was lost before all of the file was there.',
    { cause: error },
  )
}

/** As it is called in an address. */
function toFolder(path: string): string {
  const folder = dirname(path)
  return folder === '.' ? '/' : folder
}
