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

/** How often a file that is being prepared is asked for again: two minutes at the pace of the server. */
const MAX_WAITS = 60
/** A file that is asked to be tried again later is not being prepared. */
const LONGEST_WAIT_SECONDS = 5

/** The same, but waits for a file that is being prepared. */
export async function awaitFile(href: string): Promise<void> {
  for (let waits = 0; ; waits++) {
    const response = await fetch(href, { method: 'HEAD' })
    if (response.ok) return
    const seconds = Number(response.headers.get('retry-after') ?? Infinity)
    const isPrepared = response.status === 503 && seconds <= LONGEST_WAIT_SECONDS
    if (!isPrepared || waits === MAX_WAITS) throw new FileRequestError(response.status)
    await new Promise((resolve) => setTimeout(resolve, 1000 * seconds))
  }
}
