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

/** The same, but waits for a file that is being prepared. */
export async function awaitFile(href: string): Promise<void> {
  const request = { method: 'HEAD', headers: { prefer: 'respond-async' } }
  for (let waits = 0; ; waits++) {
    const { ok, status, headers } = await fetch(href, request)
    if (ok && status !== 202) return
    if (!ok || waits === MAX_WAITS) throw new FileRequestError(status)
    await new Promise((resolve) => setTimeout(resolve, 1000 * Number(headers.get('retry-after'))))
  }
}
