import type { ServerResponse } from 'node:http'

import type { SourceServer } from './source-server'

/** Makes a path respond with `head`; the test sends the rest when it wants. */
export function setSlowSource(
  sourceServer: SourceServer,
  path: string,
  head: string,
  headers: Record<string, string> = {},
) {
  let isClosed = false
  const { promise, resolve } = Promise.withResolvers<ServerResponse>()
  sourceServer.set(path, {
    handler: (_request, response) => {
      response.on('close', () => (isClosed = true))
      response.writeHead(200, { 'content-type': 'text/csv', ...headers }).write(head)
      resolve(response)
    },
  })
  return {
    /** The response, once it was requested and its first part has been sent. */
    asked: promise,
    /** Whether the response is finished or the client has disconnected. */
    isClosed: () => isClosed,
  }
}
