import { FTPError } from 'basic-ftp'

import { codeOf } from '../../../process/error-code'
import { FileError } from '../../file-error'
import { describeConnectFailure } from '../connect-failure'

const UNAVAILABLE = 421
const NO_DATA_CONNECTION = new Set([425, 522, 534])
const NOT_READABLE = new Set([500, 501, 502, 504, 530, 550, 553])

/** What servers that do not speak TLS at all make of its beginning. */
const NOT_TLS = /WRONG_VERSION_NUMBER|PACKET_LENGTH_TOO_LONG|HTTP_REQUEST/
/** What comes of servers that know only versions and methods that are not accepted. */
const OLD_TLS = /PROTOCOL|ALERT_HANDSHAKE_FAILURE|NO_CIPHERS|DH_KEY_TOO_SMALL|DH_PARAM|SMALL|WEAK/

/** The error for what went wrong with a connection, TLS included. */
export function describeFtpFailure(error: unknown, allowsOld: boolean): FileError {
  const isOwn = error instanceof FileError
  if (isOwn && (error.code !== 'tls' || error.cause === undefined)) return error
  const cause = isOwn ? error.cause : error
  const details = { cause }
  const code = codeOf(cause)
  if (NOT_TLS.test(code)) {
    return new FileError(
      'tls',
      'The server did not answer with TLS. Servers that begin without it are at an address with ftp://, and change to TLS where the connection says so.',
      details,
    )
  }
  if (OLD_TLS.test(code)) {
    const advice = allowsOld
      ? 'Ask its operator to update it.'
      : 'Ask its operator to update it, or allow old methods for this connection.'
    return new FileError(
      'tls',
      `The server knows no version of TLS that is safe. ${advice}`,
      details,
    )
  }
  const described = describeConnectFailure(cause)
  if (described.code === 'tls') {
    return new FileError('tls', 'No secure connection could be made to the server.', details)
  }
  if (described.code !== 'connect-failed') return described
  return new FileError('connection-lost', 'The server closed the connection.', details)
}

/** The error for what a server answers while a file is to be read. */
export function describeReadFailure(error: unknown, allowsOld: boolean): FileError {
  if (!(error instanceof FTPError)) {
    const described = describeFtpFailure(error, allowsOld)
    return described.code === 'connection-lost' ? cutOff(error) : described
  }
  if (error.code === UNAVAILABLE) return unavailable(error)
  if (NO_DATA_CONNECTION.has(error.code)) {
    return new FileError(
      'connection-lost',
      'The server refused the second connection, through which the file goes.',
      { cause: error },
    )
  }
  if (NOT_READABLE.has(error.code)) {
    return new FileError(
      'not-permitted',
      'This user may not read the file: ask the operator of the server.',
      { cause: error },
    )
  }
  return new FileError('truncated', 'The server broke off before the file was complete.', {
    cause: error,
  })
}

/** The error for a server that says that it serves nobody more. */
export function unavailable(cause?: unknown): FileError {
  const text =
    'The server takes no more connections at the moment: it is too busy, or about to be stopped.'
  return new FileError('connection-lost', text, { cause })
}

/** @throws FileError if that is what a server has answered */
export function requireAvailable({ code }: { code: number }): void {
  if (code === UNAVAILABLE) throw unavailable()
}

function cutOff(cause: unknown): FileError {
  return new FileError('truncated', 'The connection was cut before the file was complete.', {
    cause,
  })
}
