import type { ServerResponse } from 'node:http'

import type { FeedServer } from './feed-server'

/** An answer in the test's hands: it says nothing by itself. */
export type SlowFeed = {
  /** The answer, once the path was asked for and the head has been sent. */
  asked: Promise<ServerResponse>
  /** Whether whoever asked has hung up, or got everything. */
  isClosed(): boolean
}

/** Lets a path answer with `head` at first; what follows, and when, is the test's. */
export function setSlowFeed(
  feedServer: FeedServer,
  path: string,
  head: string,
  headers: Record<string, string> = {},
): SlowFeed {
  let isClosed = false
  let resolve: (response: ServerResponse) => void
  const asked = new Promise<ServerResponse>((settle) => (resolve = settle))
  feedServer.set(path, {
    handler: (_request, response) => {
      response.on('close', () => (isClosed = true))
      response.writeHead(200, { 'content-type': 'text/csv', ...headers }).write(head)
      resolve(response)
    },
  })
  return { asked, isClosed: () => isClosed }
}
