import type { FTPResponse } from 'basic-ftp'

import { FileError } from '../../file-error'
import type { FileServerLogin } from '../file-server'
import { type FtpSession, isDone } from './ftp-session'

const PASSWORD_WANTED = 331
const ACCOUNT_WANTED = 332
const UNPROTECTED = 'The server does not protect the connection through which the file goes.'

/** As servers expect it of those who have no name. */
const ANONYMOUS: FileServerLogin = { username: 'anonymous', password: 'anonymous@' }

/**
 * Signs in, and has files sent as they are, protected if the connection is.
 * @throws FileError
 */
export async function signIn(session: FtpSession, login = ANONYMOUS): Promise<void> {
  const { say, client } = session
  const { hasTLS } = client.ftp
  // Some servers protect files before anybody has signed in, some only afterwards.
  const isProtected = hasTLS && (await protect(session))
  // Before and after: servers take it at one time or at the other, and most need no such command at all.
  await say(UTF8)
  const answer = await sayLogin(session, login)
  if (!isDone(answer)) throw refused(answer, { isPlain: !hasTLS, isAnonymous: login === ANONYMOUS })
  if (hasTLS && !isProtected && !(await protect(session))) throw new FileError('tls', UNPROTECTED)
  await say(UTF8)
  if (!isDone(await say('TYPE I'))) {
    throw new FileError('bad-answer', 'The server does not take files as they are.')
  }
}

const UTF8 = 'OPTS UTF8 ON'

const protect = async ({ say }: FtpSession) =>
  isDone(await say('PBSZ 0')) && isDone(await say('PROT P'))

async function sayLogin(
  { say }: FtpSession,
  { username, password = '' }: FileServerLogin,
): Promise<FTPResponse & { isOfName?: boolean }> {
  if (/[\r\n\0]/.test(username + password)) {
    throw new FileError('bad-address', 'User name and password must be of one line.')
  }
  const answer = await say(`USER ${username}`)
  return answer.code === PASSWORD_WANTED ? say(`PASS ${password}`) : { ...answer, isOfName: true }
}

function refused(
  { code, isOfName = false }: FTPResponse & { isOfName?: boolean },
  { isPlain, isAnonymous }: { isPlain: boolean; isAnonymous: boolean },
): FileError {
  return new FileError('sign-in-refused', describeRefusal())

  function describeRefusal() {
    if (code === ACCOUNT_WANTED)
      return 'The server asks for an account besides the user name, which cannot be told to it from here.'
    if (isOfName && isPlain)
      return 'The server lets nobody of this user name sign in without encryption. Switch on TLS for this connection, or check the user name.'
    return isAnonymous
      ? 'The server lets nobody sign in without a user name: enter it under Access.'
      : 'The server does not accept this user name and password.'
  }
}
