import type { ServerResponse } from 'node:http'

import type { SourceServer } from './source-server'

/** A response that the test controls. */
export type SlowSource = {
  /** The response, once it was requested and its first part has been sent. */
  asked: Promise<ServerResponse>
  /** Whether the response is finished or the client has disconnected. */
  isClosed(): boolean
}

/** Makes a path respond with `head`; the test sends the rest when it wants. */
export function setSlowSource(
  sourceServer: SourceServer,
  path: string,
  head: string,
  headers: Record<string, string> = {},
): SlowSource {
  let isClosed = false
  let resolve: (response: ServerResponse) => void
  const asked = new Promise<ServerResponse>((settle) => (resolve = settle))
  sourceServer.set(path, {
    handler: (_request, response) => {
      response.on('close', () => (isClosed = true))
      response.writeHead(200, { 'content-type': 'text/csv', ...headers }).write(head)
      resolve(response)
    },
  })
  return { asked, isClosed: () => isClosed }
}
