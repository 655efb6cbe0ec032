import { FileError } from './file-error'

/** Has the errors of a file say at which of a connection's two addresses it is. */
export async function atAddress<Result>(
  address: 'first' | 'second',
  work: () => Promise<Result>,
): Promise<Result> {
  try {
    return await work()
  } catch (error) {
    if (!(error instanceof FileError)) throw error
    const { code, message, line, retryAfterMs, hostKey, cause } = error
    throw new FileError(code, `At the ${address} address: ${message}`, {
      cause,
      address,
      line,
      retryAfterMs,
      hostKey,
    })
  }
}
