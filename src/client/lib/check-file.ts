/** A file request answered with an error. A 401 ends the session, as with any other call. */
export class FileRequestError extends Error {
  constructor(
    readonly httpStatus: number,
    message = `The file request failed with status ${httpStatus}`,
  ) {
    super(message)
  }
}

/** @throws FileRequestError on an error status, or the network error */
export async function checkFile(href: string): Promise<void> {
  const response = await fetch(href, { method: 'HEAD' })
  if (!response.ok) throw new FileRequestError(response.status)
}
