import { codeOf } from '../../process/error-code'
import { FileError, type FileErrorCode } from '../file-error'

const CERTIFICATE_CODES = /CERT|SIGNATURE|ISSUER|CRL|_CA_/

/** Converts an error of connecting, TLS included, to a FileError. */
export function describeConnectFailure(error: unknown): FileError {
  if (error instanceof FileError) return error
  const code = codeOf(error)
  const tls = findTlsFailure(code)
  if (tls) return new FileError(tls[0], tls[1], { cause: error })
  const why =
    code === 'ECONNREFUSED'
      ? 'The server refused the connection. Check the address and its port.'
      : 'The server could not be reached. Check the address and its port.'
  return new FileError('connect-failed', why, { cause: error })
}

/** Converts an error of an established connection to a FileError, by what was being waited for. */
export function describeTransferFailure(
  error: unknown,
  waitingFor: 'response' | 'body',
): FileError {
  if (error instanceof FileError) return error
  if (codeOf(error) === 'HPE_HEADER_OVERFLOW') {
    return new FileError('bad-answer', 'The server sent too many response headers.', {
      cause: error,
    })
  }
  if (codeOf(error).startsWith('HPE_')) {
    return waitingFor === 'response'
      ? new FileError(
          'bad-answer',
          'The server did not respond with HTTP. Check the port of the address.',
          { cause: error },
        )
      : truncated(error)
  }
  if (waitingFor === 'body') return truncated(error)
  return new FileError('connection-lost', 'The server closed the connection without responding.', {
    cause: error,
  })
}

function truncated(cause: unknown): FileError {
  return new FileError('truncated', 'The connection was cut before the file was complete.', {
    cause,
  })
}

function findTlsFailure(code: string): [code: FileErrorCode, message: string] | undefined {
  if (code === 'CERT_HAS_EXPIRED') {
    return [
      'certificate-expired',
      "The server's certificate has expired and must be renewed on the server.",
    ]
  }
  if (code === 'ERR_TLS_CERT_ALTNAME_INVALID') {
    const text = "The server's certificate does not match the name in the address."
    return ['certificate-wrong-name', text]
  }
  if (CERTIFICATE_CODES.test(code)) {
    return [
      'certificate-untrusted',
      "The server's certificate is not trusted: a public certificate authority must have issued it.",
    ]
  }
  if (code === 'EPROTO' || code.startsWith('ERR_SSL') || code.startsWith('ERR_TLS')) {
    return [
      'tls',
      'No secure connection could be made to the server. Check whether it offers https.',
    ]
  }
  return undefined
}
