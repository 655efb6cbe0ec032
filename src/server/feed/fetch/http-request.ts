import { type IncomingMessage, request as requestHttp } from 'node:http'
import { request as requestHttps } from 'node:https'
import type { Socket } from 'node:net'

import { FeedError } from '../feed-error'
import type { HttpResponse } from './http-response'

/** For the head of an response. */
const MAX_HEADER_BYTES = 16 * 1024

/**
 * Asks for a URL on a connection that stands, which serves nothing else afterwards. Passes over
 * answers 1xx; the body comes as the reader asks for it, and its failures are its own.
 */
export function sendRequest(
  url: URL,
  socket: Socket,
  headers: Record<string, string>,
): Promise<HttpResponse> {
  return new Promise((resolve, reject) => {
    const send = url.protocol === 'https:' ? requestHttps : requestHttp
    // No agent has a say here: nothing is kept alive, and no proxy is found in the environment.
    const request = send(url, {
      headers,
      createConnection: () => socket,
      insecureHTTPParser: false,
      maxHeaderSize: MAX_HEADER_BYTES,
    })
    const take = (response: IncomingMessage) => {
      // Before anybody listens, an error of the body would be thrown at the process.
      response.on('error', ignore)
      // Node takes a reset for the end of a body that has no length.
      request.on('error', (error) => {
        if (!response.complete) response.destroy(error)
        else if (hasMoreThanAnnounced(response, error)) response.destroy(wrongLength(error))
      })
      resolve(response as HttpResponse)
    }
    // An upgrade (101) was not asked for: it is an answer without a file.
    request.on('error', reject).on('response', take).on('upgrade', take).end()
  })
}

/**
 * Bytes behind the announced end: a length that was counted in characters, say, has cut the file.
 * They are seen as far as they came with that end.
 */
function hasMoreThanAnnounced(response: IncomingMessage, error: NodeJS.ErrnoException): boolean {
  const isByLength = response.headers['content-length'] !== undefined
  return isByLength && !response.readableEnded && error.code?.startsWith('HPE_') === true
}

function wrongLength(cause: unknown): FeedError {
  return new FeedError(
    'wrong-length',
    'The server sent more than the length that it announced, so the end of the file is missing.',
    { cause },
  )
}

function ignore(): void {}
