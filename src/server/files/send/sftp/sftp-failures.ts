import { FileError } from '../../file-error'

/** What a server answers has a code; what became of the connection has none. */
type Failure = Error & { code?: unknown }

export const isOfSsh = (error: unknown): error is Failure =>
  error instanceof Error && !(error instanceof FileError)

export const isLost = (error: unknown): boolean => isOfSsh(error) && typeof error.code !== 'number'

/** The error for what a server answers to bytes that it was sent. */
export function describeWriting(error: Error): FileError {
  if (isLost(error)) return lost(error)
  return new FileError(
    'not-permitted',
    'The server could not write all of the file: its disk may be full, or this user has no more space there.',
    { cause: error },
  )
}

export function lost(cause: unknown): FileError {
  return new FileError(
    'connection-lost',
    'The connection to the server was lost before all of the file was there.',
    { cause },
  )
}
